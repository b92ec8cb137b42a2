package io.packhorse.schema.packed;

/**
 * Layout of a packed cell, version 1 (format.md section 4).
 *
 * <pre>
 *   0         1         2            .            .                                n-4        n
 *   +---------+---------+------------+------------+---------+---------+-----------+----------+
 *   | version |  flags  |   count    |    time    | offsets |  kinds  |  values   | checksum |
 *   |  byte   |  byte   |   varint   |    byte    |         | if mixed|           |  CRC32C  |
 *   +---------+---------+------------+------------+---------+---------+-----------+----------+
 *
 *   flags   bits 0-1  kind: 0 integers, 1 doubles, 2 mixed
 *           bit  2    unit of offsets: 0 seconds, 1 milliseconds
 *           bit  3    statistics present (reserved: must be 0)
 *           bit  4    checksum present
 *           bits 5-7  must be 0
 *   time    bits 4-7  offset encoding   bits 0-3  step code, 0 when the step is written out
 * </pre>
 */
final class PackedCellDescriptor {
  /** High nibble marks a packed cell, low nibble is the version. */
  static final int VERSION_1 = 0xA1;

  static final int KIND_MASK = 0x03;
  static final int KIND_LONGS = 0;
  static final int KIND_DOUBLES = 1;
  static final int KIND_MIXED = 2;
  static final int FLAG_MILLISECONDS = 0x04;
  static final int FLAG_CHECKSUM = 0x10;
  static final int RESERVED_FLAGS = 0xE8;

  static final int CHECKSUM_BYTES = 4;

  /**
   * Cells of this many points and more carry a checksum; HBase's own block checksums guard less.
   */
  static final int CHECKSUM_FROM_POINTS = 64;

  private PackedCellDescriptor() {}
}
