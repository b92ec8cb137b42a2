package io.packhorse.schema.packed;

import io.packhorse.schema.cell.PointBlock;
import org.jspecify.annotations.Nullable;

/**
 * Statistics in the header of a cell of many points (format.md section 5): what an aggregation over
 * the points in the order of time gives.
 *
 * <p>In a cell of integers, first to sum are integers and the sum is exact. Otherwise all values
 * count as doubles and first to sum are raw bits; the sum is {@code 0.0 + v + v ...} over the
 * values other than NaN, each addition rounded; of equal values, 0.0 and -0.0 included, the first
 * is min and max. Such a sum equals that of an aggregation point by point only if the latter starts
 * at 0.
 *
 * @param integers whether all points are integers
 * @param count number of points
 * @param numbers how many of them are not NaN, at least 1
 */
public record CellStatistics(
    boolean integers, int count, int numbers, long first, long last, long min, long max, long sum) {

  /** Fewest points of a cell that has its statistics in its header. */
  public static final int STORED_FROM_POINTS = PackedCellDescriptor.STATISTICS_FROM_POINTS;

  /**
   * The statistics of any number of points, which a header has from {@link #STORED_FROM_POINTS}
   * points on.
   *
   * @param block of one point or more; only read
   * @return null if they could differ from an aggregation over the points
   */
  public static @Nullable CellStatistics of(PointBlock block) {
    StatisticsCode code = new StatisticsCode();
    if (block.doubles() > 0) {
      return code.takeDoubles(block)
          ? code.statistics(PackedCellDescriptor.KIND_DOUBLES, block.count())
          : null;
    }
    long[] values = block.values();
    long min = values[0];
    long max = values[0];
    long sum = 0;
    for (int i = 0; i < block.count(); i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
      sum += values[i];
    }
    return code.takeLongs(values, block.count(), min, max, sum)
        ? code.statistics(PackedCellDescriptor.KIND_LONGS, block.count())
        : null;
  }

  /** {@link #first}, {@link #last}, {@link #min}, {@link #max} or {@link #sum} as a double. */
  public double asDouble(long bits) {
    return integers ? (double) bits : Double.longBitsToDouble(bits);
  }
}
