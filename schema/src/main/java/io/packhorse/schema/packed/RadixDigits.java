package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.load;

/**
 * Takes the digits out of the words of {@link RadixWords}.
 *
 * <p>The first digit of a fraction is the whole part of fraction * R, the next one that of what
 * that leaves. A word's digits are taken in threes and twos, the next ones starting at fraction *
 * R^3 or R^2: a loop over so few would cost as much as they do, and in one chain of multiplications
 * each waits for the one before. Nine of ten radices have words of seven digits at most; those of
 * the small ones, which mini-blocks have, are spelt out up to nine, and the frequent eleven.
 */
final class RadixDigits {
  /** Words of one digit: four of this width and the bits before them fit a load. */
  private static final int FOUR_A_LOAD_MAX = 14;

  private RadixDigits() {}

  private static long fraction(byte[] bytes, int bit, long mask) {
    return (load(bytes, bit >>> 3) >>> (bit & 7)) & mask;
  }

  /**
   * Puts the digits of full words into {@code values[from, to)}.
   *
   * @param bytes with {@link BitPacking#SLACK} bytes after the words
   * @param start first bit of the first word
   * @param digits of a word
   * @param width of a word in bits
   */
  static void read(
      byte[] bytes, int start, int digits, int width, long radix, long[] values, int from, int to) {
    switch (digits) {
      case 1 -> readOnes(bytes, start, width, radix, values, from, to);
      case 2 -> readTwos(bytes, start, width, radix, values, from, to);
      case 3 -> readThrees(bytes, start, width, radix, values, from, to);
      case 4 -> readFours(bytes, start, width, radix, values, from, to);
      case 5 -> readFives(bytes, start, width, radix, values, from, to);
      case 6 -> readSixes(bytes, start, width, radix, values, from, to);
      case 7 -> readSevens(bytes, start, width, radix, values, from, to);
      case 8 -> readEights(bytes, start, width, radix, values, from, to);
      case 9 -> readNines(bytes, start, width, radix, values, from, to);
      case 11 -> readElevens(bytes, start, width, radix, values, from, to);
      default -> readWords(bytes, start, digits, width, radix, values, from, to);
    }
  }

  private static void readOnes(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    int bit = start;
    int at = from;
    if (width <= FOUR_A_LOAD_MAX) {
      for (; at < to - 3; at += 4, bit += 4 * width) {
        long words = load(bytes, bit >>> 3) >>> (bit & 7);
        values[at] = ((words & mask) * radix) >>> width;
        words >>>= width;
        values[at + 1] = ((words & mask) * radix) >>> width;
        words >>>= width;
        values[at + 2] = ((words & mask) * radix) >>> width;
        words >>>= width;
        values[at + 3] = ((words & mask) * radix) >>> width;
      }
    }
    for (; at < to; at++, bit += width) {
      values[at] = (fraction(bytes, bit, mask) * radix) >>> width;
    }
  }

  private static void readTwos(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    int bit = start;
    for (int at = from; at < to; at += 2, bit += width) {
      two(fraction(bytes, bit, mask), mask, width, radix, values, at);
    }
  }

  private static void readThrees(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    int bit = start;
    int at = from;
    for (; at < to - 11; at += 12, bit += 4 * width) {
      three(fraction(bytes, bit, mask), mask, width, radix, values, at);
      three(fraction(bytes, bit + width, mask), mask, width, radix, values, at + 3);
      three(fraction(bytes, bit + 2 * width, mask), mask, width, radix, values, at + 6);
      three(fraction(bytes, bit + 3 * width, mask), mask, width, radix, values, at + 9);
    }
    for (; at < to; at += 3, bit += width) {
      three(fraction(bytes, bit, mask), mask, width, radix, values, at);
    }
  }

  private static void readFours(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    long square = radix * radix;
    int bit = start;
    for (int at = from; at < to; at += 4, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      two(fraction, mask, width, radix, values, at);
      two(fraction * square & mask, mask, width, radix, values, at + 2);
    }
  }

  private static void readFives(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    int bit = start;
    for (int at = from; at < to; at += 5, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      three(fraction, mask, width, radix, values, at);
      two(fraction * cube & mask, mask, width, radix, values, at + 3);
    }
  }

  private static void readSixes(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    int bit = start;
    for (int at = from; at < to; at += 6, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      three(fraction, mask, width, radix, values, at);
      three(fraction * cube & mask, mask, width, radix, values, at + 3);
    }
  }

  private static void readSevens(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    long fifth = cube * radix * radix;
    int bit = start;
    for (int at = from; at < to; at += 7, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      three(fraction, mask, width, radix, values, at);
      two(fraction * cube & mask, mask, width, radix, values, at + 3);
      two(fraction * fifth & mask, mask, width, radix, values, at + 5);
    }
  }

  private static void readEights(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    long sixth = cube * cube;
    int bit = start;
    for (int at = from; at < to; at += 8, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      three(fraction, mask, width, radix, values, at);
      three(fraction * cube & mask, mask, width, radix, values, at + 3);
      two(fraction * sixth & mask, mask, width, radix, values, at + 6);
    }
  }

  private static void readNines(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    long sixth = cube * cube;
    int bit = start;
    for (int at = from; at < to; at += 9, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      three(fraction, mask, width, radix, values, at);
      three(fraction * cube & mask, mask, width, radix, values, at + 3);
      three(fraction * sixth & mask, mask, width, radix, values, at + 6);
    }
  }

  private static void readElevens(
      byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    long sixth = cube * cube;
    long ninth = sixth * cube;
    int bit = start;
    for (int at = from; at < to; at += 11, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      three(fraction, mask, width, radix, values, at);
      three(fraction * cube & mask, mask, width, radix, values, at + 3);
      three(fraction * sixth & mask, mask, width, radix, values, at + 6);
      two(fraction * ninth & mask, mask, width, radix, values, at + 9);
    }
  }

  private static void readWords(
      byte[] bytes, int start, int digits, int width, long radix, long[] values, int from, int to) {
    long mask = (1L << width) - 1;
    int bit = start;
    for (int at = from; at < to; bit += width) {
      long fraction = fraction(bytes, bit, mask);
      for (int end = at + digits; at < end; at++) {
        long product = fraction * radix;
        values[at] = product >>> width;
        fraction = product & mask;
      }
    }
  }

  /** Puts the digits of one word into {@code values[from, from + digits)}. */
  static void readWord(
      byte[] bytes, int bit, int digits, int width, long radix, long[] values, int from) {
    long mask = (1L << width) - 1;
    long fraction = fraction(bytes, bit, mask);
    int at = from;
    // Counted in a bit that is shifted: a loop over so few must not be unrolled.
    for (int left = 1 << digits; left > 1; left >>>= 1) {
      long product = fraction * radix;
      values[at] = product >>> width;
      fraction = product & mask;
      at++;
    }
  }

  private static void two(long fraction, long mask, int width, long radix, long[] values, int at) {
    long first = fraction * radix;
    long second = (first & mask) * radix;
    values[at] = first >>> width;
    values[at + 1] = second >>> width;
  }

  private static void three(
      long fraction, long mask, int width, long radix, long[] values, int at) {
    long first = fraction * radix;
    long second = (first & mask) * radix;
    long third = (second & mask) * radix;
    values[at] = first >>> width;
    values[at + 1] = second >>> width;
    values[at + 2] = third >>> width;
  }

  /**
   * As {@link #read}, each digit being the step from the value before.
   *
   * @param value before the first
   * @return the last
   */
  static long sum(
      byte[] bytes,
      int start,
      int digits,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    return switch (digits) {
      case 1 -> sumOnes(bytes, start, width, base, radix, value, values, from, to);
      case 2 -> sumTwos(bytes, start, width, base, radix, value, values, from, to);
      case 3 -> sumThrees(bytes, start, width, base, radix, value, values, from, to);
      case 4 -> sumFours(bytes, start, width, base, radix, value, values, from, to);
      case 5 -> sumFives(bytes, start, width, base, radix, value, values, from, to);
      case 6 -> sumSixes(bytes, start, width, base, radix, value, values, from, to);
      case 7 -> sumSevens(bytes, start, width, base, radix, value, values, from, to);
      default -> sumWords(bytes, start, digits, width, base, radix, value, values, from, to);
    };
  }

  private static long sumOnes(
      byte[] bytes,
      int start,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    long mask = (1L << width) - 1;
    long sum = value;
    int bit = start;
    int at = from;
    if (width <= FOUR_A_LOAD_MAX) {
      for (; at < to - 3; at += 4, bit += 4 * width) {
        long words = load(bytes, bit >>> 3) >>> (bit & 7);
        sum += base + (((words & mask) * radix) >>> width);
        values[at] = sum;
        words >>>= width;
        sum += base + (((words & mask) * radix) >>> width);
        values[at + 1] = sum;
        words >>>= width;
        sum += base + (((words & mask) * radix) >>> width);
        values[at + 2] = sum;
        words >>>= width;
        sum += base + (((words & mask) * radix) >>> width);
        values[at + 3] = sum;
      }
    }
    for (; at < to; at++, bit += width) {
      sum += base + ((fraction(bytes, bit, mask) * radix) >>> width);
      values[at] = sum;
    }
    return sum;
  }

  private static long sumTwos(
      byte[] bytes,
      int start,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    long mask = (1L << width) - 1;
    long sum = value;
    int bit = start;
    for (int at = from; at < to; at += 2, bit += width) {
      sum = sumTwo(fraction(bytes, bit, mask), mask, width, base, radix, sum, values, at);
    }
    return sum;
  }

  private static long sumThrees(
      byte[] bytes,
      int start,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    long mask = (1L << width) - 1;
    long sum = value;
    int bit = start;
    int at = from;
    // The commonest words: several at a time take a quarter less.
    for (; at < to - 11; at += 12, bit += 4 * width) {
      long one = fraction(bytes, bit, mask);
      long two = fraction(bytes, bit + width, mask);
      long three = fraction(bytes, bit + 2 * width, mask);
      long four = fraction(bytes, bit + 3 * width, mask);
      sum = sumThree(one, mask, width, base, radix, sum, values, at);
      sum = sumThree(two, mask, width, base, radix, sum, values, at + 3);
      sum = sumThree(three, mask, width, base, radix, sum, values, at + 6);
      sum = sumThree(four, mask, width, base, radix, sum, values, at + 9);
    }
    for (; at < to; at += 3, bit += width) {
      sum = sumThree(fraction(bytes, bit, mask), mask, width, base, radix, sum, values, at);
    }
    return sum;
  }

  private static long sumFours(
      byte[] bytes,
      int start,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    long mask = (1L << width) - 1;
    long square = radix * radix;
    long sum = value;
    int bit = start;
    for (int at = from; at < to; at += 4, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      sum = sumTwo(fraction, mask, width, base, radix, sum, values, at);
      sum = sumTwo(fraction * square & mask, mask, width, base, radix, sum, values, at + 2);
    }
    return sum;
  }

  private static long sumFives(
      byte[] bytes,
      int start,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    long sum = value;
    int bit = start;
    for (int at = from; at < to; at += 5, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      sum = sumThree(fraction, mask, width, base, radix, sum, values, at);
      sum = sumTwo(fraction * cube & mask, mask, width, base, radix, sum, values, at + 3);
    }
    return sum;
  }

  private static long sumSixes(
      byte[] bytes,
      int start,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    long sum = value;
    int bit = start;
    for (int at = from; at < to; at += 6, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      sum = sumThree(fraction, mask, width, base, radix, sum, values, at);
      sum = sumThree(fraction * cube & mask, mask, width, base, radix, sum, values, at + 3);
    }
    return sum;
  }

  private static long sumSevens(
      byte[] bytes,
      int start,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    long mask = (1L << width) - 1;
    long cube = radix * radix * radix;
    long fifth = cube * radix * radix;
    long sum = value;
    int bit = start;
    for (int at = from; at < to; at += 7, bit += width) {
      long fraction = fraction(bytes, bit, mask);
      sum = sumThree(fraction, mask, width, base, radix, sum, values, at);
      sum = sumTwo(fraction * cube & mask, mask, width, base, radix, sum, values, at + 3);
      sum = sumTwo(fraction * fifth & mask, mask, width, base, radix, sum, values, at + 5);
    }
    return sum;
  }

  static long sumWords(
      byte[] bytes,
      int start,
      int digits,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int from,
      int to) {
    long mask = (1L << width) - 1;
    int bit = start;
    long sum = value;
    for (int at = from; at < to; bit += width) {
      long fraction = fraction(bytes, bit, mask);
      for (int end = at + digits; at < end; at++) {
        long product = fraction * radix;
        sum += base + (product >>> width);
        values[at] = sum;
        fraction = product & mask;
      }
    }
    return sum;
  }

  private static long sumTwo(
      long fraction,
      long mask,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int at) {
    long first = fraction * radix;
    long second = (first & mask) * radix;
    long one = value + (base + (first >>> width));
    long two = one + (base + (second >>> width));
    values[at] = one;
    values[at + 1] = two;
    return two;
  }

  private static long sumThree(
      long fraction,
      long mask,
      int width,
      long base,
      long radix,
      long value,
      long[] values,
      int at) {
    long first = fraction * radix;
    long second = (first & mask) * radix;
    long third = (second & mask) * radix;
    long one = value + (base + (first >>> width));
    long two = one + (base + (second >>> width));
    long three = two + (base + (third >>> width));
    values[at] = one;
    values[at + 1] = two;
    values[at + 2] = three;
    return three;
  }
}
