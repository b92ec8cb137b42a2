package net.opentsdb.core;

import java.util.Arrays;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The values of one hour, aggregated over series that have points at the same times: to the bit
 * what the functions of {@link Aggregators} make of each time's values in the order of the series.
 *
 * <p>For one thread.
 */
@NullMarked
final class AlignedHour {
  private final IntervalFold.Function function;

  private long baseMs;
  private int count;
  private int series;
  private boolean inDoubles;
  private int[] offsets = {};
  private long[] longs = {};
  private double[] doubles = {};

  /** Number of values other than NaN at each time; only in hours of doubles. */
  private int[] numbers = {};

  /** The selected point, copied so that it stays when the next hour is loaded. */
  private long timestamp;

  private boolean isDouble;
  private long longValue;
  private double doubleValue;

  private AlignedHour(IntervalFold.Function function) {
    this.function = function;
  }

  /** For a function and a number of series; null if the function needs all values at once. */
  static @Nullable AlignedHour of(Aggregator aggregator, int series) {
    IntervalFold.Function function = IntervalFold.of(aggregator);
    if (function != null && function != IntervalFold.Function.DIFF) {
      return new AlignedHour(function);
    }
    boolean keepsOne = aggregator == Aggregators.NONE || aggregator == Aggregators.MULTIPLY;
    return series == 1 && keepsOne ? new AlignedHour(IntervalFold.Function.FIRST) : null;
  }

  /** Begins an hour, whose values are doubles or integers. */
  void clear(boolean asDoubles) {
    series = 0;
    count = 0;
    inDoubles = asDoubles;
  }

  /**
   * Adds a series' row of the hour.
   *
   * @param startMs time in milliseconds of the first point to take
   * @param endMs of the last
   * @return false if the row has no point in the range, other times or another kind of values
   */
  boolean add(iRowSeq row, long startMs, long endMs) {
    HourPoints hour = HourPoints.ofThread();
    hour.read(row);
    int ofDoubles = hour.doubles();
    int from = hour.from(startMs);
    int to = hour.from(endMs + 1);
    if (from >= to || (ofDoubles != 0 && (ofDoubles != hour.count() || !inDoubles))) {
      return false;
    }
    if (series == 0) {
      begin(hour, from, to);
    } else if (!Arrays.equals(hour.offsets(), from, to, offsets, 0, count)) {
      return false;
    }
    if (!inDoubles) {
      addLongs(hour.values(), from);
    } else if (ofDoubles > 0) {
      addDoubles(hour.values(), from);
    } else {
      addAsDoubles(hour.values(), from);
    }
    series++;
    return true;
  }

  private void begin(HourPoints hour, int from, int to) {
    baseMs = hour.baseMs();
    count = to - from;
    if (offsets.length < count) {
      offsets = new int[count];
      longs = new long[count];
      doubles = new double[count];
      numbers = new int[count];
    }
    System.arraycopy(hour.offsets(), from, offsets, 0, count);
    if (inDoubles) {
      double initial =
          switch (function) {
            case MIN -> Double.POSITIVE_INFINITY;
            case MAX -> Double.NEGATIVE_INFINITY;
            default -> 0.;
          };
      Arrays.fill(doubles, 0, count, initial);
      Arrays.fill(numbers, 0, count, 0);
    } else {
      long initial =
          switch (function) {
            case MIN -> Long.MAX_VALUE;
            case MAX -> Long.MIN_VALUE;
            default -> 0;
          };
      Arrays.fill(longs, 0, count, initial);
    }
  }

  private void addLongs(long[] values, int from) {
    switch (function) {
      case SUM, AVG -> {
        for (int i = 0; i < count; i++) {
          longs[i] += values[from + i];
        }
      }
      case MIN -> {
        for (int i = 0; i < count; i++) {
          longs[i] = Math.min(longs[i], values[from + i]);
        }
      }
      case MAX -> {
        for (int i = 0; i < count; i++) {
          longs[i] = Math.max(longs[i], values[from + i]);
        }
      }
      case COUNT -> {
        // Each series has a value at each time.
      }
      default -> {
        if (series == 0 || function == IntervalFold.Function.LAST) {
          System.arraycopy(values, from, longs, 0, count);
        }
      }
    }
  }

  private void addDoubles(long[] bits, int from) {
    for (int i = 0; i < count; i++) {
      add(i, Double.longBitsToDouble(bits[from + i]));
    }
  }

  private void addAsDoubles(long[] values, int from) {
    for (int i = 0; i < count; i++) {
      add(i, (double) values[from + i]);
    }
  }

  private void add(int i, double value) {
    switch (function) {
      case SUM, AVG, COUNT -> {
        if (!Double.isNaN(value)) {
          doubles[i] += value;
          numbers[i]++;
        }
      }
      case MIN -> {
        if (value < doubles[i]) {
          doubles[i] = value;
        }
      }
      case MAX -> {
        if (value > doubles[i]) {
          doubles[i] = value;
        }
      }
      default -> {
        if (series == 0 || function == IntervalFold.Function.LAST) {
          doubles[i] = value;
        }
      }
    }
  }

  /** Ends the hour: its values can be moved to. */
  void finish() {
    if (inDoubles) {
      finishDoubles();
    } else if (function == IntervalFold.Function.COUNT) {
      Arrays.fill(longs, 0, count, series);
    } else if (function == IntervalFold.Function.AVG) {
      for (int i = 0; i < count; i++) {
        longs[i] /= series;
      }
    }
  }

  private void finishDoubles() {
    for (int i = 0; i < count; i++) {
      doubles[i] =
          switch (function) {
            case SUM -> numbers[i] == 0 ? Double.NaN : doubles[i];
            case AVG -> numbers[i] == 0 ? Double.NaN : doubles[i] / numbers[i];
            case COUNT -> numbers[i];
            case MIN -> doubles[i] == Double.POSITIVE_INFINITY ? Double.NaN : doubles[i];
            case MAX -> doubles[i] == Double.NEGATIVE_INFINITY ? Double.NaN : doubles[i];
            default -> doubles[i];
          };
    }
  }

  /** Times in the hour. */
  int count() {
    return count;
  }

  /** The hour's time at an index, in milliseconds since the epoch. */
  long timeOf(int i) {
    return baseMs + offsets[i];
  }

  /** Selects the hour's point at an index: the methods below return its time and value. */
  void moveTo(int i) {
    timestamp = timeOf(i);
    isDouble = inDoubles;
    if (isDouble) {
      doubleValue = doubles[i];
    } else {
      longValue = longs[i];
    }
  }

  long timestamp() {
    return timestamp;
  }

  boolean isDouble() {
    return isDouble;
  }

  long longValue() {
    return longValue;
  }

  double doubleValue() {
    return doubleValue;
  }
}
