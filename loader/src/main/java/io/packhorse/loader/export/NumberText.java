package io.packhorse.loader.export;

/** Writes numbers as text into the caller's array; the caller makes room. Any thread. */
final class NumberText {
  /** Longest text of a number, its sign included. */
  static final int LENGTH_MAX = 26;

  private static final int DECIMALS_MAX = 9;

  /** Up to here every integer is a double. */
  private static final double EXACT_MAX = 1L << 53;

  private static final double[] POWERS_OF_TEN = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

  /** 00, 01, 02, ... 99. */
  private static final byte[] PAIRS = new byte[200];

  static {
    for (int i = 0; i < 100; i++) {
      PAIRS[2 * i] = (byte) ('0' + i / 10);
      PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
    }
  }

  private NumberText() {}

  /** Writes an integer; returns the index after it. */
  static int put(long value, byte[] into, int at) {
    if (value == Long.MIN_VALUE) {
      return put(Long.toString(value), into, at);
    }
    if (value < 0) {
      into[at] = '-';
      return putMagnitude(-value, into, at + 1);
    }
    return putMagnitude(value, into, at);
  }

  /**
   * Writes a double so that reading it gives the same bits; with a dot or an exponent, unless it is
   * not finite. Returns the index after it.
   */
  static int putDouble(long rawBits, byte[] into, int at) {
    double value = Double.longBitsToDouble(rawBits);
    double magnitude = Math.abs(value);
    // The text of digits and a dot is the quotient of two doubles, which is rounded once, as the
    // text is when it is read: if the quotient is the value, so is what will be read.
    for (int decimals = 1; decimals <= DECIMALS_MAX; decimals++) {
      double digits = Math.rint(magnitude * POWERS_OF_TEN[decimals]);
      if (!(digits < EXACT_MAX)) {
        break;
      }
      if (digits / POWERS_OF_TEN[decimals] == magnitude) {
        int next = at;
        if (rawBits < 0) {
          into[next++] = '-';
        }
        return putDecimal((long) digits, decimals, into, next);
      }
    }
    return put(Double.toString(value), into, at);
  }

  /** Writes {@code digits / 10^decimals}. */
  static int putDecimal(long digits, int decimals, byte[] into, int at) {
    long power = (long) POWERS_OF_TEN[decimals];
    int next = putMagnitude(digits / power, into, at);
    into[next++] = '.';
    long rest = digits % power;
    for (int i = next + decimals - 1; i >= next; i--) {
      into[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return next + decimals;
  }

  private static int putMagnitude(long value, byte[] into, int at) {
    int end = at + length(value);
    int next = end;
    long rest = value;
    while (rest >= 100) {
      long hundreds = rest / 100;
      int pair = (int) (rest - hundreds * 100) * 2;
      into[--next] = PAIRS[pair + 1];
      into[--next] = PAIRS[pair];
      rest = hundreds;
    }
    int pair = (int) rest * 2;
    into[--next] = PAIRS[pair + 1];
    if (rest >= 10) {
      into[--next] = PAIRS[pair];
    }
    return end;
  }

  private static int length(long value) {
    long limit = 10;
    for (int digits = 1; digits < 19; digits++) {
      if (value < limit) {
        return digits;
      }
      limit *= 10;
    }
    return 19;
  }

  private static int put(String text, byte[] into, int at) {
    int next = at;
    for (int i = 0; i < text.length(); i++) {
      into[next++] = (byte) text.charAt(i);
    }
    return next;
  }
}
