package io.packhorse.schema.uid;

import io.packhorse.schema.bytes.MalformedCellException;
import java.nio.charset.StandardCharsets;

/**
 * Bytes of the UID table.
 *
 * <pre>
 *   row               family  column          value
 *   name, ISO-8859-1  id      kind            UID
 *   UID               name    kind            name, ISO-8859-1
 *   0x00              id      kind (counter)  highest UID given out, 8 bytes big-endian
 * </pre>
 *
 * UIDs are numbers from 1, big-endian on the {@link UidWidths width} of their kind; 0 is never
 * given out.
 */
public final class UidRows {
  /** Family of the forward map (name to UID) and of the counters. */
  public static final String ID_FAMILY = "id";

  /** Family of the reverse map (UID to name). */
  public static final String NAME_FAMILY = "name";

  /** Longest name in bytes: it is a row key, and HBase's are below 2^15 bytes. */
  public static final int NAME_LENGTH_MAX = Short.MAX_VALUE;

  private UidRows() {}

  /** Row of the counters; a new array. */
  public static byte[] counterRow() {
    return new byte[] {0};
  }

  /**
   * A name as the table stores it, one byte a character; a new array.
   *
   * @throws IllegalArgumentException if the name is empty, too long, has a character outside
   *     ISO-8859-1 (OpenTSDB would store a question mark, and two names would share a UID), or
   *     would be stored in the counter row
   */
  public static byte[] nameBytes(String name) {
    int length = name.length();
    if (length == 0 || length > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "name must have 1 to " + NAME_LENGTH_MAX + " characters: length=" + length);
    }
    for (int i = 0; i < length; i++) {
      if (name.charAt(i) > 0xff) {
        throw new IllegalArgumentException(
            String.format(
                "name must be in ISO-8859-1, the charset of the UID table: name=%s, index=%d,"
                    + " character=U+%04X",
                name, i, (int) name.charAt(i)));
      }
    }
    if (length == 1 && name.charAt(0) == 0) {
      throw new IllegalArgumentException("name must not be the row of the counters: name=U+0000");
    }
    return name.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The name stored as these bytes; the inverse of {@link #nameBytes}. */
  public static String name(byte[] nameBytes) {
    return new String(nameBytes, StandardCharsets.ISO_8859_1);
  }

  /**
   * Largest UID on {@code width} bytes; on eight the largest positive long, as in OpenTSDB.
   *
   * @param width 1 to {@link UidWidths#MAX}
   */
  public static long maxUid(int width) {
    if (width < 1 || width > UidWidths.MAX) {
      throw new IllegalArgumentException(
          "UID width must be 1 to " + UidWidths.MAX + " bytes: width=" + width);
    }
    return Long.MAX_VALUE >>> Math.max(0, 63 - 8 * width);
  }

  /**
   * A UID as stored; a new array.
   *
   * @throws IllegalArgumentException if the UID is not in 1 to {@link #maxUid}: no UID of this kind
   *     is left in the table
   */
  public static byte[] encode(long uid, int width) {
    byte[] bytes = new byte[width];
    put(uid, width, bytes, 0);
    return bytes;
  }

  /** {@link #encode} into the caller's array, from {@code at} on. */
  public static void put(long uid, int width, byte[] into, int at) {
    long max = maxUid(width);
    if (uid < 1 || uid > max) {
      throw new IllegalArgumentException(
          "UID must be 1 to " + max + " on " + width + " bytes: uid=" + uid);
    }
    for (int i = 0; i < width; i++) {
      into[at + i] = (byte) (uid >>> (8 * (width - 1 - i)));
    }
  }

  /**
   * Reads a stored UID.
   *
   * @throws MalformedCellException if the length is not {@code width} (the table was made with
   *     another width) or the number is not in 1 to {@link #maxUid}
   */
  public static long decode(byte[] uid, int width) throws MalformedCellException {
    if (uid.length != width) {
      throw new MalformedCellException(
          0, "UID must have the width of its kind: expected=" + width + ", found=" + uid.length);
    }
    long value = 0;
    for (byte next : uid) {
      value = (value << 8) | (next & 0xff);
    }
    if (value < 1) {
      throw new MalformedCellException(
          0, "UID must be 1 to " + maxUid(width) + ": uid=" + Long.toUnsignedString(value));
    }
    return value;
  }
}
