package io.packhorse.schema.summary;

import io.packhorse.schema.packed.PackedQualifier;

/**
 * Column of a block: which loader's cells it sums up, and which of its blocks of that row it is.
 *
 * <pre>
 *   0                          3        4
 *   | loader id, big-endian    | number |
 * </pre>
 *
 * @param loaderId as in {@link PackedQualifier}
 * @param number 0 to 255
 */
public record SummaryQualifier(int loaderId, int number) {
  /** Bytes of a qualifier. */
  public static final int LENGTH = 4;

  /** Largest number. */
  public static final int MAX_NUMBER = 0xff;

  public SummaryQualifier {
    if (loaderId < 1
        || loaderId > PackedQualifier.MAX_LOADER_ID
        || number < 0
        || number > MAX_NUMBER) {
      throw new IllegalArgumentException(
          "loader id must be 1 to 2^24 - 1 and number 0 to 255: loaderId="
              + loaderId
              + ", number="
              + number);
    }
  }

  /** Whether stored bytes are such a qualifier; readers skip others. */
  public static boolean matches(byte[] qualifier) {
    return qualifier.length == LENGTH && loaderId(qualifier) != 0;
  }

  /** Reads stored bytes that {@link #matches}. */
  public static SummaryQualifier parse(byte[] qualifier) {
    return new SummaryQualifier(loaderId(qualifier), qualifier[LENGTH - 1] & 0xff);
  }

  private static int loaderId(byte[] qualifier) {
    return (qualifier[0] & 0xff) << 16 | (qualifier[1] & 0xff) << 8 | (qualifier[2] & 0xff);
  }

  /** The stored bytes; a new array. */
  public byte[] toBytes() {
    return new byte[] {
      (byte) (loaderId >>> 16), (byte) (loaderId >>> 8), (byte) loaderId, (byte) number
    };
  }
}
