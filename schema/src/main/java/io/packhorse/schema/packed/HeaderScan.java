package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_BYTES;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAGS_1;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAGS_1_MASK;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_CHECKSUM;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_MILLISECONDS;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_PLAIN_SHORT;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_STATISTICS;
import static io.packhorse.schema.packed.PackedCellDescriptor.FROM_BASE;
import static io.packhorse.schema.packed.PackedCellDescriptor.FULL_HOUR;
import static io.packhorse.schema.packed.PackedCellDescriptor.JITTER;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_MASK;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_MIXED;
import static io.packhorse.schema.packed.PackedCellDescriptor.LIST;
import static io.packhorse.schema.packed.PackedCellDescriptor.MAX_POINTS;
import static io.packhorse.schema.packed.PackedCellDescriptor.PLAIN_CHECKED;
import static io.packhorse.schema.packed.PackedCellDescriptor.PLAIN_CHECKED_MASK;
import static io.packhorse.schema.packed.PackedCellDescriptor.PLAIN_LONG;
import static io.packhorse.schema.packed.PackedCellDescriptor.PLAIN_LONG_MASK;
import static io.packhorse.schema.packed.PackedCellDescriptor.REGULAR;
import static io.packhorse.schema.packed.PackedCellDescriptor.RESERVED_FLAGS;
import static io.packhorse.schema.packed.PackedCellDescriptor.VERSION_1;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.zip.CRC32C;

/** Reads headers (format.md section 4) into its own fields. Reusable, one instance per thread. */
final class HeaderScan {
  private static final int HIGH_NIBBLE = 0xF0;
  private static final int PACKED = 0xA0;
  private static final int CHECK_MASK = 0xffff;

  final StatisticsCode statistics = new StatisticsCode();
  private final CRC32C crc = new CRC32C();

  int flags;
  boolean plain;
  int kind;
  boolean milliseconds;
  boolean hasStatistics;
  boolean checksum;
  int count;

  /** Offset encoding; {@link PackedCellDescriptor#LIST} for the plain form. */
  int offsets;

  /** Step in units; 0 for a list. */
  int step;

  /** First offset in units; the slot of the first point for {@link PackedCellDescriptor#JITTER}. */
  int first;

  /** In milliseconds; -1 if the header does not have it. */
  int firstOffsetMs;

  int lastOffsetMs;

  /**
   * Reads the header; the reader is left at the first byte after it.
   *
   * @param bytes the array behind {@code in}; the cell starts at its index 0
   */
  void read(ByteReader in, byte[] bytes) throws MalformedCellException {
    int mark = in.readByte();
    if ((mark & FLAGS_1_MASK) == FLAGS_1) {
      flags = mark & ~FLAGS_1_MASK;
    } else if (mark == VERSION_1) {
      flags = in.readByte();
    } else {
      throw otherVersion(mark);
    }
    plain =
        (flags & FLAG_PLAIN_SHORT) != 0
            || (flags & PLAIN_LONG_MASK) == PLAIN_LONG
            || (flags & PLAIN_CHECKED_MASK) == PLAIN_CHECKED;
    hasStatistics = false;
    firstOffsetMs = -1;
    lastOffsetMs = -1;
    if (plain) {
      readPlain(in);
    } else {
      readGeneral(in, bytes);
    }
  }

  private static MalformedCellException otherVersion(int mark) {
    return (mark & HIGH_NIBBLE) == PACKED
        ? new CellVersionException(mark & ~HIGH_NIBBLE)
        : new MalformedCellException(
            0,
            "packed cell: first byte must be 0xA1 or 0xC0 to 0xC6: found=0x"
                + Integer.toHexString(mark));
  }

  private void readPlain(ByteReader in) throws MalformedCellException {
    kind = KIND_MIXED;
    offsets = LIST;
    step = 0;
    first = 0;
    checksum = false;
    if ((flags & FLAG_PLAIN_SHORT) != 0) {
      milliseconds = (flags & FLAG_MILLISECONDS) != 0;
      count = PlainForm.shortCount(flags);
      return;
    }
    if ((flags & PLAIN_LONG_MASK) == PLAIN_LONG) {
      milliseconds = (flags & PlainForm.LONG_MILLISECONDS) != 0;
    } else {
      milliseconds = (flags & FLAG_MILLISECONDS) != 0;
      checksum = true;
    }
    count = readCount(in);
  }

  private void readGeneral(ByteReader in, byte[] bytes) throws MalformedCellException {
    kind = flags & KIND_MASK;
    if ((flags & RESERVED_FLAGS) != 0 || kind > KIND_MIXED) {
      throw new MalformedCellException(
          in.position() - 1,
          "packed cell: reserved flags must be 0 and kind at most 2: flags=0x"
              + Integer.toHexString(flags));
    }
    milliseconds = (flags & FLAG_MILLISECONDS) != 0;
    checksum = (flags & FLAG_CHECKSUM) != 0;
    int timeAt = in.position();
    int timeByte = in.readByte();
    offsets = timeByte >>> 4;
    if (offsets > LIST || (offsets == LIST && timeByte != LIST << 4)) {
      throw new MalformedCellException(
          timeAt, "packed cell: unknown time byte: found=0x" + Integer.toHexString(timeByte));
    }
    count = offsets == FULL_HOUR ? 0 : readCount(in);
    step = offsets == LIST ? 0 : readStep(in, timeByte & 0x0f);
    first = offsets <= FROM_BASE || offsets == LIST ? 0 : in.readVarInt();
    int unitMs = PackedCellDescriptor.unitMs(milliseconds);
    if (offsets == FULL_HOUR) {
      count = (PointBlock.HOUR_MS / unitMs - 1) / step + 1;
      if (count > MAX_POINTS) {
        throw new MalformedCellException(
            timeAt,
            "packed cell: full hour must have at most " + MAX_POINTS + " points: count=" + count);
      }
    }
    if (offsets <= REGULAR) {
      checkInHour(first + (count - 1L) * step, unitMs, timeAt);
      firstOffsetMs = first * unitMs;
      lastOffsetMs = (first + (count - 1) * step) * unitMs;
    } else if (offsets <= JITTER) {
      checkInHour(first, unitMs, timeAt);
    }
    if ((flags & FLAG_STATISTICS) != 0) {
      readStatistics(in, bytes, unitMs);
    }
  }

  private void readStatistics(ByteReader in, byte[] bytes, int unitMs)
      throws MalformedCellException {
    if (offsets > REGULAR) {
      int at = in.position();
      long from = in.readVarInt();
      long to = from + in.readVarInt();
      checkInHour(to, unitMs, at);
      firstOffsetMs = (int) from * unitMs;
      lastOffsetMs = (int) to * unitMs;
    }
    statistics.read(in, kind, count);
    int at = in.position();
    crc.reset();
    crc.update(bytes, 0, at);
    int expected = (int) crc.getValue() & CHECK_MASK;
    int found = in.readByte() | in.readByte() << 8;
    if (expected != found) {
      throw new MalformedCellException(
          at,
          "packed cell: check of the header does not match the bytes before it: expected=0x"
              + Integer.toHexString(expected)
              + ", found=0x"
              + Integer.toHexString(found));
    }
    hasStatistics = true;
  }

  private static int readCount(ByteReader in) throws MalformedCellException {
    int at = in.position();
    int count = in.readVarInt();
    if (count < 1 || count > MAX_POINTS) {
      throw new MalformedCellException(
          at, "packed cell: point count must be 1 to " + MAX_POINTS + ": count=" + count);
    }
    return count;
  }

  private int readStep(ByteReader in, int code) throws MalformedCellException {
    int at = in.position();
    int units = code == 0 ? in.readVarInt() : PackedCellDescriptor.stepOf(code, milliseconds);
    if (units < 1 || units >= PointBlock.HOUR_MS) {
      throw new MalformedCellException(
          at, "packed cell: step must be at least 1 and inside the hour: step=" + units);
    }
    return units;
  }

  static void checkInHour(long offset, int unitMs, int at) throws MalformedCellException {
    if (offset >= PointBlock.HOUR_MS / unitMs) {
      throw new MalformedCellException(
          at, "packed cell: last offset must lie inside the hour: offset=" + offset);
    }
  }

  /** Verifies the checksum, if there is one; returns the index after the last field. */
  int checkedEnd(byte[] cell, int from, int length) throws MalformedCellException {
    if (!checksum) {
      return length;
    }
    int end = length - CHECKSUM_BYTES;
    if (end < from) {
      throw new MalformedCellException(
          length, "packed cell: checksum is missing: length=" + length);
    }
    crc.reset();
    crc.update(cell, 0, end);
    int expected = (int) crc.getValue();
    int found = (int) BitPacking.load(cell, end);
    if (expected != found) {
      throw new MalformedCellException(
          end,
          "packed cell: checksum does not match the bytes before it: expected=0x"
              + Integer.toHexString(expected)
              + ", found=0x"
              + Integer.toHexString(found));
    }
    return end;
  }
}
