package io.packhorse.loader.source;

import io.packhorse.loader.source.Rejects.Reason;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The value of an import line, read as OpenTSDB's {@code put} and HTTP API read it: a word with a
 * dot or an e is a floating-point number, any other must be a 64-bit integer.
 *
 * <p>OpenTSDB stores a number equal to some 4-byte float as that float, so its double is all there
 * is to know. {@code tsdb import} alone rounds every number to 4 bytes; that loss is not repeated.
 *
 * <p>One thread; holds the last value read.
 */
final class LineValue {
  /** Digits of the longest integer, leading zeros counted; they fit an unsigned long. */
  private static final int DIGITS_MAX = 19;

  /** Up to here every integer is a double. */
  private static final long EXACT_MAX = 1L << 53;

  /** The powers of ten that are doubles, as far as the digits above reach. */
  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19
  };

  private long bits;
  private boolean isDouble;

  /** The integer, or the raw bits of the double. */
  long bits() {
    return bits;
  }

  boolean isDouble() {
    return isDouble;
  }

  /**
   * Reads the word {@code [from, to)}, at least one byte.
   *
   * @return null if it is a value, else why not
   */
  @Nullable Reason read(byte[] bytes, int from, int to) {
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
        return readByJdk(bytes, from, to);
      }
    }
    int digits = to - first - (dot < 0 ? 0 : 1);
    if (digits == 0) {
      return Reason.VALUE_MALFORMED;
    }
    if (dot < 0) {
      return integer(negative, number, digits);
    }
    if (digits > DIGITS_MAX || number < 0 || number > EXACT_MAX) {
      return readByJdk(bytes, from, to);
    }
    // Both are doubles without error, so the one rounding is that of the division.
    double magnitude = number / POWERS_OF_TEN[to - dot - 1];
    return floating(negative ? -magnitude : magnitude);
  }

  private @Nullable Reason integer(boolean negative, long magnitude, int digits) {
    boolean fits = magnitude >= 0 || (negative && magnitude == Long.MIN_VALUE);
    if (digits > DIGITS_MAX || !fits) {
      return Reason.INTEGER_TOO_LARGE;
    }
    bits = negative ? -magnitude : magnitude;
    isDouble = false;
    return null;
  }

  private @Nullable Reason readByJdk(byte[] bytes, int from, int to) {
    boolean floating = false;
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      if (c <= ' ' || c > '~') {
        return Reason.VALUE_MALFORMED;
      }
      floating |= c == '.' || c == 'e' || c == 'E';
    }
    if (!floating) {
      return Reason.VALUE_MALFORMED;
    }
    try {
      return floating(
          Double.parseDouble(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1)));
    } catch (NumberFormatException e) {
      return Reason.VALUE_MALFORMED;
    }
  }

  private @Nullable Reason floating(double value) {
    if (!Double.isFinite(value)) {
      return Reason.VALUE_NOT_FINITE;
    }
    bits = Double.doubleToRawLongBits(value);
    isDouble = true;
    return null;
  }
}
