package io.packhorse.loader.point;

import java.util.Arrays;

/**
 * Groups the points of a batch by series, keeping their order, if the batch has many short runs of
 * few series: the steps after this cost time per run. One thread.
 */
public final class SeriesGrouping {
  /** Grouping pays if series have at least so many runs on average ... */
  private static final int RUNS_MIN = 4;

  /** ... and runs at most so many points on average. */
  private static final int RUN_POINTS_MAX = 16;

  /** Points a series, then the place of its next one; all 0 between calls. */
  private int[] counts = new int[128];

  /** Series in order of their first run. */
  private int[] seen = new int[128];

  /**
   * Groups a batch.
   *
   * @param into gets the points; what it held is forgotten
   * @return false if grouping would not pay; {@code into} is then unchanged
   */
  public boolean group(PointBatch batch, PointBatch into) {
    if (batch.runs() < RUNS_MIN || (long) batch.runs() * RUN_POINTS_MAX < batch.points()) {
      return false;
    }
    int series = count(batch);
    boolean pays = (long) series * RUNS_MIN <= batch.runs();
    if (pays) {
      into.clear();
      into.ensureRoom(batch.points());
      for (int i = 0; i < series; i++) {
        int start = into.points();
        into.advance(seen[i], counts[seen[i]]);
        counts[seen[i]] = start;
      }
      scatter(batch, into);
    }
    for (int i = 0; i < series; i++) {
      counts[seen[i]] = 0;
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
        if (series == seen.length) {
          seen = Arrays.copyOf(seen, 2 * series);
        }
        seen[series++] = of;
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
