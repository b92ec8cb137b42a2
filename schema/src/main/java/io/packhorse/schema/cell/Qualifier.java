package io.packhorse.schema.cell;

import io.packhorse.schema.bytes.MalformedCellException;

/**
 * OpenTSDB's qualifier of one point: its offset in the hour, its kind and the length of its value.
 *
 * <pre>
 *   seconds, 2 bytes big-endian
 *   |15           4|3   |2      0|
 *   | offset s     |kind|length-1|      offset 0-3599, so the first nibble is never 0xF
 *
 *   milliseconds, 4 bytes big-endian
 *   |31 28|27           6|5   4|3   |2      0|
 *   | 0xF | offset ms    |  0  |kind|length-1|
 * </pre>
 *
 * Kind 1 is floating point (length 4 or 8), kind 0 an integer (1, 2, 4 or 8). Readers ignore the
 * two spare bits.
 *
 * @param offsetMs milliseconds from the base time, in {@code [0, PointBlock.HOUR_MS)}; whole
 *     seconds unless {@code inMillis}
 * @param inMillis whether it is stored in the 4-byte form
 * @param isFloat whether the value is a float or double
 * @param valueLength bytes of the value
 */
public record Qualifier(int offsetMs, boolean inMillis, boolean isFloat, int valueLength) {
  /** Kind bit: the value is a float or double. */
  static final int FLOAT = 0x8;

  /** Low bits that hold the value's length less one. */
  static final int LENGTH_MASK = 0x7;

  /** All four flag bits. */
  static final int FLAGS_MASK = FLOAT | LENGTH_MASK;

  /** First byte's high nibble in the 4-byte form. */
  static final int MILLIS_NIBBLE = 0xf0;

  private static final int MILLIS_MARK = 0xf000_0000;
  private static final int MILLIS_SHIFT = 6;
  private static final int MILLIS_OFFSET_MASK = 0x3f_ffff;
  private static final int SECONDS_SHIFT = 4;

  /** Bit f is set where f is a valid value of the four flag bits. */
  private static final int VALID_FLAGS =
      1 | 1 << 1 | 1 << 3 | 1 << 7 | 1 << (FLOAT | 3) | 1 << (FLOAT | 7);

  public Qualifier {
    if (offsetMs < 0 || offsetMs >= PointBlock.HOUR_MS || (!inMillis && offsetMs % 1000 != 0)) {
      throw new IllegalArgumentException(
          "qualifier must lie in the hour, in whole seconds in its short form: offset="
              + offsetMs
              + " ms, inMillis="
              + inMillis);
    }
    if (valueLength < 1
        || valueLength > 8
        || !validFlags((isFloat ? FLOAT : 0) | (valueLength - 1))) {
      throw new IllegalArgumentException(
          "value must have 1, 2, 4 or 8 bytes, or 4 or 8 for a float: isFloat="
              + isFloat
              + ", length="
              + valueLength);
    }
  }

  /**
   * Reads the qualifier of one point from a column's qualifier or an append column's value.
   *
   * @param at index of its first byte; what follows it is ignored
   * @throws MalformedCellException if the bytes end too early, the offset is outside the hour, or
   *     the flags are invalid
   */
  public static Qualifier parse(byte[] bytes, int at) throws MalformedCellException {
    int left = bytes.length - at;
    boolean inMillis = left > 0 && isMillis(bytes[at]);
    int length = inMillis ? 4 : 2;
    if (left < length) {
      throw new MalformedCellException(
          at, "qualifier ends too early: expected=" + length + ", found=" + left);
    }
    int word = 0;
    for (int i = 0; i < length; i++) {
      word = (word << 8) | (bytes[at + i] & 0xff);
    }
    int offsetMs = inMillis ? offsetOfLong(word) : offsetOfShort(word);
    int flags = word & FLAGS_MASK;
    if (offsetMs >= PointBlock.HOUR_MS) {
      throw outsideTheHour(at, offsetMs);
    }
    if (!validFlags(flags)) {
      throw invalidFlags(at, flags);
    }
    return new Qualifier(offsetMs, inMillis, (flags & FLOAT) != 0, (flags & LENGTH_MASK) + 1);
  }

  /** The low four bits: kind and length. */
  public int flags() {
    return (isFloat ? FLOAT : 0) | (valueLength - 1);
  }

  /** Bytes of the stored form, 2 or 4. */
  public int length() {
    return inMillis ? 4 : 2;
  }

  /** The stored form; a new array. */
  public byte[] toBytes() {
    if (inMillis) {
      int word = ofMillis(offsetMs, flags());
      return new byte[] {
        (byte) (word >>> 24), (byte) (word >>> 16), (byte) (word >>> 8), (byte) word
      };
    }
    int word = ofSeconds(offsetMs / 1000, flags());
    return new byte[] {(byte) (word >>> 8), (byte) word};
  }

  /** Whether the qualifier that starts with this byte has the 4-byte form. */
  static boolean isMillis(byte first) {
    return (first & MILLIS_NIBBLE) == MILLIS_NIBBLE;
  }

  /** The 2-byte form as a number. */
  static int ofSeconds(int offsetSeconds, int flags) {
    return offsetSeconds << SECONDS_SHIFT | flags;
  }

  /** The 4-byte form as a number. */
  static int ofMillis(int offsetMs, int flags) {
    return MILLIS_MARK | offsetMs << MILLIS_SHIFT | flags;
  }

  /** Offset in milliseconds of the 2-byte form; may be outside the hour. */
  static int offsetOfShort(int word) {
    return (word >>> SECONDS_SHIFT) * 1000;
  }

  /** Offset in milliseconds of the 4-byte form; may be outside the hour. */
  static int offsetOfLong(int word) {
    return word >>> MILLIS_SHIFT & MILLIS_OFFSET_MASK;
  }

  /** Whether the four flag bits are a kind and a length that values have. */
  static boolean validFlags(int flags) {
    return (VALID_FLAGS >>> flags & 1) != 0;
  }

  static MalformedCellException outsideTheHour(int at, int offsetMs) {
    return new MalformedCellException(
        at, "qualifier must lie in the hour: offset=" + offsetMs + " ms");
  }

  static MalformedCellException invalidFlags(int at, int flags) {
    return new MalformedCellException(
        at,
        "qualifier must be of an integer of 1, 2, 4 or 8 bytes or a float of 4 or 8: flags=0x"
            + Integer.toHexString(flags));
  }
}
