package io.packhorse.loader.source;

import io.packhorse.schema.key.BaseTime;

/**
 * The timestamp of an import line: seconds or milliseconds by OpenTSDB's rule ({@link
 * BaseTime#isMillis}), or seconds with three decimals.
 *
 * <p>OpenTSDB takes dots out of a timestamp wherever they are and so reads {@code 1356998400.5} as
 * a day in 1970. Only the form it reads as written is accepted here.
 */
final class LineTime {
  /** Result of {@link #millis} for what is no timestamp. */
  static final long MALFORMED = -1;

  /** Result of {@link #millis} for a number before 1 s or after 2106. */
  static final long OUT_OF_RANGE = -2;

  /** Digits of OpenTSDB's longest integer, leading zeros counted; they fit an unsigned long. */
  private static final int DIGITS_MAX = 19;

  private static final int DECIMALS = 3;

  private LineTime() {}

  /**
   * Reads the word {@code [from, to)}, at least one byte.
   *
   * @return milliseconds since 1970, 1 to {@link BaseTime#MAX_MS}; or {@link #MALFORMED} or {@link
   *     #OUT_OF_RANGE}
   */
  static long millis(byte[] bytes, int from, int to) {
    int at = from;
    boolean negative = bytes[at] == '-';
    if (negative || bytes[at] == '+') {
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
        return MALFORMED;
      }
    }
    int digits = to - first - (dot < 0 ? 0 : 1);
    if (digits == 0 || (dot >= 0 && to - dot - 1 != DECIMALS)) {
      return MALFORMED;
    }
    if (negative || digits > DIGITS_MAX || number < 1 || number > BaseTime.MAX_MS) {
      return OUT_OF_RANGE;
    }
    if (BaseTime.isMillis(number)) {
      return number;
    }
    return dot < 0 ? number * 1000 : MALFORMED;
  }
}
