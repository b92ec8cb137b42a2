package net.opentsdb.core;

import io.packhorse.schema.packed.CellStatistics;
import java.util.Arrays;
import java.util.BitSet;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The intervals of one series, filled in any order by hours, days and months that each lie in one
 * interval: from summaries, and from rows where these do not answer. Values equal those of {@link
 * IntervalFold} but for the last digits of sums of doubles, which are added in another order.
 *
 * <p>For one thread at a time.
 */
@NullMarked
final class SummaryBuckets {
  private static final int OBJECT_BYTES = 400;

  private final IntervalFold.Function function;
  private final SummaryIntervals intervals;
  private final int buckets;

  private final BitSet filled = new BitSet();
  private long points;
  private long firstMs = Long.MAX_VALUE;
  private long lastMs = Long.MIN_VALUE;

  /** Values other than NaN; for sum, avg and count. */
  private int[] numbers = {};

  private long[] longSums = {};

  /** Minimum, maximum, or sums of doubles. */
  private double[] values = {};

  /** For first, last and diff: first and last values and their times. */
  private double[] firsts = {};

  private double[] lasts = {};
  private long[] firstTimes = {};
  private long[] lastTimes = {};

  SummaryBuckets(IntervalFold.Function function, SummaryIntervals intervals) {
    this.function = function;
    this.intervals = intervals;
    this.buckets = intervals.count();
  }

  /** An estimate of the bytes that it keeps. */
  long bytes() {
    return OBJECT_BYTES
        + 4L * numbers.length
        + 8L * (longSums.length + values.length + firsts.length + lasts.length)
        + 8L * (firstTimes.length + lastTimes.length);
  }

  /** Whether nothing was added. */
  boolean isEmpty() {
    return points == 0;
  }

  /** Whether statistics are enough to add a run of points. */
  boolean takes(CellStatistics all) {
    // Of a run with NaN they do not say which number is the first.
    return function != IntervalFold.Function.DIFF || all.numbers() == all.count();
  }

  /**
   * Adds a run of points that {@link #takes takes} statistics of; all lie in one interval.
   *
   * @param first time of the first point, in milliseconds since the epoch
   * @param last time of the last one
   */
  void add(CellStatistics all, long first, long last) {
    int at = at(first, all.count(), last);
    switch (function) {
      case SUM, AVG -> {
        if (all.integers()) {
          addLong(at, all.sum());
        } else {
          addDouble(at, all.asDouble(all.sum()));
        }
        addNumbers(at, all.numbers());
      }
      case MIN -> min(at, all.asDouble(all.min()));
      case MAX -> max(at, all.asDouble(all.max()));
      case COUNT -> addNumbers(at, all.numbers());
      default -> ends(at, all.asDouble(all.first()), first, all.asDouble(all.last()), last);
    }
    filled.set(at);
  }

  /** Adds the points of an hour from one index (inclusive) to a greater one (exclusive). */
  void add(HourPoints hour, int from, int to) {
    long first = hour.baseMs() + hour.offsets()[from];
    long last = hour.baseMs() + hour.offsets()[to - 1];
    int at = at(first, to - from, last);
    switch (function) {
      case SUM, AVG -> {
        addSum(at, hour, from, to);
        addNumbers(at, numbers(hour, from, to));
      }
      case COUNT -> addNumbers(at, numbers(hour, from, to));
      case MIN, MAX -> {
        for (int i = from; i < to; i++) {
          double value = hour.toDouble(i);
          if (!Double.isNaN(value)) {
            if (function == IntervalFold.Function.MIN) {
              min(at, value);
            } else {
              max(at, value);
            }
          }
        }
      }
      case DIFF -> {
        int number = from;
        while (number < to - 1 && Double.isNaN(hour.toDouble(number))) {
          number++;
        }
        long numberMs = hour.baseMs() + hour.offsets()[number];
        ends(at, hour.toDouble(number), numberMs, hour.toDouble(to - 1), last);
      }
      default -> ends(at, hour.toDouble(from), first, hour.toDouble(to - 1), last);
    }
    filled.set(at);
  }

  private int at(long first, int count, long last) {
    points += count;
    firstMs = Math.min(firstMs, first);
    lastMs = Math.max(lastMs, last);
    return intervals.indexOf(first);
  }

  private void addSum(int at, HourPoints hour, int from, int to) {
    boolean[] isDouble = hour.isDouble();
    long[] all = hour.values();
    double sum = 0;
    boolean doubles = false;
    for (int i = from; i < to; i++) {
      if (hour.doubles() == 0 || !isDouble[i]) {
        addLong(at, all[i]);
      } else if (!Double.isNaN(Double.longBitsToDouble(all[i]))) {
        sum += Double.longBitsToDouble(all[i]);
        doubles = true;
      }
    }
    if (doubles) {
      addDouble(at, sum);
    }
  }

  private static int numbers(HourPoints hour, int from, int to) {
    int numbers = to - from;
    for (int i = from; hour.doubles() > 0 && i < to; i++) {
      numbers -= Double.isNaN(hour.toDouble(i)) ? 1 : 0;
    }
    return numbers;
  }

  private void addNumbers(int at, int more) {
    if (numbers.length == 0) {
      numbers = new int[buckets];
    }
    numbers[at] += more;
  }

  /** Adds to the sum of integers; if that overflows 64 bits, it is moved to the sum of doubles. */
  private void addLong(int at, long value) {
    if (longSums.length == 0) {
      longSums = new long[buckets];
    }
    long sum = longSums[at] + value;
    if (((longSums[at] ^ sum) & (value ^ sum)) < 0) {
      addDouble(at, (double) longSums[at]);
      sum = value;
    }
    longSums[at] = sum;
  }

  private void addDouble(int at, double value) {
    if (values.length == 0) {
      values = new double[buckets];
    }
    values[at] += value;
  }

  private void min(int at, double value) {
    extremes(Double.POSITIVE_INFINITY);
    values[at] = value < values[at] ? value : values[at];
  }

  private void max(int at, double value) {
    extremes(Double.NEGATIVE_INFINITY);
    values[at] = value > values[at] ? value : values[at];
  }

  private void extremes(double none) {
    if (values.length == 0) {
      values = new double[buckets];
      Arrays.fill(values, none);
    }
  }

  /** For diff, a first value that is NaN counts only while there is no number. */
  private void ends(int at, double first, long timeOfFirst, double last, long timeOfLast) {
    if (firsts.length == 0) {
      firsts = new double[buckets];
      lasts = new double[buckets];
      firstTimes = new long[buckets];
      lastTimes = new long[buckets];
    }
    boolean number = function != IntervalFold.Function.DIFF || !Double.isNaN(first);
    boolean empty = !filled.get(at);
    boolean hadNumber =
        !empty && (function != IntervalFold.Function.DIFF || !Double.isNaN(firsts[at]));
    if (empty || (number && (!hadNumber || timeOfFirst < firstTimes[at]))) {
      firsts[at] = first;
      firstTimes[at] = timeOfFirst;
    }
    if (empty || timeOfLast > lastTimes[at]) {
      lasts[at] = last;
      lastTimes[at] = timeOfLast;
    }
  }

  private double result(int at) {
    return switch (function) {
      case SUM -> numbers[at] == 0 ? Double.NaN : sum(at);
      case AVG -> numbers[at] == 0 ? Double.NaN : sum(at) / numbers[at];
      case MIN ->
          values.length == 0 || values[at] == Double.POSITIVE_INFINITY ? Double.NaN : values[at];
      case MAX ->
          values.length == 0 || values[at] == Double.NEGATIVE_INFINITY ? Double.NaN : values[at];
      case COUNT -> numbers[at];
      case FIRST -> firsts[at];
      case LAST -> lasts[at];
      case DIFF ->
          Double.isNaN(firsts[at])
              ? Double.NaN
              : lastTimes[at] > firstTimes[at] ? lasts[at] - firsts[at] : 0.;
      case VALUES -> throw new IllegalStateException("summaries hold no values");
    };
  }

  private double sum(int at) {
    double longs = longSums.length == 0 ? 0 : longSums[at];
    return values.length == 0 ? longs : longs + values[at];
  }

  /**
   * The row that carries the intervals to the Span; null if nothing was added.
   *
   * @param key of the series' first row
   */
  @Nullable KeyValue toRow(byte[] key) {
    if (isEmpty()) {
      return null;
    }
    IntervalBuckets queue = new IntervalBuckets(intervals.divisorMs(), new IntervalFold(function));
    for (int at = filled.nextSetBit(0); at >= 0; at = filled.nextSetBit(at + 1)) {
      queue.add(intervals.startMs(at), result(at));
    }
    return ReducedSeriesSeq.pack(key, points, firstMs, lastMs, intervals.divisorMs(), queue);
  }
}
