package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.skipRun;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;

/**
 * Numbers below R, several in a word, which saves the fraction of a bit that fields would waste
 * (format.md section 7.1): six numbers below 101 take 40 bits, 6.67 each instead of 7.
 *
 * <p>A word of k numbers holds the fraction N / R^k in W bits, where the numbers are the digits of
 * N in base R. Multiplying by R extracts one digit after the other, without a division. k and W
 * depend on R alone, see {@link #shape}.
 */
final class RadixWords {
  static final int RADIX_MIN = 3;
  static final int RADIX_MAX = 1 << 20;

  /** Widest word: {@link #factor} then has ten bits more than it needs. */
  private static final int WIDTH_MAX = 51;

  /** Word width plus bits of R: the product in {@link #unpack} stays a positive long. */
  private static final int PRODUCT_BITS_MAX = 62;

  private static final int TABLE = 1025;
  private static final short[] SHAPES = new short[TABLE];
  private static final long[] FACTORS = new long[TABLE];

  /** By radix and number of digits: width of a last word that is not full; 0 for no digits. */
  private static final byte[][] TAIL_WIDTHS = new byte[TABLE][];

  static {
    for (int radix = RADIX_MIN; radix < TABLE; radix++) {
      SHAPES[radix] = (short) findShape(radix);
      int k = SHAPES[radix] >>> 6;
      FACTORS[radix] = factor(radix, k, SHAPES[radix] & 63);
      TAIL_WIDTHS[radix] = new byte[k];
      for (int tail = 1; tail < k; tail++) {
        TAIL_WIDTHS[radix][tail] = (byte) widthOf(power(radix, tail));
      }
    }
  }

  private RadixWords() {}

  /** Digits and width of a full word, as k * 64 + W. */
  static int shape(int radix) {
    return radix < TABLE ? SHAPES[radix] : findShape(radix);
  }

  /** The k with the fewest bits per number, W / k; of equal ones the smallest. */
  private static int findShape(int radix) {
    int widthMax = Math.min(WIDTH_MAX, PRODUCT_BITS_MAX - BitPacking.width(radix));
    int best = 0;
    int bestWidth = 1;
    long power = 1;
    for (int k = 1; ; k++) {
      power *= radix;
      int width = widthOf(power);
      if (width > widthMax) {
        return best << 6 | bestWidth;
      }
      if (best == 0 || width * best < bestWidth * k) {
        best = k;
        bestWidth = width;
      }
    }
  }

  /**
   * Smallest W with 2^W - power > power / 1024: the slack that the rounding on both sides needs.
   */
  static int widthOf(long power) {
    int width = BitPacking.width(power);
    return (1L << width) - power > power >>> 10 ? width : width + 1;
  }

  static long power(int radix, int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= radix;
    }
    return power;
  }

  /** Bits of {@code count} numbers: full words, then a narrower one for the rest. */
  static long bits(int radix, int count) {
    int shape = shape(radix);
    int k = shape >>> 6;
    int tail = count % k;
    return (long) (count / k) * (shape & 63) + tailWidth(radix, tail);
  }

  /**
   * Width of the last word of a run, of {@code count} numbers, fewer than a full one; 0 if none.
   */
  private static int tailWidth(int radix, int count) {
    if (radix < TABLE) {
      return TAIL_WIDTHS[radix][count];
    }
    return count == 0 ? 0 : widthOf(power(radix, count));
  }

  static int bytes(int radix, int count) {
    return (int) ((bits(radix, count) + 7) >>> 3);
  }

  /** 2^(width + 61) / radix^k, rounded up. */
  private static long factor(int radix, int k, int width) {
    long power = power(radix, k);
    long quotient = (1L << width) / power;
    long rest = (1L << width) % power;
    int bits = 61;
    while (bits > 0) {
      int step = Math.min(bits, 12);
      rest <<= step;
      quotient = (quotient << step) + rest / power;
      rest %= power;
      bits -= step;
    }
    return rest == 0 ? quotient : quotient + 1;
  }

  /** Appends {@code values[from, to) - base}, each in [0, radix). */
  static void pack(long[] values, int from, int to, long base, int radix, ByteWriter out) {
    int count = to - from;
    int bytes = bytes(radix, count);
    out.ensureRoom(bytes + 2 * Long.BYTES);
    int shape = shape(radix);
    int k = shape >>> 6;
    int width = shape & 63;
    long factor = radix < TABLE ? FACTORS[radix] : factor(radix, k, width);
    byte[] array = out.array();
    int at = out.length();
    long word = 0;
    int used = 0;
    int i = from;
    // Subtracts base from all digits of a word at once: together base * (1 + R + ... + R^(k-1)).
    long bases = base * ((power(radix, k) - 1) / (radix - 1));
    long square = (long) radix * radix;
    for (int left = count / k; left > 0; left--, i += k) {
      long number = number(values, i, k, radix, square) - bases;
      long fraction = fraction(number, factor);
      word |= fraction << used;
      used += width;
      if (used >= 64) {
        BitPacking.store(array, at, word);
        at += Long.BYTES;
        used -= 64;
        word = used == 0 ? 0 : fraction >>> (width - used);
      }
    }
    BitPacking.store(array, at, word);
    if (i < to) {
      int tail = to - i;
      int tailWidth = tailWidth(radix, tail);
      long number = 0;
      for (; i < to; i++) {
        number = number * radix + (values[i] - base);
      }
      long fraction = fraction(number, factor(radix, tail, tailWidth));
      BitPacking.store(array, at, word | fraction << used);
      if (used + tailWidth > 64) {
        BitPacking.store(array, at + Long.BYTES, fraction >>> (64 - used));
      }
    }
    out.advance(bytes);
  }

  /** The number with the k values from an index on as digits; the common k = 2 and 3 unrolled. */
  private static long number(long[] values, int from, int k, long radix, long square) {
    if (k == 3) {
      return values[from] * square + (values[from + 1] * radix + values[from + 2]);
    }
    if (k == 2) {
      return values[from] * radix + values[from + 1];
    }
    int i = from + (k & 1);
    long number = i == from ? 0 : values[from];
    for (int end = from + k; i < end; i += 2) {
      number = number * square + (values[i] * radix + values[i + 1]);
    }
    return number;
  }

  /** An integer in [N s, (N + 1) s), where s = 2^W / R^k. */
  private static long fraction(long number, long factor) {
    return (Math.multiplyHigh(number, factor) << 3 | (number * factor) >>> 61) + 1;
  }

  /** Reads {@code count} numbers in [0, radix) into {@code values[from, ...)}. */
  static void unpack(ByteReader in, byte[] bytes, int count, int radix, long[] values, int from)
      throws MalformedCellException {
    int start = skipRun(in, bytes, bits(radix, count)) << 3;
    int shape = shape(radix);
    int digits = shape >>> 6;
    int words = count / digits;
    int tail = from + words * digits;
    RadixDigits.read(bytes, start, digits, shape & 63, radix, values, from, tail);
    int left = from + count - tail;
    if (left > 0) {
      int bit = start + words * (shape & 63);
      int width = tailWidth(radix, left);
      RadixDigits.readWord(bytes, bit, left, width, radix, values, tail);
    }
  }

  /**
   * As {@link #unpack}, but writes running sums of number + base, starting from {@code value}.
   *
   * @return the last sum
   */
  static long unpackSums(
      ByteReader in,
      byte[] bytes,
      int count,
      long base,
      int radix,
      long value,
      long[] values,
      int from)
      throws MalformedCellException {
    int start = skipRun(in, bytes, bits(radix, count)) << 3;
    int shape = shape(radix);
    int digits = shape >>> 6;
    int words = count / digits;
    int tail = from + words * digits;
    long sum =
        RadixDigits.sum(bytes, start, digits, shape & 63, base, radix, value, values, from, tail);
    int left = from + count - tail;
    if (left == 0) {
      return sum;
    }
    int bit = start + words * (shape & 63);
    int width = tailWidth(radix, left);
    return RadixDigits.sumWords(
        bytes, bit, left, width, base, radix, sum, values, tail, tail + left);
  }
}
