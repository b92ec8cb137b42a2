package io.packhorse.schema.packed;

/**
 * Layout of a packed cell, version 1 (format.md section 4).
 *
 * <pre>
 *   +---------+---------+--------+---------+--------+---------+------------+-------+
 *   | version |  flags  |  time  |  count  |  step  |  first  | statistics | check |
 *   |  byte   |  byte   |  byte  |         |        |         |  if flagged        |
 *   +---------+---------+--------+---------+--------+---------+------------+-------+
 *   +---------+---------+----------+----------+
 *   | offsets |  kinds  |  values  | checksum |
 *   |         | if mixed|          |if flagged|
 *   +---------+---------+----------+----------+
 *
 *   version 0xA1; flags below 8 stand alone as 0xC0 + flags
 *   flags   bits 0-1  kind: 0 integers, 1 doubles, 2 mixed
 *           bit  2    unit of offsets: 0 seconds, 1 milliseconds
 *           bit  3    statistics present
 *           bit  4    checksum present
 *           bits 5-7  0
 *           1mmmmuss, 011ssssu and 00010u11 mark the plain form ({@link PlainForm}); flipping one
 *           bit never turns a cell with a checksum into a plain cell without
 *   time    bits 4-7  offset encoding   bits 0-3  step code, 0 when the step is written out
 * </pre>
 */
final class PackedCellDescriptor {
  /** High nibble marks a packed cell, low nibble is the version. */
  static final int VERSION_1 = 0xA1;

  /**
   * First byte of a cell of version 1 whose flags are below 8, plus these flags. It differs from
   * the version byte in two bits or more, so that flipping one bit never removes a checksum.
   */
  static final int FLAGS_1 = 0xC0;

  static final int FLAGS_1_MASK = 0xF8;

  static final int KIND_MASK = 0x03;
  static final int KIND_LONGS = 0;
  static final int KIND_DOUBLES = 1;
  static final int KIND_MIXED = 2;
  static final int FLAG_MILLISECONDS = 0x04;
  static final int FLAG_STATISTICS = 0x08;
  static final int FLAG_CHECKSUM = 0x10;
  static final int RESERVED_FLAGS = 0xE0;

  /** Kind of the plain form with a checksum; bit 3 is 0, bit 4 is 1. */
  static final int KIND_PLAIN = 3;

  static final int PLAIN_CHECKED_MASK = 0xFB;
  static final int PLAIN_CHECKED = FLAG_CHECKSUM | KIND_PLAIN;

  /** Plain form of 1 to 14 points: four bits of count, unit, two bits of the first digits. */
  static final int FLAG_PLAIN_SHORT = 0x80;

  /** Plain form of any count: four bits of the first digits, unit. */
  static final int PLAIN_LONG = 0x60;

  static final int PLAIN_LONG_MASK = 0xE0;

  /** Offsets 0, step, 2 step, ... as many as the hour holds. */
  static final int FULL_HOUR = 0;

  /** Offsets 0, step, 2 step, ... */
  static final int FROM_BASE = 1;

  /** First offset, then one step each. */
  static final int REGULAR = 2;

  /** First offset, then slots of one step, some of them without a point. */
  static final int HOLES = 3;

  /** As {@link #HOLES}, and the distance of each point from its slot. */
  static final int JITTER = 4;

  /** The offsets themselves as a run of integers; no step. */
  static final int LIST = 5;

  /** Most points of one cell. */
  static final int MAX_POINTS = 65_536;

  static final int CHECK_BYTES = 2;
  static final int CHECKSUM_BYTES = 4;

  /**
   * Cells of this many points and more have a checksum. Below, it would be larger than what it
   * protects, and HBase's block checksums have to do.
   */
  static final int CHECKSUM_FROM_POINTS = 64;

  /** Cells of fewer points decode so fast that statistics are not worth their bytes. */
  static final int STATISTICS_FROM_POINTS = 256;

  private static final int[] SECONDS = {
    0, 1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1200, 1800
  };

  private static final int[] MILLISECONDS = {
    0, 1, 2, 5, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500, 1000, 2000
  };

  private static final int MS_PER_SECOND = 1000;

  private PackedCellDescriptor() {}

  /** Step of a code 1 to 15, in units. */
  static int stepOf(int code, boolean milliseconds) {
    return (milliseconds ? MILLISECONDS : SECONDS)[code];
  }

  /** Code of a step; 0 if it has none. */
  static int stepCode(int step, boolean milliseconds) {
    int[] steps = milliseconds ? MILLISECONDS : SECONDS;
    for (int code = 1; code < steps.length; code++) {
      if (steps[code] == step) {
        return code;
      }
    }
    return 0;
  }

  static int unitMs(boolean milliseconds) {
    return milliseconds ? 1 : MS_PER_SECOND;
  }
}
