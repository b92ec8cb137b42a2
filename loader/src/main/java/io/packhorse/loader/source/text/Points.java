package io.packhorse.loader.source.text;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.Rejects.Reason;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a format makes of its records: points, kept if they are wanted, and rejects, each with its
 * place. One thread; {@link #leftOut} is for any.
 */
public final class Points {
  private final Rejects rejects;
  private final long fromMs;
  private final long toMs;
  private final PointBatch batch = new PointBatch(1 << 14);
  private final AtomicLong leftOut = new AtomicLong();
  private String input = "";
  private long line;
  private long bufferOffset;
  private byte[] buffer = {};

  /**
   * @param rules say which times are wanted
   * @param rejects the caller closes it
   */
  public Points(SeriesRules rules, Rejects rejects) {
    this.fromMs = rules.fromMs();
    this.toMs = rules.toMs();
    this.rejects = rejects;
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
      leftOut.setPlain(leftOut.getPlain() + 1);
      return;
    }
    batch.add(series, timestampMs, bits, isDouble);
  }

  /** Refuses the bytes {@code [from, to)} of the buffer being read. */
  public void reject(Reason reason, int from, int to) throws InputException {
    rejects.add(input, line, bufferOffset + from, reason, buffer, from, to);
  }

  /** Refuses what follows a place, with a sentence instead of the bytes. */
  void reject(Reason reason, int at, byte[] sentence) throws InputException {
    rejects.add(input, line, bufferOffset + at, reason, sentence, 0, sentence.length);
  }

  /** What was refused. */
  public long rejected() {
    return rejects.total();
  }

  PointBatch batch() {
    return batch;
  }

  /** Says which input and buffer the next records stand in. */
  void in(String name, byte[] bytes) {
    input = name;
    buffer = bytes;
  }

  /** Says where the next record stands. */
  void at(long lineNumber, long offsetOfBuffer) {
    line = lineNumber;
    bufferOffset = offsetOfBuffer;
  }
}
