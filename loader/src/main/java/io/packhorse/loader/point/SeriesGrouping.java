package io.packhorse.loader.point;

import java.util.Arrays;

/**
 * Brings the points of each series of a batch together, in their order, where a batch has many
 * short runs of few series: what follows costs less a run than a point. One thread.
 */
public final class SeriesGrouping {
  /** Runs that a series must have on average for the work to pay. */
  private static final int RUNS_MIN = 4;

  /** Points that a run may have on average for the work to pay. */
  private static final int RUN_POINTS_MAX = 16;

  /** Points a series, then the place of its next one; all 0 between calls. */
  private int[] counts = new int[128];

  /** Series in the order of their first run. */
  private int[] met = new int[128];

  /**
   * Groups a batch.
   *
   * @param into gets the points; what it held is forgotten
   * @return false if it would not pay, and {@code into} is as it was
   */
  public boolean group(PointBatch batch, PointBatch into) {
    if ((long) batch.runs() * RUN_POINTS_MAX < batch.points()) {
      return false;
    }
    int series = count(batch);
    boolean pays = (long) series * RUNS_MIN <= batch.runs();
    if (pays) {
      into.clear();
      into.ensureRoom(batch.points());
      for (int i = 0; i < series; i++) {
        int start = into.points();
        into.advance(met[i], counts[met[i]]);
        counts[met[i]] = start;
      }
      scatter(batch, into);
    }
    for (int i = 0; i < series; i++) {
      counts[met[i]] = 0;
    }
    return pays;
  }

  /** Counts the points of each series; the number of series. */
  private int count(PointBatch batch) {
    int series = 0;
    int start = 0;
    for (int run = 0; run < batch.runs(); run++) {
      int of = batch.series(run);
      if (of >= counts.length) {
        counts = Arrays.copyOf(counts, Math.max(of + 1, 2 * counts.length));
      }
      if (counts[of] == 0) {
        if (series == met.length) {
          met = Arrays.copyOf(met, 2 * series);
        }
        met[series++] = of;
      }
      int end = batch.end(run);
      counts[of] += end - start;
      start = end;
    }
    return series;
  }

  private void scatter(PointBatch batch, PointBatch into) {
    long[] timestampsMs = batch.timestampsMs();
    long[] bits = batch.bits();
    boolean[] isDouble = batch.isDouble();
    long[] toTimestampsMs = into.timestampsMs();
    long[] toBits = into.bits();
    boolean[] toIsDouble = into.isDouble();
    int i = 0;
    for (int run = 0; run < batch.runs(); run++) {
      int series = batch.series(run);
      int to = counts[series];
      for (int end = batch.end(run); i < end; i++, to++) {
        toTimestampsMs[to] = timestampsMs[i];
        toBits[to] = bits[i];
        toIsDouble[to] = isDouble[i];
      }
      counts[series] = to;
    }
  }
}
