package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;

/**
 * A run of doubles of known count: one encoding byte, then an {@link IntegerStream} (format.md
 * section 7). Bit-exact for every bit pattern.
 *
 * <p>Decimals are restored by one division, which IEEE 754 rounds correctly: {@code q / 10^e} is
 * the double that the decimal literal itself reads as, so a literal of at most 15 digits has no
 * exceptions. One instance serves one thread.
 */
final class DoubleStream {
  /** Exponent byte e, then integers q: each value is q / 10^e. */
  static final int DECIMAL = 0;

  /** Raw bits in the order of the doubles: negative ones inverted below the positive ones. */
  static final int ORDERED_BITS = 1;

  /** Largest decimal exponent: 10^e must be exact as a double and leave room for digits. */
  static final int MAX_EXPONENT = 15;

  private static final double MAX_MANTISSA = 1L << 53;

  private static final double[] POWERS = new double[MAX_EXPONENT + 1];

  static {
    double power = 1;
    for (int e = 0; e <= MAX_EXPONENT; e++) {
      POWERS[e] = power;
      power *= 10;
    }
  }

  private final IntegerStream integers;
  private long[] scratch = new long[3600];

  DoubleStream(IntegerStream integers) {
    this.integers = integers;
  }

  /** Appends the doubles with raw bits {@code bits[0, count)}; count at least 1. */
  void write(long[] bits, int count, ByteWriter out) {
    if (scratch.length < count) {
      scratch = new long[count];
    }
    int exponent = exponent(bits, count);
    if (exponent >= 0) {
      out.writeByte(DECIMAL);
      out.writeByte(exponent);
    } else {
      out.writeByte(ORDERED_BITS);
      for (int i = 0; i < count; i++) {
        scratch[i] = order(bits[i]);
      }
    }
    integers.write(scratch, count, out);
  }

  /**
   * The least exponent that makes every value an exact decimal, its mantissas in scratch; or -1.
   */
  private int exponent(long[] bits, int count) {
    int exponent = 0;
    for (int i = 0; i < count; i++) {
      double value = Double.longBitsToDouble(bits[i]);
      long mantissa = mantissa(value, bits[i], exponent);
      if (mantissa == Long.MIN_VALUE) {
        do {
          if (++exponent > MAX_EXPONENT) {
            return -1;
          }
          mantissa = mantissa(value, bits[i], exponent);
        } while (mantissa == Long.MIN_VALUE);
        // The digits of the values before this one at the new exponent; each is checked again.
        for (int j = 0; j < i; j++) {
          scratch[j] = mantissa(Double.longBitsToDouble(bits[j]), bits[j], exponent);
          if (scratch[j] == Long.MIN_VALUE) {
            return -1;
          }
        }
      }
      scratch[i] = mantissa;
    }
    return exponent;
  }

  /** q with q / 10^e bit-equal to the value, or Long.MIN_VALUE: -0.0, NaN, infinities, misfits. */
  private static long mantissa(double value, long bits, int exponent) {
    double scaled = value * POWERS[exponent];
    if (!(Math.abs(scaled) <= MAX_MANTISSA)) {
      return Long.MIN_VALUE;
    }
    long mantissa = Math.round(scaled);
    return Double.doubleToRawLongBits(mantissa / POWERS[exponent]) == bits
        ? mantissa
        : Long.MIN_VALUE;
  }

  /** Raw bits to integers that rise with the doubles; its own inverse. */
  private static long order(long bits) {
    return bits ^ ((bits >> 63) >>> 1);
  }

  /** Reads {@code count} doubles into {@code bits[0, count)} as raw bits. */
  static void read(ByteReader in, byte[] bytes, int count, long[] bits)
      throws MalformedCellException {
    int at = in.position();
    int encoding = in.readByte();
    switch (encoding) {
      case DECIMAL -> {
        int exponentAt = in.position();
        int exponent = in.readByte();
        if (exponent > MAX_EXPONENT) {
          throw new MalformedCellException(
              exponentAt,
              "packed cell: decimal exponent must be 0 to "
                  + MAX_EXPONENT
                  + ": exponent="
                  + exponent);
        }
        IntegerStream.read(in, bytes, count, bits);
        double power = POWERS[exponent];
        for (int i = 0; i < count; i++) {
          bits[i] = Double.doubleToRawLongBits(bits[i] / power);
        }
      }
      case ORDERED_BITS -> {
        IntegerStream.read(in, bytes, count, bits);
        for (int i = 0; i < count; i++) {
          bits[i] = order(bits[i]);
        }
      }
      default ->
          throw new MalformedCellException(
              at, "packed cell: double encoding must be 0 or 1: encoding=" + encoding);
    }
  }
}
