package io.packhorse.schema.bytes;

import java.util.zip.CRC32C;

/** CRC32C at the end of stored bytes: four bytes, lowest first, over all before them. */
public final class Checksum {
  /** Bytes of a checksum. */
  public static final int LENGTH = 4;

  private Checksum() {}

  /** Appends the checksum of all that was written. */
  public static void append(ByteWriter to) {
    to.writeIntLE(of(to.array(), to.length()));
  }

  /**
   * Checks the checksum that stored bytes end with.
   *
   * @return number of bytes before it
   * @throws MalformedCellException if it is missing or wrong
   */
  public static int check(byte[] stored) throws MalformedCellException {
    int end = stored.length - LENGTH;
    if (end < 0) {
      throw new MalformedCellException(0, "a checksum must be there");
    }
    int sum = 0;
    for (int i = stored.length - 1; i >= end; i--) {
      sum = (sum << Byte.SIZE) | (stored[i] & 0xff);
    }
    if (sum != of(stored, end)) {
      throw new MalformedCellException(end, "checksum must match");
    }
    return end;
  }

  private static int of(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
