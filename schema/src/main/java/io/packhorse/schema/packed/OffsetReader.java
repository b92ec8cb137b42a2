package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.HOLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.JITTER;
import static io.packhorse.schema.packed.PackedCellDescriptor.LIST;
import static io.packhorse.schema.packed.PackedCellDescriptor.REGULAR;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Reads the offsets of a cell's points (format.md section 6). Reusable, one instance per thread.
 */
final class OffsetReader {
  private final RegularOffsets regular = new RegularOffsets();

  /** For each hole: index of the first point after it, and number of slots without a point. */
  private int[] holeAt = new int[0];

  private int[] absent = new int[0];
  private int holes;

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
    if (header.offsets <= REGULAR) {
      regular.fill(offsetsMs, count, header.first * unitMs, header.step * unitMs);
      return;
    }
    holes = 0;
    if (header.offsets != LIST) {
      readHoles(in, header);
    }
    int at = in.position();
    if (header.offsets == HOLES) {
      Arrays.fill(scratch, 0, count, 0);
      place(scratch, header, at, offsetsMs);
    } else if (header.offsets == JITTER) {
      integers.read(in, bytes, count, scratch);
      place(scratch, header, at, offsetsMs);
    } else {
      int order = integers.readDifferences(in, bytes, count, scratch);
      if (order != 1 || !placeSums(scratch, count, unitMs, offsetsMs)) {
        IntegerReader.sum(scratch, count, order);
        place(scratch, header, at, offsetsMs);
      }
    }
    if (header.hasStatistics
        && (offsetsMs[0] != header.firstOffsetMs || offsetsMs[count - 1] != header.lastOffsetMs)) {
      throw new MalformedCellException(
          at, "packed cell: first and last offset must be those of the header");
    }
  }

  private void readHoles(ByteReader in, HeaderScan header) throws MalformedCellException {
    int count = header.count;
    // With jitter, the slot of the last point may lie in the next hour.
    int hours = header.offsets == JITTER ? 2 : 1;
    int end = hours * PointBlock.HOUR_MS / PackedCellDescriptor.unitMs(header.milliseconds);
    int at = in.position();
    holes = in.readVarInt();
    if (holes >= count) {
      throw new MalformedCellException(
          at, "packed cell: holes must be fewer than points: holes=" + holes);
    }
    holeAt = Scratch.ints(holeAt, holes);
    absent = Scratch.ints(absent, holes);
    int i = 0;
    long slots = 0;
    for (int hole = 0; hole < holes; hole++) {
      at = in.position();
      int present = in.readVarInt();
      int skipped = in.readVarInt();
      if (present < 1 || present >= count - i || skipped < 1) {
        throw new MalformedCellException(
            at,
            "packed cell: runs of slots must not be empty or exceed the count: present="
                + present
                + ", absent="
                + skipped);
      }
      i += present;
      slots += present + (long) skipped;
      checkSlot(header.first + slots * header.step, end, at);
      holeAt[hole] = i;
      absent[hole] = skipped;
    }
    checkSlot(header.first + (slots + count - i - 1) * header.step, end, at);
  }

  private static void checkSlot(long offset, int end, int at) throws MalformedCellException {
    if (offset >= end) {
      throw new MalformedCellException(
          at, "packed cell: slots must lie inside the hour: offset=" + offset);
    }
  }

  /** Offset = slot + distance; for a list all slots are 0. */
  private void place(long[] distances, HeaderScan header, int at, int[] offsetsMs)
      throws MalformedCellException {
    int count = header.count;
    int step = header.step;
    int unitMs = PackedCellDescriptor.unitMs(header.milliseconds);
    int end = PointBlock.HOUR_MS / unitMs;
    long last = -1;
    int slot = header.first;
    int from = 0;
    for (int hole = 0; hole <= holes; hole++) {
      int to = hole == holes ? count : holeAt[hole];
      long before = last;
      last = placeRun(distances, from, to, slot, step, before, offsetsMs);
      if (last == before || last >= end) {
        throw notRising(distances, from, slot, step, before, end, at);
      }
      if (hole < holes) {
        slot += (to - from + absent[hole]) * step;
        from = to;
      }
    }
    if (unitMs != 1) {
      for (int i = 0; i < count; i++) {
        offsetsMs[i] *= unitMs;
      }
    }
  }

  /**
   * Sums the differences of a list.
   *
   * @return false if the offsets do not rise inside the hour
   */
  private static boolean placeSums(long[] differences, int count, int unitMs, int[] offsetsMs) {
    long offset = differences[0];
    offsetsMs[0] = (int) offset * unitMs;
    // No overflow goes unnoticed: a first offset below 2^31 and steps of 1 to 2^31 sum exactly.
    long bad = offset;
    for (int i = 1; i < count; i++) {
      long difference = differences[i];
      offset += difference;
      bad |= difference - 1;
      offsetsMs[i] = (int) offset * unitMs;
    }
    return bad >>> 31 == 0 && offset < PointBlock.HOUR_MS / unitMs;
  }

  /**
   * Writes offsets in units; returns the last, or {@code before} if they do not rise from there.
   */
  private static long placeRun(
      long[] distances, int from, int to, int firstSlot, int step, long before, int[] offsets) {
    long last = before;
    long slot = firstSlot;
    for (int i = from; i < to; i++) {
      long offset = slot + distances[i];
      if (offset <= last) {
        return before;
      }
      last = offset;
      offsets[i] = (int) offset;
      slot += step;
    }
    return last;
  }

  private static MalformedCellException notRising(
      long[] distances, int from, int firstSlot, int step, long before, int end, int at) {
    long last = before;
    int i = from;
    long offset = firstSlot + distances[i];
    while (offset > last && offset < end) {
      last = offset;
      i++;
      offset = firstSlot + (long) (i - from) * step + distances[i];
    }
    return new MalformedCellException(
        at,
        "packed cell: offsets must rise inside the hour: index="
            + i
            + ", offset="
            + offset
            + ", last="
            + last);
  }
}
