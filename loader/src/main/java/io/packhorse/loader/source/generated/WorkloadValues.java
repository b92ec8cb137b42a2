package io.packhorse.loader.source.generated;

import org.jspecify.annotations.Nullable;

/**
 * Values of all series. A value is an integer, or one with some decimals: {@code mantissa /
 * 10^decimals}, which a double holds as exactly as its text says.
 *
 * @param kind how values go on
 * @param min least mantissa
 * @param max greatest mantissa, {@code min} or more; ignored by counters
 * @param step 1 or more
 * @param hold points of a level, 1 or more
 * @param decimals 0 to 6
 * @param outliers values of another kind; null for none
 */
public record WorkloadValues(
    ValueKind kind,
    long min,
    long max,
    long step,
    long hold,
    int decimals,
    @Nullable Outliers outliers) {
  /**
   * Values that stand out.
   *
   * @param series one series in about so many has some
   * @param points one of about so many of its points
   * @param value their mantissa
   */
  public record Outliers(long series, long points, long value) {
    public Outliers {
      if (series < 1 || points < 1 || Math.abs(value) > MANTISSA_MAX) {
        throw new IllegalArgumentException(
            "values: outliers need series and points of 1 or more, and a value up to 2^50");
      }
    }
  }

  private static final long MANTISSA_MAX = 1L << 50;
  private static final int DECIMALS_MAX = 6;

  /** Of SplitMix64. */
  private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

  private static final double[] TENS = {1, 10, 100, 1e3, 1e4, 1e5, 1e6};
  private static final long[] WHOLE = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};

  public WorkloadValues {
    if (min > max || min < -MANTISSA_MAX || max > MANTISSA_MAX) {
      throw new IllegalArgumentException(
          "values: min must be at most max, both of them from -2^50 to 2^50");
    }
    if (step < 1 || hold < 1 || step > MANTISSA_MAX >> 20 || hold > MANTISSA_MAX >> 30) {
      throw new IllegalArgumentException("values: step and hold must be 1 to 2^20");
    }
    if (decimals < 0 || decimals > DECIMALS_MAX) {
      throw new IllegalArgumentException("values: decimals must be 0 to " + DECIMALS_MAX);
    }
  }

  /** What the values of a series follow from, beside the time. */
  public static long key(long seed, WorkloadSeries of, int series) {
    long ofMetric = mix(seed + of.metricIndex(series) * GOLDEN);
    return mix(ofMetric + of.number(series) * GOLDEN);
  }

  /**
   * The value of a series at a time, without its decimal point.
   *
   * @param ofSeries the series' {@link #key}
   * @param tick number of the time since 1970, in intervals
   */
  public long mantissa(long ofSeries, long tick) {
    if (outliers != null
        && Math.floorMod(ofSeries, outliers.series()) == 0
        && Math.floorMod(mix(~ofSeries + tick), outliers.points()) == 0) {
      return outliers.value();
    }
    return switch (kind) {
      case CONSTANT -> min;
      case NOISE -> between(mix(ofSeries + tick));
      case GAUGE -> between(mix(ofSeries + Math.floorDiv(tick, hold)));
      case COUNTER -> Math.floorMod(tick, hold) * step + Math.floorMod(mix(ofSeries + tick), step);
      case WALK -> walk(ofSeries, tick);
    };
  }

  private long walk(long ofSeries, long tick) {
    long leg = Math.floorDiv(tick, hold);
    long from = between(mix(ofSeries + leg));
    long to = between(mix(ofSeries + leg + 1));
    long on = from + (long) ((double) (to - from) * Math.floorMod(tick, hold) / hold);
    long off = Math.floorMod(mix(ofSeries ^ tick), 2 * step + 1) - step;
    return Math.max(min, Math.min(max, on + off));
  }

  private long between(long random) {
    return min + Math.floorMod(random, max - min + 1);
  }

  /** As a double. */
  public double value(long mantissa) {
    return mantissa / TENS[decimals];
  }

  /** Appends it as text, {@code -0.05}. */
  public void append(StringBuilder out, long mantissa) {
    if (decimals == 0) {
      out.append(mantissa);
      return;
    }
    if (mantissa < 0) {
      out.append('-');
    }
    long one = WHOLE[decimals];
    long size = Math.abs(mantissa);
    long rest = size % one;
    out.append(size / one).append('.');
    for (long place = one / 10; place > Math.max(1, rest); place /= 10) {
      out.append('0');
    }
    out.append(rest);
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long value) {
    long z = value + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return z ^ (z >>> 31);
  }
}
