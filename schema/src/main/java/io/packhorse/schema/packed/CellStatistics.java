package io.packhorse.schema.packed;

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

  /** {@link #first}, {@link #last}, {@link #min}, {@link #max} or {@link #sum} as a double. */
  public double asDouble(long bits) {
    return integers ? (double) bits : Double.longBitsToDouble(bits);
  }
}
