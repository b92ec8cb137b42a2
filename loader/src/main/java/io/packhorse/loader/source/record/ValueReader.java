package io.packhorse.loader.source.record;

import io.packhorse.loader.source.record.Rejects.Reason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The value of a point, read as OpenTSDB's {@code put} and HTTP API read it: a word with a dot or
 * an e is a floating-point number, any other must be a 64-bit integer.
 *
 * <p>OpenTSDB stores a number that equals a 4-byte float as that float, so the double is enough to
 * tell how it is stored. Only {@code tsdb import} rounds every number to 4 bytes; this reader does
 * not.
 *
 * <p>One thread; holds the last value read.
 */
public final class ValueReader {
  /** Up to here every integer is a double. */
  private static final long EXACT_MAX = 1L << 53;

  /** The powers of ten that are doubles, as far as those digits reach. */
  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19
  };

  private static final List<String> NOT_FINITE = List.of("nan", "inf", "infinity");
  private static final int NOT_FINITE_LENGTH_MAX = 8;

  private final DecimalScanner digits = new DecimalScanner();
  private long bits;
  private boolean isDouble;

  /** The integer, or the raw bits of the double. */
  public long bits() {
    return bits;
  }

  public boolean isDouble() {
    return isDouble;
  }

  /**
   * Reads the word {@code [from, to)}, at least one byte.
   *
   * @return null if it is a value, else why not
   */
  public @Nullable Reason read(byte[] bytes, int from, int to) {
    if (!digits.scan(bytes, from, to)) {
      return readByJdk(bytes, from, to);
    }
    return digits.decimals() < 0 ? integer() : decimal(bytes, from, to);
  }

  /** As {@link #read}, but a word of digits alone is a floating-point number, too. */
  public @Nullable Reason readFloating(byte[] bytes, int from, int to) {
    return digits.scan(bytes, from, to) ? decimal(bytes, from, to) : readByJdk(bytes, from, to);
  }

  /** As {@link #read}, but the word must be an integer. */
  public @Nullable Reason readInteger(byte[] bytes, int from, int to) {
    boolean whole = from < to && digits.scan(bytes, from, to) && digits.decimals() < 0;
    return whole ? integer() : Reason.VALUE_MALFORMED;
  }

  private @Nullable Reason decimal(byte[] bytes, int from, int to) {
    long magnitude = digits.magnitude();
    if (digits.count() == 0) {
      return Reason.VALUE_MALFORMED;
    }
    if (digits.count() > DecimalScanner.COUNT_MAX || magnitude < 0 || magnitude > EXACT_MAX) {
      return floating(parse(bytes, from, to));
    }
    // Both are doubles without error, so the one rounding is that of the division.
    double number = magnitude / POWERS_OF_TEN[Math.max(0, digits.decimals())];
    return floating(digits.negative() ? -number : number);
  }

  private @Nullable Reason integer() {
    long magnitude = digits.magnitude();
    if (digits.count() == 0) {
      return Reason.VALUE_MALFORMED;
    }
    boolean fits = magnitude >= 0 || (digits.negative() && magnitude == Long.MIN_VALUE);
    if (digits.count() > DecimalScanner.COUNT_MAX || !fits) {
      return Reason.INTEGER_TOO_LARGE;
    }
    integer(digits.negative() ? -magnitude : magnitude);
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
      return isNotFinite(bytes, from, to) ? Reason.VALUE_NOT_FINITE : Reason.VALUE_MALFORMED;
    }
    try {
      return floating(parse(bytes, from, to));
    } catch (NumberFormatException e) {
      return Reason.VALUE_MALFORMED;
    }
  }

  private static double parse(byte[] bytes, int from, int to) {
    return Double.parseDouble(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
  }

  /** Whether it is one of the words for what no stored number can be. */
  private static boolean isNotFinite(byte[] bytes, int from, int to) {
    int at = bytes[from] == '-' || bytes[from] == '+' ? from + 1 : from;
    if (to - at > NOT_FINITE_LENGTH_MAX) {
      return false;
    }
    String word = new String(bytes, at, to - at, StandardCharsets.ISO_8859_1);
    return NOT_FINITE.contains(word.toLowerCase(Locale.ROOT));
  }

  /** Takes an integer that was read elsewhere. */
  public void integer(long value) {
    bits = value;
    isDouble = false;
  }

  /** Takes a floating-point number that was read elsewhere. */
  public @Nullable Reason floating(double value) {
    if (!Double.isFinite(value)) {
      return Reason.VALUE_NOT_FINITE;
    }
    bits = Double.doubleToRawLongBits(value);
    isDouble = true;
    return null;
  }
}
