package io.packhorse.loader.source.record;

/**
 * Scans a decimal number: an optional sign, digits, at most one dot. Holds the parts of the last
 * number scanned. One thread.
 */
final class DecimalScanner {
  /** DecimalScanner of the longest number that {@link #magnitude} holds, leading zeros counted. */
  static final int COUNT_MAX = 19;

  private boolean negative;
  private long magnitude;
  private int count;
  private int decimals;

  /** Reads the word {@code [from, to)}, at least one byte; false if it is not such a number. */
  boolean scan(byte[] bytes, int from, int to) {
    int at = from;
    boolean minus = bytes[at] == '-';
    if (minus || bytes[at] == '+') {
      at++;
    }
    int first = at;
    int dot = -1;
    long number = 0;
    for (; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit >= 0 && digit <= 9) {
        number = number * 10 + digit;
      } else if (bytes[at] == '.' && dot < 0) {
        dot = at;
      } else {
        return false;
      }
    }
    negative = minus;
    magnitude = number;
    count = to - first - (dot < 0 ? 0 : 1);
    decimals = dot < 0 ? -1 : to - dot - 1;
    return true;
  }

  boolean negative() {
    return negative;
  }

  /** All digits as one unsigned number; undefined above {@link #COUNT_MAX} digits. */
  long magnitude() {
    return magnitude;
  }

  /** Number of digits. */
  int count() {
    return count;
  }

  /** DecimalScanner behind the dot, or -1 without one. */
  int decimals() {
    return decimals;
  }
}
