package io.packhorse.loader.point;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The times of the last point of each series and of the first point of all. One thread. */
public final class LastTimes {
  /** Where there are no points. */
  public static final long NONE = -1;

  private long[] lastMs = {};
  private long firstMs = NONE;
  private int size;

  /**
   * Reads what {@link #toBytes} gave.
   *
   * @param sizeMax of the series, the first so many count
   */
  public static LastTimes of(byte[] bytes, int sizeMax) {
    LastTimes times = new LastTimes();
    ByteBuffer from = ByteBuffer.wrap(bytes);
    if (from.remaining() >= Long.BYTES) {
      times.firstMs = from.getLong();
    }
    for (int series = 0; series < sizeMax && from.remaining() >= Long.BYTES; series++) {
      times.take(series, from.getLong());
    }
    return times;
  }

  /** Takes the points of a batch; the batch is only read. */
  public void take(PointBatch batch) {
    long[] timestampsMs = batch.timestampsMs();
    for (int run = 0; run < batch.runs(); run++) {
      long last = NONE;
      for (int i = batch.start(run); i < batch.end(run); i++) {
        last = Math.max(last, timestampsMs[i]);
        takeFirst(timestampsMs[i]);
      }
      take(batch.series(run), last);
    }
  }

  /**
   * Takes a point.
   *
   * @param timestampMs since 1970
   */
  public void take(int series, long timestampMs) {
    if (series >= lastMs.length) {
      int known = lastMs.length;
      lastMs = Arrays.copyOf(lastMs, Math.max(series + 1, 2 * known));
      Arrays.fill(lastMs, known, lastMs.length, NONE);
    }
    size = Math.max(size, series + 1);
    lastMs[series] = Math.max(lastMs[series], timestampMs);
    takeFirst(timestampMs);
  }

  private void takeFirst(long timestampMs) {
    if (timestampMs != NONE && (firstMs == NONE || timestampMs < firstMs)) {
      firstMs = timestampMs;
    }
  }

  /** Time of the first point of all series, milliseconds since 1970, or {@link #NONE}. */
  public long firstOfAll() {
    return firstMs;
  }

  /** Time of the last point of all series, milliseconds since 1970, or {@link #NONE}. */
  public long lastOfAll() {
    return Arrays.stream(lastMs, 0, size).max().orElse(NONE);
  }

  /** Milliseconds since 1970, or {@link #NONE}. */
  public long ofSeries(int series) {
    return series < size ? lastMs[series] : NONE;
  }

  /** All of them, 8 bytes for the first of all and for each series; a new array. */
  public byte[] toBytes() {
    ByteBuffer into = ByteBuffer.allocate((1 + size) * Long.BYTES);
    into.asLongBuffer().put(firstMs).put(lastMs, 0, size);
    return into.array();
  }
}
