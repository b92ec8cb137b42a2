package io.packhorse.schema.summary;

import io.packhorse.schema.packed.CellStatistics;
import org.jspecify.annotations.Nullable;

/** Joins the statistics of runs of points that follow each other. */
public final class Statistics {
  /** Larger integers may not be doubles. */
  private static final long EXACT_MAX = 1L << 53;

  private Statistics() {}

  /**
   * Statistics of the points of two runs together.
   *
   * @param earlier of points that all lie before those of the other
   * @return null if one of them is null, or if they cannot be joined: a sum of integers beyond 64
   *     bits, a sum that is NaN, more than 2^31 points, or doubles beside integers that may not be
   *     doubles
   */
  public static @Nullable CellStatistics join(
      @Nullable CellStatistics earlier, @Nullable CellStatistics later) {
    if (earlier == null || later == null) {
      return null;
    }
    long count = (long) earlier.count() + later.count();
    if (count > Integer.MAX_VALUE) {
      return null;
    }
    return earlier.integers() && later.integers()
        ? joinIntegers(earlier, later, (int) count)
        : joinDoubles(earlier, later, (int) count);
  }

  private static @Nullable CellStatistics joinIntegers(
      CellStatistics earlier, CellStatistics later, int count) {
    long sum = earlier.sum() + later.sum();
    if (((earlier.sum() ^ sum) & (later.sum() ^ sum)) < 0) {
      return null;
    }
    return new CellStatistics(
        true,
        count,
        count,
        earlier.first(),
        later.last(),
        Math.min(earlier.min(), later.min()),
        Math.max(earlier.max(), later.max()),
        sum);
  }

  private static @Nullable CellStatistics joinDoubles(
      CellStatistics earlier, CellStatistics later, int count) {
    if (!areDoubles(earlier) || !areDoubles(later)) {
      return null;
    }
    double sum = earlier.asDouble(earlier.sum()) + later.asDouble(later.sum());
    if (Double.isNaN(sum)) {
      return null;
    }
    double min = earlier.asDouble(earlier.min());
    double laterMin = later.asDouble(later.min());
    double max = earlier.asDouble(earlier.max());
    double laterMax = later.asDouble(later.max());
    return new CellStatistics(
        false,
        count,
        earlier.numbers() + later.numbers(),
        bits(earlier, earlier.first()),
        bits(later, later.last()),
        Double.doubleToRawLongBits(laterMin < min ? laterMin : min),
        Double.doubleToRawLongBits(laterMax > max ? laterMax : max),
        Double.doubleToRawLongBits(sum));
  }

  private static boolean areDoubles(CellStatistics of) {
    return !of.integers() || (of.min() >= -EXACT_MAX && of.max() <= EXACT_MAX);
  }

  private static long bits(CellStatistics of, long value) {
    return of.integers() ? Double.doubleToRawLongBits((double) value) : value;
  }
}
