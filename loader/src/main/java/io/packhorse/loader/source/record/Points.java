package io.packhorse.loader.source.record;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Collects the points that a format reads, unless a filter leaves them out, and the rejects, each
 * with its position. Chunks that are parsed in parallel have a collector each; {@link #merge} adds
 * them to the common one in input order.
 *
 * <p>One thread at a time; any thread may call {@link #leftOut}.
 */
public final class Points {
  private static final int BATCH_POINTS = 1 << 14;

  /** Instead of an index. */
  private static final int NOWHERE = -1;

  private final Rejects rejects;
  private final long fromMs;
  private final long toMs;
  private long rejectFromMs = Long.MAX_VALUE;
  private final AtomicLong leftOut = new AtomicLong();
  private final PointBatch batch;
  private final List<RejectedRecord> rejected = new ArrayList<>();
  private byte[] buffer = {};
  private long line;
  private long fastPathLines;
  private long leftOutHere;

  /**
   * @param rules say which times are wanted
   * @param rejects the caller closes it
   */
  public Points(SeriesRules rules, Rejects rejects) {
    this(rejects, rules.fromMs(), rules.toMs(), 1);
  }

  private Points(Rejects rejects, long fromMs, long toMs, int capacity) {
    this.rejects = rejects;
    this.fromMs = fromMs;
    this.toMs = toMs;
    this.batch = new PointBatch(capacity);
  }

  /** A collector for one chunk, with the same filters. */
  public Points forChunk() {
    return new Points(rejects, fromMs, toMs, BATCH_POINTS);
  }

  /** Points that the filters left out, by series or time. */
  public long leftOut() {
    return leftOut.get();
  }

  /**
   * Adds a point.
   *
   * @param series its number, or {@link SeriesReader#LEFT_OUT}
   * @param bits the integer, or the raw bits of the double
   */
  public void add(int series, long timestampMs, long bits, boolean isDouble) {
    if (series < 0 || timestampMs < fromMs || timestampMs >= Math.min(toMs, rejectFromMs)) {
      refuse(series, timestampMs);
      return;
    }
    batch.add(series, timestampMs, bits, isDouble);
  }

  private void refuse(int series, long timestampMs) {
    if (series < 0 || timestampMs < fromMs || timestampMs >= toMs) {
      leftOutHere++;
    } else {
      reject(Reason.TIMESTAMP_IN_THE_FUTURE, Instant.ofEpochMilli(timestampMs).toString());
    }
  }

  /**
   * Rejects points from a time on.
   *
   * @param ms milliseconds since 1970
   */
  public void rejectFrom(long ms) {
    rejectFromMs = ms;
  }

  /** Counts a value that the user does not want. */
  public void leaveOut() {
    leftOutHere++;
  }

  /** Rejects the bytes {@code [from, to)} of the buffer. */
  public void reject(Reason reason, int from, int to) {
    rejected.add(new RejectedRecord(reason, line, from, buffer, from, to));
  }

  /** Rejects everything from an index on, with a sentence instead of the bytes. */
  public void reject(Reason reason, int at, byte[] sentence) {
    rejected.add(new RejectedRecord(reason, line, at, sentence, 0, sentence.length));
  }

  /** Rejects something that has no position in a text. */
  public void reject(Reason reason, String sentence) {
    reject(reason, NOWHERE, sentence.getBytes(StandardCharsets.UTF_8));
  }

  /** Number of rejects so far. */
  public long rejected() {
    return rejects.total();
  }

  /** The points; the collector's own batch. */
  public PointBatch batch() {
    return batch;
  }

  /** Counts a line that a format read on its fast path. */
  public void countFastPathLine() {
    fastPathLines++;
  }

  /** Lines of this chunk read on the fast path. */
  public long fastPathLines() {
    return fastPathLines;
  }

  /** Begins a chunk; its bytes must not change until it is merged. */
  public void begin(byte[] bytes) {
    buffer = bytes;
    batch.clear();
    rejected.clear();
    fastPathLines = 0;
    leftOutHere = 0;
  }

  /** Sets the line of the chunk, from 0, that the next record begins on. */
  public void at(long lineOfPiece) {
    line = lineOfPiece;
  }

  /**
   * Adds the rejects and counts of a chunk, but not its points.
   *
   * @param input name of the chunk's input
   * @param firstLine number of its first line
   * @param offset of its buffer in the input
   */
  public void merge(Points chunk, String input, long firstLine, long offset) throws InputException {
    leftOut.setPlain(leftOut.getPlain() + chunk.leftOutHere);
    for (RejectedRecord each : chunk.rejected) {
      rejects.add(input, firstLine, offset, each);
    }
  }

  /** Rejects of this chunk, which share its buffer; the list is the collector's own. */
  public List<RejectedRecord> rejectedHere() {
    return Collections.unmodifiableList(rejected);
  }

  /** Points of this chunk that the filters left out. */
  public long leftOutHere() {
    return leftOutHere;
  }
}
