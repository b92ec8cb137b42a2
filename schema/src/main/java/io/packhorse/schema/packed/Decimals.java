package io.packhorse.schema.packed;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Doubles as integers divided by a power of ten: {@code q / 10^e}, by one IEEE 754 division, is the
 * double that the decimal literal is parsed to (format.md section 8).
 */
final class Decimals {
  /** Largest decimal exponent: 10^e must be exact as a double and leave room for digits. */
  static final int EXPONENT_MAX = 15;

  /** Result of {@link #mantissa} for a double that is not a decimal of the exponent. */
  static final long NONE = Long.MIN_VALUE;

  /** Added to a double of magnitude below 2^51, leaves it rounded to an integer in the low bits. */
  private static final double ROUNDER = 0x1.8p52;

  /** Adding a mantissa in range to these bits does not change the upper twelve. */
  static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

  /** Mantissas lie in [-2^51, 2^51). */
  static final long MANTISSA_END = 1L << 51;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  /** The doubles nearest to 10^-e. */
  private static final double[] INVERSES = new double[POWERS.length];

  /** The differences between 10^-e and these, rounded. */
  private static final double[] INVERSE_RESTS = new double[POWERS.length];

  static {
    for (int i = 0; i < POWERS.length; i++) {
      INVERSES[i] = 1 / POWERS[i];
      INVERSE_RESTS[i] = Math.fma(-INVERSES[i], POWERS[i], 1) / POWERS[i];
    }
  }

  /**
   * Whether the processor has fused multiply-add; without it {@code Math.fma} takes microseconds.
   */
  private static final boolean FUSED = isFused();

  private Decimals() {}

  private static boolean isFused() {
    try {
      HotSpotDiagnosticMXBean vm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return vm != null && Boolean.parseBoolean(vm.getVMOption("UseFMA").getValue());
    } catch (IllegalArgumentException | LinkageError e) {
      // Not HotSpot, or a HotSpot without this option.
      return false;
    }
  }

  static double power(int exponent) {
    return POWERS[exponent];
  }

  /**
   * The mantissa as a double. Faster than the conversion instruction, which depends on the previous
   * content of its target register.
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
   * @param all bitwise AND of the sums
   * @param any bitwise OR of the sums
   */
  static boolean allInRange(long all, long any) {
    return all >>> 52 == ROUNDER_BITS >>> 52 && any >>> 52 == ROUNDER_BITS >>> 52;
  }

  /**
   * q / 10^e rounded once, as an IEEE 754 division does, without the slow instruction.
   *
   * <p>The inverse plus its rest differ from 10^-e by less than 2^-105 of it. With the rounded
   * product of the rest, the sum is off by less than 2^-50 units in the last place before its only
   * rounding. The true quotient lies more than 1 / (2 * 5^15) > 2^-37 units from the midpoint of
   * any two neighbouring doubles, since its distance from any dyadic fraction is a multiple of 1 /
   * 5^e of that fraction's step: so both round to the same double.
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

  /** Raw bits of q / 10^e rounded to a float and widened again. */
  static long floatBits(long mantissa, int exponent) {
    return Double.doubleToRawLongBits((double) (float) quotient(asDouble(mantissa), exponent));
  }

  /** The integer nearest to value * 10^e; the caller checks that it gives the value's bits back. */
  static long nearest(double value, double power) {
    double rounded = FUSED ? Math.fma(value, power, ROUNDER) : value * power + ROUNDER;
    return Double.doubleToRawLongBits(rounded) - ROUNDER_BITS;
  }

  /** Whether a mantissa is in range. */
  static boolean inRange(long mantissa) {
    return mantissa >= -MANTISSA_END && mantissa < MANTISSA_END;
  }

  /** The q whose q / 10^e has exactly these bits, or {@link #NONE}. */
  static long mantissa(long bits, int exponent) {
    double value = Double.longBitsToDouble(bits);
    double power = POWERS[exponent];
    long mantissa = nearest(value, power);
    return inRange(mantissa) && bits(mantissa, exponent) == bits ? mantissa : NONE;
  }

  /** As {@link #mantissa}, for a float widened to a double. */
  static long floatMantissa(long bits, int exponent) {
    double value = Double.longBitsToDouble(bits);
    double power = POWERS[exponent];
    long mantissa = nearest(value, power);
    return inRange(mantissa) && floatBits(mantissa, exponent) == bits ? mantissa : NONE;
  }

  /** Smallest exponent at which all four are decimals, or -1. */
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
