package io.packhorse.schema.packed;

import java.util.Arrays;

/**
 * One {@link PointAccumulator} for each interval of a query, as parallel arrays that the caller
 * reads directly. An empty bucket has count 0, sum 0 and NaN elsewhere. Reusable; for one thread.
 */
public final class PointBuckets {
  final long[] count;
  final long[] numbers;
  final double[] first;
  final double[] last;
  final double[] min;
  final double[] max;
  final double[] sum;

  /**
   * @param size number of buckets, 0 or more
   */
  public PointBuckets(int size) {
    count = new long[size];
    numbers = new long[size];
    first = new double[size];
    last = new double[size];
    min = new double[size];
    max = new double[size];
    sum = new double[size];
    reset();
  }

  /** Number of buckets. */
  public int size() {
    return count.length;
  }

  /** Empties all buckets. */
  public void reset() {
    Arrays.fill(count, 0);
    Arrays.fill(numbers, 0);
    Arrays.fill(sum, 0);
    for (double[] values : new double[][] {first, last, min, max}) {
      Arrays.fill(values, Double.NaN);
    }
  }

  /** Points of each bucket. The buckets' own array, as the ones below. */
  public long[] count() {
    return count;
  }

  /** Points of each bucket that are no NaN. */
  public long[] numbers() {
    return numbers;
  }

  /** Value of the first point of each bucket. */
  public double[] first() {
    return first;
  }

  /** Value of the last point of each bucket. */
  public double[] last() {
    return last;
  }

  /** Least number of each bucket. */
  public double[] min() {
    return min;
  }

  /** Greatest number of each bucket. */
  public double[] max() {
    return max;
  }

  /** Sum of the numbers of each bucket. */
  public double[] sum() {
    return sum;
  }
}
