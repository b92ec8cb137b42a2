package io.packhorse.schema.packed;

/**
 * What the header of a larger cell says of its points (format.md section 5), in the words of an
 * aggregation: values are taken in the order of time, as doubles unless all points are integers.
 *
 * <p>In a cell of integers first to sum are the integers themselves and the sum is exact. Otherwise
 * they are raw bits of doubles; the sum is {@code 0.0 + v + v ...} over the values that are no NaN,
 * each addition rounded; least and greatest are the first of equals, -0.0 equal to 0.0. Such a sum
 * equals what adding point by point gives only if that adding starts at 0.
 *
 * @param integers whether all points are integers
 * @param count number of points
 * @param numbers how many of them are no NaN, at least 1
 */
public record CellStatistics(
    boolean integers, int count, int numbers, long first, long last, long min, long max, long sum) {

  /** Every whole number of less magnitude is a double; one that is not rounds to no less. */
  static final double EXACT_END = 0x1p53;

  /**
   * Whether adding the points one by one as doubles, from any whole number of at most {@code start}
   * in magnitude, has no rounding: then the exact sum of integers is also the rounded one.
   */
  public boolean addsExactly(double start) {
    double largest = Math.max(Math.abs((double) min), Math.abs((double) max)) * count;
    return integers && largest + Math.abs(start) < EXACT_END;
  }

  /** The value of {@link #first}, {@link #last}, {@link #min}, {@link #max} or {@link #sum}. */
  public double asDouble(long bits) {
    return integers ? (double) bits : Double.longBitsToDouble(bits);
  }
}
