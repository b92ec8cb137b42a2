package io.packhorse.loader.source.text;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.Rejects.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a format makes of its records: points, kept if they are wanted, and rejects, each with its
 * place. Pieces of a text that are read beside each other have one of these each, and what they
 * hold is taken into a common one in their order.
 *
 * <p>One thread at a time; {@link #leftOut} is for any.
 */
public final class Points {
  private static final int BATCH_POINTS = 1 << 14;

  /** Instead of an index. */
  private static final int NOWHERE = -1;

  private final Rejects rejects;
  private final long fromMs;
  private final long toMs;
  private final AtomicLong leftOut = new AtomicLong();
  private final PointBatch batch;
  private final List<Rejected> rejected = new ArrayList<>();
  private byte[] buffer = {};
  private long line;
  private long plainLines;
  private long leftOutHere;

  /** A reject of this piece; the bytes are those of the piece, or a sentence. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Rejected(Reason reason, long line, int at, byte[] bytes, int from, int to) {}

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

  /** One for a piece of the text, under the same rules. */
  public Points ofPiece() {
    return new Points(rejects, fromMs, toMs, BATCH_POINTS);
  }

  /** Points that the user did not want: of other series or times. */
  public long leftOut() {
    return leftOut.get();
  }

  /**
   * Takes a point.
   *
   * @param series its number, or {@link SeriesReader#LEFT_OUT}
   * @param bits the integer, or the raw bits of the double
   */
  public void add(int series, long timestampMs, long bits, boolean isDouble) {
    if (series < 0 || timestampMs < fromMs || timestampMs >= toMs) {
      leftOutHere++;
      return;
    }
    batch.add(series, timestampMs, bits, isDouble);
  }

  /** Refuses the bytes {@code [from, to)} of the buffer being read. */
  public void reject(Reason reason, int from, int to) {
    rejected.add(new Rejected(reason, line, from, buffer, from, to));
  }

  /** Refuses what follows a place, with a sentence instead of the bytes. */
  void reject(Reason reason, int at, byte[] sentence) {
    rejected.add(new Rejected(reason, line, at, sentence, 0, sentence.length));
  }

  /** Refuses what stands in no text, with a sentence instead of the bytes. */
  public void reject(Reason reason, String sentence) {
    reject(reason, NOWHERE, sentence.getBytes(StandardCharsets.UTF_8));
  }

  /** What was refused. */
  public long rejected() {
    return rejects.total();
  }

  /** What was taken; its own. */
  public PointBatch batch() {
    return batch;
  }

  /** Says that a line was taken by {@link RecordFormat#readPlain}. */
  public void countPlainLine() {
    plainLines++;
  }

  /** Lines so counted in this piece. */
  long plainLines() {
    return plainLines;
  }

  /** Begins a piece, whose bytes stay as they are until it is taken. */
  public void begin(byte[] bytes) {
    buffer = bytes;
    batch.clear();
    rejected.clear();
    plainLines = 0;
    leftOutHere = 0;
  }

  /** Says on which line of the piece the next record stands, from 0. */
  public void at(long lineOfPiece) {
    line = lineOfPiece;
  }

  /**
   * Takes over what a piece holds but its points.
   *
   * @param input name of what the piece is of
   * @param firstLine number of its first line
   * @param offset of its buffer in the input
   */
  public void take(Points piece, String input, long firstLine, long offset) throws InputException {
    leftOut.setPlain(leftOut.getPlain() + piece.leftOutHere);
    for (Rejected each : piece.rejected) {
      rejects.add(
          input,
          firstLine + each.line,
          each.at < 0 ? NOWHERE : offset + each.at,
          each.reason,
          each.bytes,
          each.from,
          each.to);
    }
  }
}
