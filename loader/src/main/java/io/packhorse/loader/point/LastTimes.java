package io.packhorse.loader.point;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.stream.IntStream;

/** The times of the last point of each series and of the first point of all. One thread. */
public final class LastTimes {
  /** Where there are no points. */
  public static final long NONE = -1;

  /** Series before it have a point at {@link #ofEachMs} and none later, but for what is below. */
  private int each;

  private long ofEachMs = NONE;
  private final LongBlocks lastMs = new LongBlocks(NONE);
  private long firstMs = NONE;
  private int size;

  /**
   * Reads what {@link #write} wrote.
   *
   * @param sizeMax of the series, the first so many count
   */
  public static LastTimes read(InputStream from, int sizeMax) throws IOException {
    LastTimes times = new LastTimes();
    DataInputStream in = new DataInputStream(new BufferedInputStream(from));
    try {
      times.firstMs = in.readLong();
      for (int series = 0; series < sizeMax; series++) {
        times.take(series, in.readLong());
      }
    } catch (EOFException e) {
      // Fewer series had points when it was written.
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
    size = Math.max(size, series + 1);
    if (timestampMs > lastMs.get(series)) {
      lastMs.set(series, timestampMs);
    }
    takeFirst(timestampMs);
  }

  /**
   * Takes two points of each series, for which no memory is needed.
   *
   * @param series number of series; their ids are from 0
   * @param firstOfEachMs since 1970
   * @param lastOfEachMs since 1970, that or later
   */
  public void takeEach(int series, long firstOfEachMs, long lastOfEachMs) {
    each = series;
    ofEachMs = lastOfEachMs;
    size = Math.max(size, series);
    takeFirst(firstOfEachMs);
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
    return IntStream.range(0, size).mapToLong(this::ofSeries).max().orElse(NONE);
  }

  /** Milliseconds since 1970, or {@link #NONE}. */
  public long ofSeries(int series) {
    return Math.max(series < each ? ofEachMs : NONE, lastMs.get(series));
  }

  /** Writes all of them, 8 bytes for the first of all and for each series. */
  public void write(OutputStream to) throws IOException {
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to));
    out.writeLong(firstMs);
    for (int series = 0; series < size; series++) {
      out.writeLong(ofSeries(series));
    }
    out.flush();
  }
}
