package io.packhorse.schema.packed;

/**
 * The qualifier of a packed cell: which loader wrote it, and which part of the row it is.
 *
 * <pre>
 *   0        1                       4        5
 *   +--------+-----------------------+--------+
 *   |  0xA1  | loader id, big-endian |  part  |
 *   +--------+-----------------------+--------+
 * </pre>
 *
 * Five bytes with a first byte in 0xA0-0xDF: stock OpenTSDB 2.4.1 skips such columns everywhere and
 * its fsck never deletes them (decision 0001). Two loaders never write the same column, and within
 * a row the byte order of qualifiers is the order of (loader id, part).
 *
 * @param loaderId 1 to {@link #MAX_LOADER_ID}, taken from the loader counter, never reused
 * @param part 0 to {@link #MAX_PART}
 */
public record PackedQualifier(int loaderId, int part) implements Comparable<PackedQualifier> {
  /** Column family of packed cells, beside OpenTSDB's {@code t}. */
  public static final String FAMILY = "p";

  /** First byte of every packed column. */
  public static final byte PREFIX = (byte) 0xA1;

  /** Length in bytes. */
  public static final int LENGTH = 5;

  /** Largest loader id: three bytes. */
  public static final int MAX_LOADER_ID = 0xff_ffff;

  /** Largest part: one byte. */
  public static final int MAX_PART = 0xff;

  public PackedQualifier {
    if (loaderId < 1 || loaderId > MAX_LOADER_ID) {
      throw new IllegalArgumentException(
          "loader id must be 1 to " + MAX_LOADER_ID + ": loaderId=" + loaderId);
    }
    if (part < 0 || part > MAX_PART) {
      throw new IllegalArgumentException("part must be 0 to " + MAX_PART + ": part=" + part);
    }
  }

  /** Whether a qualifier of any table cell is a packed column. */
  public static boolean matches(byte[] qualifier) {
    return qualifier.length == LENGTH && qualifier[0] == PREFIX;
  }

  /**
   * Reads a qualifier for which {@link #matches} holds.
   *
   * @throws IllegalArgumentException if it is not a packed column, or its loader id is 0
   */
  public static PackedQualifier parse(byte[] qualifier) {
    if (!matches(qualifier)) {
      throw new IllegalArgumentException(
          "packed qualifier must be "
              + LENGTH
              + " bytes, the first 0xA1: length="
              + qualifier.length);
    }
    int loaderId =
        ((qualifier[1] & 0xff) << 16) | ((qualifier[2] & 0xff) << 8) | (qualifier[3] & 0xff);
    return new PackedQualifier(loaderId, qualifier[4] & 0xff);
  }

  /** The stored bytes; a new array. */
  public byte[] toBytes() {
    return new byte[] {
      PREFIX, (byte) (loaderId >>> 16), (byte) (loaderId >>> 8), (byte) loaderId, (byte) part
    };
  }

  /** Orders by loader id, then part: of equal cell timestamps, the greater qualifier wins. */
  @Override
  public int compareTo(PackedQualifier other) {
    int byLoader = Integer.compare(loaderId, other.loaderId);
    return byLoader != 0 ? byLoader : Integer.compare(part, other.part);
  }
}
