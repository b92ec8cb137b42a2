package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.HOLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.JITTER;
import static io.packhorse.schema.packed.PackedCellDescriptor.REGULAR;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;

/** Reads the offsets of a cell's points (format.md section 6). Reusable, one instance a thread. */
final class OffsetReader {
  private final RegularOffsets regular = new RegularOffsets();

  /**
   * Reads the offsets into {@code offsetsMs[0, count)}.
   *
   * @param scratch room for as many values, overwritten
   */
  void read(
      ByteReader in,
      byte[] bytes,
      HeaderScan header,
      IntegerReader integers,
      long[] scratch,
      int[] offsetsMs)
      throws MalformedCellException {
    int count = header.count;
    int unitMs = PackedCellDescriptor.unitMs(header.milliseconds);
    int at = in.position();
    if (header.offsets <= REGULAR) {
      regular.fill(offsetsMs, count, header.first * unitMs, header.step * unitMs);
      return;
    }
    if (header.offsets == HOLES) {
      readSlots(in, header, unitMs, PointBlock.HOUR_MS, offsetsMs);
    } else if (header.offsets == JITTER) {
      // The slot of the last point may lie in the next hour.
      readSlots(in, header, 1, 2 * PointBlock.HOUR_MS, offsetsMs);
      at = in.position();
      integers.read(in, bytes, count, scratch);
      for (int i = 0; i < count; i++) {
        scratch[i] += offsetsMs[i];
      }
      copy(scratch, count, unitMs, at, offsetsMs);
    } else {
      integers.read(in, bytes, count, scratch);
      copy(scratch, count, unitMs, at, offsetsMs);
    }
    if (header.hasStatistics
        && (offsetsMs[0] != header.firstOffsetMs || offsetsMs[count - 1] != header.lastOffsetMs)) {
      throw new MalformedCellException(
          at, "packed cell: offsets must begin and end where the header says");
    }
  }

  private static void readSlots(
      ByteReader in, HeaderScan header, int unitMs, int endMs, int[] offsetsMs)
      throws MalformedCellException {
    int count = header.count;
    int end = endMs / PackedCellDescriptor.unitMs(header.milliseconds);
    int at = in.position();
    int holes = in.readVarInt();
    if (holes >= count) {
      throw new MalformedCellException(
          at, "packed cell: holes must be fewer than points: holes=" + holes);
    }
    long offset = header.first;
    int step = header.step;
    int i = 0;
    for (; holes > 0; holes--) {
      at = in.position();
      int present = in.readVarInt();
      int absent = in.readVarInt();
      if (present < 1 || present >= count - i || absent < 1) {
        throw new MalformedCellException(
            at,
            "packed cell: runs of slots must not be empty or pass the count: present="
                + present
                + ", absent="
                + absent);
      }
      for (int to = i + present; i < to; i++, offset += step) {
        offsetsMs[i] = (int) offset * unitMs;
      }
      offset += (long) absent * step;
      checkSlot(offset, end, at);
    }
    checkSlot(offset + (count - i - 1L) * step, end, at);
    for (; i < count; i++, offset += step) {
      offsetsMs[i] = (int) offset * unitMs;
    }
  }

  private static void checkSlot(long offset, int end, int at) throws MalformedCellException {
    if (offset >= end) {
      throw new MalformedCellException(
          at, "packed cell: slots must lie inside the hour: offset=" + offset);
    }
  }

  private static void copy(long[] offsets, int count, int unitMs, int at, int[] offsetsMs)
      throws MalformedCellException {
    long last = -1;
    long end = PointBlock.HOUR_MS / unitMs;
    for (int i = 0; i < count; i++) {
      long offset = offsets[i];
      if (offset <= last || offset >= end) {
        throw new MalformedCellException(
            at,
            "packed cell: offsets must rise inside the hour: index="
                + i
                + ", offset="
                + offset
                + ", last="
                + last);
      }
      last = offset;
      offsetsMs[i] = (int) offset * unitMs;
    }
  }
}
