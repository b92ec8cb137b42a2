package io.packhorse.loader.receive.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The header of a record, big-endian: a marker, the length of the payload, the position up to which
 * the log had been forced when the record was written, the CRC32C of the payload, and the CRC32C of
 * these fields, the segment's salt and the record's position. The salt is random, so a client
 * cannot send bytes that pass for a header.
 *
 * @param length of the payload, in bytes
 * @param forced position up to which the log was on disk; at most the record's own
 * @param payloadChecksum CRC32C
 */
record RecordHeader(int length, long forced, int payloadChecksum) {
  static final int BYTES = 24;

  private static final int MARKER = 0x504b5231;
  private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

  /**
   * @param payload in parts
   */
  static RecordHeader of(long forced, byte[]... payload) {
    int length = 0;
    for (byte[] part : payload) {
      length += part.length;
    }
    return new RecordHeader(length, forced, checksum(payload));
  }

  boolean isOf(byte[] payload) {
    return payload.length == length && checksum(payload) == payloadChecksum;
  }

  void write(ByteBuffer to, long salt, long position) {
    int at = to.position();
    to.putInt(MARKER).putInt(length).putLong(forced).putInt(payloadChecksum);
    to.putInt(checksum(to, at, salt, position));
  }

  /** Whether bytes at an index of a buffer are the header of the record at a position. */
  static boolean isAt(ByteBuffer from, int index, long salt, long position) {
    return from.getInt(index) == MARKER
        && from.getInt(index + CHECKED_BYTES) == checksum(from, index, salt, position)
        && from.getInt(index + 4) >= 0
        && from.getLong(index + 8) <= position;
  }

  /** Reads a header that {@link #isAt} has found. */
  static RecordHeader read(ByteBuffer from, int index) {
    return new RecordHeader(
        from.getInt(index + 4), from.getLong(index + 8), from.getInt(index + 16));
  }

  private static int checksum(byte[]... payload) {
    CRC32C crc = new CRC32C();
    for (byte[] part : payload) {
      crc.update(part);
    }
    return (int) crc.getValue();
  }

  private static int checksum(ByteBuffer header, int index, long salt, long position) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(salt).putLong(position).flip());
    crc.update(header.duplicate().limit(index + CHECKED_BYTES).position(index));
    return (int) crc.getValue();
  }
}
