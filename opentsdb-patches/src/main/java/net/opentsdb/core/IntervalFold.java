package net.opentsdb.core;

import io.packhorse.schema.packed.CellStatistics;
import java.util.Arrays;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * One interval's value from runs of points, equal to the bit to what the function of {@link
 * Aggregators} makes of the same points one by one as doubles.
 *
 * <ul>
 *   <li>Sums of doubles are added one after the other in time order, as there.
 *   <li>Sums of integers are added as integers while the number of values times their maximum
 *       magnitude stays below 2^52: each partial sum is then an integer that a double holds, so
 *       that adding doubles gives the same; past that point the rest is added as doubles.
 *   <li>Minimum and maximum of integers are computed as integers: conversion to double keeps the
 *       order.
 *   <li>NaN is left out, except by first and last, and by diff as the last value.
 *   <li>For percentiles, deviations and other functions the values are kept until the interval
 *       ends, and given to the function itself.
 * </ul>
 *
 * <p>For one thread.
 */
@NullMarked
final class IntervalFold {
  /** What is computed; several of OpenTSDB's functions differ in interpolation alone. */
  enum Function {
    SUM,
    AVG,
    MIN,
    MAX,
    COUNT,
    FIRST,
    LAST,
    DIFF,

    /** A function that needs the values themselves. */
    VALUES
  }

  private static final double EXACT = 1L << 52;

  private final Function function;
  private final Values values;

  /** Values other than NaN. */
  private long n;

  /** All values, and the last of them. */
  private long seen;

  private double first;
  private double last;

  /** Whether {@link #longSum} holds the sum, else {@link #doubleSum} does. */
  private boolean inLongs;

  private long longSum;
  private long magnitude;
  private double doubleSum;
  private double extreme;

  IntervalFold(Function function) {
    this(function, Aggregators.NONE);
  }

  private IntervalFold(Function function, Aggregator aggregator) {
    this.function = function;
    this.values = new Values(aggregator);
    reset();
  }

  /** The fold of a downsampling function. */
  static IntervalFold by(Aggregator aggregator) {
    Function function = of(aggregator);
    return new IntervalFold(function == null ? Function.VALUES : function, aggregator);
  }

  /** The function for one of OpenTSDB's; null for those that need all values at once. */
  static @Nullable Function of(@Nullable Aggregator aggregator) {
    if (aggregator == Aggregators.SUM
        || aggregator == Aggregators.ZIMSUM
        || aggregator == Aggregators.PFSUM) {
      return Function.SUM;
    }
    if (aggregator == Aggregators.AVG) {
      return Function.AVG;
    }
    if (aggregator == Aggregators.MIN || aggregator == Aggregators.MIMMIN) {
      return Function.MIN;
    }
    if (aggregator == Aggregators.MAX || aggregator == Aggregators.MIMMAX) {
      return Function.MAX;
    }
    if (aggregator == Aggregators.COUNT) {
      return Function.COUNT;
    }
    if (aggregator == Aggregators.FIRST) {
      return Function.FIRST;
    }
    if (aggregator == Aggregators.LAST) {
      return Function.LAST;
    }
    return aggregator == Aggregators.DIFF ? Function.DIFF : null;
  }

  /** Forgets all values. */
  void reset() {
    n = 0;
    seen = 0;
    inLongs = true;
    longSum = 0;
    magnitude = 0;
    doubleSum = 0;
    values.count = 0;
    extreme = function == Function.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  /** Whether no value was added since the last reset. */
  boolean isEmpty() {
    return seen == 0;
  }

  /** Adds the points from one index (inclusive) to a greater one (exclusive). */
  void add(HourPoints hour, int from, int to) {
    boolean longs = hour.doubles() == 0;
    switch (function) {
      case SUM, AVG -> {
        if (longs) {
          sumLongs(hour, from, to);
        } else {
          sumDoubles(hour, from, to);
        }
      }
      case MIN -> extreme = longs ? min(hour.values(), from, to) : min(hour, from, to);
      case MAX -> extreme = longs ? max(hour.values(), from, to) : max(hour, from, to);
      case COUNT -> n += longs ? to - from : count(hour, from, to);
      case VALUES -> values.add(hour, from, to);
      default -> ends(hour, from, to);
    }
    seen += to - from;
  }

  /**
   * Adds all points of a cell by its statistics.
   *
   * @return false, and nothing is added, if the points themselves could give something else
   */
  boolean add(CellStatistics all) {
    switch (function) {
      case VALUES -> {
        return false;
      }
      case SUM, AVG -> {
        if (!addSum(all)) {
          return false;
        }
      }
      case MIN -> {
        double min = all.asDouble(all.min());
        extreme = min < extreme ? min : extreme;
      }
      case MAX -> {
        double max = all.asDouble(all.max());
        extreme = max > extreme ? max : extreme;
      }
      case COUNT -> n += all.numbers();
      default -> {
        if (!addEnds(all)) {
          return false;
        }
      }
    }
    seen += all.count();
    return true;
  }

  private boolean addSum(CellStatistics all) {
    if (!all.integers()) {
      // The sum of a cell of doubles was begun at zero.
      if (seen > 0) {
        return false;
      }
      leaveLongs();
      doubleSum = all.asDouble(all.sum());
    } else {
      long bits = magnitude(all);
      if (!inLongs || (n + all.count()) * ((bits | magnitude) + 1.0) >= EXACT) {
        return false;
      }
      magnitude |= bits;
      longSum += all.sum();
    }
    n += all.numbers();
    return true;
  }

  /**
   * Upper bound of the magnitude of a cell's integers: v ^ (v >> 63) of min and max, joined by or.
   */
  static long magnitude(CellStatistics all) {
    return (all.min() ^ (all.min() >> 63)) | (all.max() ^ (all.max() >> 63));
  }

  private boolean addEnds(CellStatistics all) {
    if (function == Function.DIFF) {
      if (all.numbers() < all.count()) {
        return false;
      }
      if (n == 0) {
        first = all.asDouble(all.first());
        n = seen + 1;
      }
    } else if (seen == 0) {
      first = all.asDouble(all.first());
    }
    last = all.asDouble(all.last());
    return true;
  }

  /** The interval's value. */
  double result() {
    return switch (function) {
      case SUM -> n == 0 ? Double.NaN : sum();
      case AVG -> n == 0 ? Double.NaN : sum() / n;
      case MIN -> extreme == Double.POSITIVE_INFINITY ? Double.NaN : extreme;
      case MAX -> extreme == Double.NEGATIVE_INFINITY ? Double.NaN : extreme;
      case COUNT -> n;
      case FIRST -> first;
      case LAST -> last;
      case DIFF -> n == 0 ? Double.NaN : seen > n ? last - first : 0.;
      case VALUES -> values.result();
    };
  }

  /** Bytes of the values that are kept. */
  int bytes() {
    return 8 * values.of.length;
  }

  private double sum() {
    return inLongs ? longSum : doubleSum;
  }

  private void sumLongs(HourPoints hour, int from, int to) {
    long[] values = hour.values();
    n += to - from;
    if (inLongs && n * ((hour.magnitude() | magnitude) + 1.0) < EXACT) {
      magnitude |= hour.magnitude();
      long sum = longSum;
      for (int i = from; i < to; i++) {
        sum += values[i];
      }
      longSum = sum;
      return;
    }
    leaveLongs();
    double all = doubleSum;
    for (int i = from; i < to; i++) {
      all += values[i];
    }
    doubleSum = all;
  }

  private void sumDoubles(HourPoints hour, int from, int to) {
    leaveLongs();
    double all = doubleSum;
    int numbers = 0;
    for (int i = from; i < to; i++) {
      double value = hour.toDouble(i);
      if (!Double.isNaN(value)) {
        all += value;
        numbers++;
      }
    }
    doubleSum = all;
    n += numbers;
  }

  private void leaveLongs() {
    if (inLongs) {
      inLongs = false;
      doubleSum = longSum;
    }
  }

  private double min(long[] values, int from, int to) {
    long min = values[from];
    for (int i = from + 1; i < to; i++) {
      min = Math.min(min, values[i]);
    }
    return min < extreme ? min : extreme;
  }

  private double min(HourPoints hour, int from, int to) {
    double min = extreme;
    for (int i = from; i < to; i++) {
      double value = hour.toDouble(i);
      if (value < min) {
        min = value;
      }
    }
    return min;
  }

  private double max(long[] values, int from, int to) {
    long max = values[from];
    for (int i = from + 1; i < to; i++) {
      max = Math.max(max, values[i]);
    }
    return max > extreme ? max : extreme;
  }

  private double max(HourPoints hour, int from, int to) {
    double max = extreme;
    for (int i = from; i < to; i++) {
      double value = hour.toDouble(i);
      if (value > max) {
        max = value;
      }
    }
    return max;
  }

  private static int count(HourPoints hour, int from, int to) {
    int numbers = 0;
    for (int i = from; i < to; i++) {
      numbers += Double.isNaN(hour.toDouble(i)) ? 0 : 1;
    }
    return numbers;
  }

  /** First, last and diff. For diff the first is a number and n counts values up to it. */
  private void ends(HourPoints hour, int from, int to) {
    if (function == Function.DIFF) {
      if (n == 0) {
        int at = from;
        while (at < to && Double.isNaN(hour.toDouble(at))) {
          at++;
        }
        if (at < to) {
          first = hour.toDouble(at);
          n = seen + at - from + 1;
        }
      }
    } else if (seen == 0) {
      first = hour.toDouble(from);
    }
    last = hour.toDouble(to - 1);
  }

  /** The values of an interval, read by the function once it has ended. */
  private static final class Values implements Aggregator.Doubles {
    private final Aggregator function;
    private double[] of = {};
    private int count;
    private int next;

    Values(Aggregator function) {
      this.function = function;
    }

    void add(HourPoints hour, int from, int to) {
      int needed = count + to - from;
      if (needed > of.length) {
        of = Arrays.copyOf(of, Math.max(needed, of.length + of.length / 2));
      }
      for (int i = from; i < to; i++) {
        of[count++] = hour.toDouble(i);
      }
    }

    double result() {
      next = 0;
      return function.runDouble(this);
    }

    @Override
    public boolean hasNextValue() {
      return next < count;
    }

    @Override
    public double nextDoubleValue() {
      return of[next++];
    }
  }
}
