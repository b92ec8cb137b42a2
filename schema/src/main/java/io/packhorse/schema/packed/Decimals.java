package io.packhorse.schema.packed;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Doubles as whole numbers over a power of ten: {@code q / 10^e} by one IEEE 754 division is the
 * double that the decimal literal itself reads as (format.md section 8).
 */
final class Decimals {
  /** Largest decimal exponent: 10^e must be exact as a double and leave room for digits. */
  static final int EXPONENT_MAX = 15;

  /** What {@link #mantissa} gives for a double that is no decimal of the exponent. */
  static final long NONE = Long.MIN_VALUE;

  /** Adding it to a double of magnitude below 2^51 rounds to an integer in the low bits. */
  private static final double ROUNDER = 0x1.8p52;

  /** A mantissa in range, added to these bits, leaves the upper twelve as they are. */
  static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

  /** Mantissas lie in [-2^51, 2^51). */
  static final long MANTISSA_END = 1L << 51;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  /** The doubles nearest to 10^-e. */
  private static final double[] INVERSES = new double[POWERS.length];

  /** What these leave of 10^-e, rounded. */
  private static final double[] INVERSE_RESTS = new double[POWERS.length];

  static {
    for (int i = 0; i < POWERS.length; i++) {
      INVERSES[i] = 1 / POWERS[i];
      INVERSE_RESTS[i] = Math.fma(-INVERSES[i], POWERS[i], 1) / POWERS[i];
    }
  }

  /** Whether the processor multiplies and adds in one step; without, that takes microseconds. */
  private static final boolean FUSED = isFused();

  private Decimals() {}

  private static boolean isFused() {
    try {
      HotSpotDiagnosticMXBean vm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return vm != null && Boolean.parseBoolean(vm.getVMOption("UseFMA").getValue());
    } catch (IllegalArgumentException | LinkageError e) {
      // No HotSpot, or none that has the choice.
      return false;
    }
  }

  static double power(int exponent) {
    return POWERS[exponent];
  }

  /**
   * The mantissa as a double: the conversion instruction waits for the one before it, this does
   * not.
   */
  static double asDouble(long mantissa) {
    return unrounded(mantissa + ROUNDER_BITS);
  }

  /** {@link #asDouble} of a mantissa to which {@link #ROUNDER_BITS} were added. */
  static double unrounded(long rounded) {
    return Double.longBitsToDouble(rounded) - ROUNDER;
  }

  /**
   * Whether mantissas are in range, {@link #ROUNDER_BITS} having been added to each.
   *
   * @param all the bits that all sums have
   * @param any the bits that any sum has
   */
  static boolean allInRange(long all, long any) {
    return all >>> 52 == ROUNDER_BITS >>> 52 && any >>> 52 == ROUNDER_BITS >>> 52;
  }

  /**
   * q / 10^e rounded once, as IEEE 754 divides, without its slow instruction.
   *
   * <p>The inverse and its rest are 10^-e but for 2^-105 of it; with the rest's rounded product the
   * sum is off by less than 2^-50 units in the last place before its only rounding. That rounds as
   * the true quotient does, which lies at least 1 / (2 * 5^15) > 2^-37 units from the middle
   * between two doubles: its distance from any fraction of 2 is a multiple of 1 / 5^e of that
   * fraction's step.
   */
  static double quotient(double mantissa, int exponent) {
    return FUSED
        ? Math.fma(mantissa, INVERSES[exponent], mantissa * INVERSE_RESTS[exponent])
        : mantissa / POWERS[exponent];
  }

  /** Raw bits of q / 10^e. */
  static long bits(long mantissa, int exponent) {
    return Double.doubleToRawLongBits(quotient(asDouble(mantissa), exponent));
  }

  /** Raw bits of the float nearest to q / 10^e, widened. */
  static long floatBits(long mantissa, int exponent) {
    return Double.doubleToRawLongBits((double) (float) quotient(asDouble(mantissa), exponent));
  }

  /** q nearest to the double times 10^e: meaningful if the caller finds it gives the bits back. */
  static long nearest(double value, double power) {
    double rounded = FUSED ? Math.fma(value, power, ROUNDER) : value * power + ROUNDER;
    return Double.doubleToRawLongBits(rounded) - ROUNDER_BITS;
  }

  /** Whether a mantissa is in range. */
  static boolean inRange(long mantissa) {
    return mantissa >= -MANTISSA_END && mantissa < MANTISSA_END;
  }

  /** q with q / 10^e bit-equal to the double of these bits, or {@link #NONE}. */
  static long mantissa(long bits, int exponent) {
    double value = Double.longBitsToDouble(bits);
    double power = POWERS[exponent];
    long mantissa = nearest(value, power);
    return inRange(mantissa) && bits(mantissa, exponent) == bits ? mantissa : NONE;
  }

  /** As {@link #mantissa} for a float given as its widening. */
  static long floatMantissa(long bits, int exponent) {
    double value = Double.longBitsToDouble(bits);
    double power = POWERS[exponent];
    long mantissa = nearest(value, power);
    return inRange(mantissa) && floatBits(mantissa, exponent) == bits ? mantissa : NONE;
  }

  /** Least exponent at which all four are decimals, or -1. */
  static int exponentOf(long a, long b, long c, long d) {
    for (int exponent = 0; exponent <= EXPONENT_MAX; exponent++) {
      if (mantissa(a, exponent) != NONE
          && mantissa(b, exponent) != NONE
          && mantissa(c, exponent) != NONE
          && mantissa(d, exponent) != NONE) {
        return exponent;
      }
    }
    return -1;
  }
}
