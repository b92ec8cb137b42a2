package io.packhorse.schema.packed;

import io.packhorse.schema.cell.PointBlock;

/**
 * Count, first, last, least, greatest and sum of points given in the order of time, as OpenTSDB
 * takes them: all values as doubles; NaN counts as a point but not as a number; the sum is {@code
 * 0.0 + v + v ...}, each addition rounded; of equal values (0.0 and -0.0 are) the first stays least
 * and greatest. Without a number, least and greatest are NaN and the sum is 0.
 *
 * <p>Reusable; for one thread.
 */
public final class PointAccumulator {
  private long count;
  private long numbers;
  private double first = Double.NaN;
  private double last = Double.NaN;
  private double min = Double.NaN;
  private double max = Double.NaN;
  private double sum;

  /** Forgets all points. */
  public void reset() {
    count = 0;
    numbers = 0;
    first = Double.NaN;
    last = Double.NaN;
    min = Double.NaN;
    max = Double.NaN;
    sum = 0;
  }

  /** Points added. */
  public long count() {
    return count;
  }

  /** Points added that are no NaN. */
  public long numbers() {
    return numbers;
  }

  /** Value of the first point, NaN without one. */
  public double first() {
    return first;
  }

  /** Value of the last point, NaN without one. */
  public double last() {
    return last;
  }

  /** Least number, NaN without one. */
  public double min() {
    return min;
  }

  /** Greatest number, NaN without one. */
  public double max() {
    return max;
  }

  /** Sum of the numbers, 0 without one. */
  public double sum() {
    return sum;
  }

  /** Adds a point that is later than those before. */
  public void add(double value) {
    first = count == 0 ? value : first;
    last = value;
    count++;
    if (!Double.isNaN(value)) {
      min = numbers == 0 || value < min ? value : min;
      max = numbers == 0 || value > max ? value : max;
      sum += value;
      numbers++;
    }
  }

  /**
   * Adds all points of a cell by its statistics.
   *
   * @return false, and nothing is added, if adding them one by one could give another sum
   */
  public boolean add(CellStatistics all) {
    if (all.integers() ? !all.addsExactly(sum) || sum != Math.rint(sum) : numbers != 0) {
      return false;
    }
    double low = all.asDouble(all.min());
    double high = all.asDouble(all.max());
    first = count == 0 ? all.asDouble(all.first()) : first;
    last = all.asDouble(all.last());
    min = numbers == 0 || low < min ? low : min;
    max = numbers == 0 || high > max ? high : max;
    sum += all.asDouble(all.sum());
    count += all.count();
    numbers += all.numbers();
    return true;
  }

  /** Adds the block's points with index in {@code [from, to)}. */
  void add(PointBlock block, int from, int to) {
    if (from >= to) {
      return;
    }
    long[] values = block.values();
    if (block.doubles() == 0) {
      addLongs(values, from, to);
    } else if (block.doubles() == block.count()) {
      addDoubles(values, from, to);
    } else {
      boolean[] isDouble = block.isDouble();
      for (int i = from; i < to; i++) {
        add(isDouble[i] ? Double.longBitsToDouble(values[i]) : (double) values[i]);
      }
    }
  }

  private void addLongs(long[] values, int from, int to) {
    long total = 0;
    long wide = 0;
    for (int i = from; i < to; i++) {
      long value = values[i];
      total += value;
      wide |= value ^ (int) value;
    }
    long low = values[from];
    long high = low;
    if (wide == 0) {
      // Least and greatest of ints take no branch, which in a short bucket would often go wrong.
      int lowInt = (int) low;
      int highInt = lowInt;
      for (int i = from; i < to; i++) {
        lowInt = Math.min(lowInt, (int) values[i]);
        highInt = Math.max(highInt, (int) values[i]);
      }
      low = lowInt;
      high = highInt;
    } else {
      for (int i = from; i < to; i++) {
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    }
    // What no order of adding the values exceeds.
    double largest = Math.max(Math.abs((double) low), Math.abs((double) high)) * (to - from);
    if (sum != Math.rint(sum) || largest + Math.abs(sum) >= CellStatistics.EXACT_END) {
      for (int i = from; i < to; i++) {
        add((double) values[i]);
      }
      return;
    }
    first = count == 0 ? (double) values[from] : first;
    last = (double) values[to - 1];
    min = numbers == 0 || low < min ? (double) low : min;
    max = numbers == 0 || high > max ? (double) high : max;
    sum += (double) total;
    count += to - from;
    numbers += to - from;
  }

  private void addDoubles(long[] values, int from, int to) {
    first = count == 0 ? Double.longBitsToDouble(values[from]) : first;
    last = Double.longBitsToDouble(values[to - 1]);
    count += to - from;
    int i = from;
    for (; i < to && numbers == 0; i++) {
      double value = Double.longBitsToDouble(values[i]);
      if (!Double.isNaN(value)) {
        min = value;
        max = value;
        sum += value;
        numbers = 1;
      }
    }
    double low = min;
    double high = max;
    double total = sum;
    int seen = 0;
    for (; i < to; i++) {
      double value = Double.longBitsToDouble(values[i]);
      if (!Double.isNaN(value)) {
        low = value < low ? value : low;
        high = value > high ? value : high;
        total += value;
        seen++;
      }
    }
    min = low;
    max = high;
    sum = total;
    numbers += seen;
  }

  /** Takes over what a bucket holds. */
  void load(PointBuckets from, int bucket) {
    count = from.count[bucket];
    numbers = from.numbers[bucket];
    first = from.first[bucket];
    last = from.last[bucket];
    min = from.min[bucket];
    max = from.max[bucket];
    sum = from.sum[bucket];
  }

  /** Puts into a bucket what this holds. */
  void store(PointBuckets to, int bucket) {
    to.count[bucket] = count;
    to.numbers[bucket] = numbers;
    to.first[bucket] = first;
    to.last[bucket] = last;
    to.min[bucket] = min;
    to.max[bucket] = max;
    to.sum[bucket] = sum;
  }
}
