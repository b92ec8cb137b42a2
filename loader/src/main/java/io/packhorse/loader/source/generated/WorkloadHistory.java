package io.packhorse.loader.source.generated;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.key.BaseTime;

/**
 * The history of a workload, or a part of it.
 *
 * @param of all series of the workload
 * @param values of them
 * @param seed of the values
 * @param intervalMs a divisor of one hour
 * @param startSeconds first point, epoch seconds, on a full hour
 * @param points of each series, at least 1
 * @param first series of this part
 * @param step from one series of this part to the next
 */
public record WorkloadHistory(
    WorkloadSeries of,
    WorkloadValues values,
    long seed,
    int intervalMs,
    long startSeconds,
    long points,
    int first,
    int step)
    implements GeneratedPoints {
  public WorkloadHistory {
    if (intervalMs < 1 || BaseTime.HOUR_MS % intervalMs != 0) {
      throw new IllegalArgumentException(
          "history needs an interval that divides the hour, not " + intervalMs + " ms");
    }
    if (points < 1 || startSeconds < 0 || startSeconds % BaseTime.HOUR_SECONDS != 0) {
      throw new IllegalArgumentException(
          "history must start on a full hour since 1970 and be an interval or longer");
    }
    if (startSeconds + points * intervalMs / 1000 > 0xffff_ffffL) {
      throw new IllegalArgumentException("history must end before 2106-02-07");
    }
    if (first < 0 || first >= of.count() || step < 1) {
      throw new IllegalArgumentException(
          "history needs a series for each part: series=" + of.count() + ", parts=" + step);
    }
  }

  /**
   * Every {@code count}-th series.
   *
   * @param number of the first one, from 1 on
   * @throws IllegalArgumentException if there are fewer series than {@code count}
   */
  public WorkloadHistory part(int number, int count) {
    return new WorkloadHistory(
        of, values, seed, intervalMs, startSeconds, points, number - 1, count);
  }

  @Override
  public int seriesCount() {
    return (of.count() - first - 1) / step + 1;
  }

  private int number(int series) {
    return first + series * step;
  }

  @Override
  public SeriesName seriesName(int series) {
    return of.name(number(series));
  }

  @Override
  public void fill(int series, int hour, PointBatch batch) {
    batch.clear();
    int count = pointsInHour(hour);
    long base = baseSeconds(hour) * 1000;
    long tick = base / intervalMs;
    long key = WorkloadValues.key(seed, of, number(series));
    long[] timestamps = batch.timestampsMs();
    long[] bits = batch.bits();
    boolean[] isDouble = batch.isDouble();
    boolean whole = values.decimals() == 0;
    for (int i = 0; i < count; i++) {
      long mantissa = values.mantissa(key, tick + i);
      timestamps[i] = base + (long) i * intervalMs;
      bits[i] = whole ? mantissa : Double.doubleToRawLongBits(values.value(mantissa));
      isDouble[i] = !whole;
    }
    batch.advance(series, count);
  }
}
