package io.packhorse.schema.packed;

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

  private static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

  /** Mantissas lie in [-2^51, 2^51). */
  static final long MANTISSA_END = 1L << 51;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private Decimals() {}

  static double power(int exponent) {
    return POWERS[exponent];
  }

  /**
   * The mantissa as a double: the conversion instruction waits for the one before it, this does
   * not.
   */
  static double asDouble(long mantissa) {
    return Double.longBitsToDouble(mantissa + ROUNDER_BITS) - ROUNDER;
  }

  /** Raw bits of q / 10^e. */
  static long bits(long mantissa, int exponent) {
    return Double.doubleToRawLongBits(asDouble(mantissa) / POWERS[exponent]);
  }

  /** Raw bits of the float nearest to q / 10^e, widened. */
  static long floatBits(long mantissa, int exponent) {
    return Double.doubleToRawLongBits((double) (float) (asDouble(mantissa) / POWERS[exponent]));
  }

  /** q nearest to the double times 10^e: meaningful if the caller finds it gives the bits back. */
  static long nearest(double value, double power) {
    return Double.doubleToRawLongBits(value * power + ROUNDER) - ROUNDER_BITS;
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
