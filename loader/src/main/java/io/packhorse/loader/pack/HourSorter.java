package io.packhorse.loader.pack;

import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Sorts the points of one hour of one series by time; of equal times the last one taken counts.
 * Points that come in order go straight into a block, the others are collected and merged into it.
 * One thread.
 */
final class HourSorter {
  /** Points out of order that are collected before they are merged: at most 17 MB. */
  private static final int LATE_MAX = 1 << 20;

  private static final long OFFSET_BITS = 22;
  private static final long ARRIVAL_MASK = (1L << (63 - OFFSET_BITS)) - 1;

  private PointBlock block = new PointBlock();
  private PointBlock scratch = new PointBlock(0);

  /** Points out of order: sort keys (offset << 41 | arrival); values and kinds are by arrival. */
  private long[] lateOrder = new long[0];

  private long[] lateBits = new long[0];
  private boolean[] lateIsDouble = new boolean[0];
  private int late;
  private long taken;
  private int repeatedOffsetMs;

  /** Forgets all points. */
  void clear() {
    block.clear();
    late = 0;
    taken = 0;
  }

  /** Points taken since {@link #clear}, including those that were replaced. */
  long taken() {
    return taken;
  }

  /** A time that several points had, in the hour; after {@link #merged}, if any were replaced. */
  int repeatedOffsetMs() {
    return repeatedOffsetMs;
  }

  /**
   * Takes points of an hour from the front of {@code [from, to)}.
   *
   * @param baseMs start of the hour
   * @return index of the first point of another hour, or {@code to}
   */
  int take(long[] timestampsMs, long[] bits, boolean[] isDouble, int from, int to, long baseMs) {
    int end = takeWhileInHour(timestampsMs, bits, isDouble, from, to, baseMs);
    taken += end - from;
    return end;
  }

  private int takeWhileInHour(
      long[] timestampsMs, long[] bits, boolean[] isDouble, int from, int to, long baseMs) {
    int i = from;
    while (i < to) {
      i = block.appendRising(timestampsMs, bits, isDouble, i, to, baseMs);
      if (i == to) {
        return i;
      }
      long offset = timestampsMs[i] - baseMs;
      if (offset < 0 || offset >= PointBlock.HOUR_MS) {
        return i;
      }
      addLate((int) offset, bits[i], isDouble[i]);
      i++;
    }
    return i;
  }

  /**
   * Takes points.
   *
   * @param times offset in milliseconds times two, plus one for a double
   */
  void take(int[] times, long[] bits, int from, int count) {
    block.ensureCapacity(block.count() + count);
    int[] offsets = block.offsetsMs();
    long[] values = block.values();
    boolean[] isDouble = block.isDouble();
    int held = block.count();
    int doubles = block.doubles();
    int last = held == 0 ? -1 : offsets[held - 1];
    int i = from;
    int end = from + count;
    for (; i < end && times[i] >> 1 > last; i++) {
      last = times[i] >> 1;
      offsets[held] = last;
      values[held] = bits[i];
      isDouble[held] = (times[i] & 1) != 0;
      doubles += times[i] & 1;
      held++;
    }
    block.filledInOrder(held, doubles);
    taken += count;
    for (; i < end; i++) {
      takeOne(times[i] >> 1, bits[i], (times[i] & 1) != 0);
    }
  }

  /** Takes points in order. */
  void take(PointBlock points) {
    taken += points.count();
    for (int i = 0; i < points.count(); i++) {
      takeOne(points.offsetsMs()[i], points.values()[i], points.isDouble()[i]);
    }
  }

  private void takeOne(int offsetMs, long bits, boolean pointIsDouble) {
    int held = block.count();
    if (held == 0 || offsetMs > block.offsetsMs()[held - 1]) {
      block.add(offsetMs, bits, pointIsDouble);
    } else {
      addLate(offsetMs, bits, pointIsDouble);
    }
  }

  private void addLate(int offsetMs, long bits, boolean pointIsDouble) {
    if (late == LATE_MAX) {
      merged();
      takeOne(offsetMs, bits, pointIsDouble);
      return;
    }
    if (late == lateOrder.length) {
      int capacity = Math.max(64, late * 2);
      lateOrder = Arrays.copyOf(lateOrder, capacity);
      lateBits = Arrays.copyOf(lateBits, capacity);
      lateIsDouble = Arrays.copyOf(lateIsDouble, capacity);
    }
    lateOrder[late] = ((long) offsetMs << (63 - OFFSET_BITS)) | late;
    lateBits[late] = bits;
    lateIsDouble[late] = pointIsDouble;
    late++;
  }

  /** The points in order, each time once. Valid until more points are taken, or all cleared. */
  PointBlock merged() {
    if (late == 0) {
      return block;
    }
    Arrays.sort(lateOrder, 0, late);
    scratch.clear();
    int inOrder = 0;
    int[] offsets = block.offsetsMs();
    for (int i = 0; i < late; i++) {
      int offset = offset(lateOrder[i]);
      if (i + 1 < late && offset(lateOrder[i + 1]) == offset) {
        repeatedOffsetMs = offset;
        continue;
      }
      while (inOrder < block.count() && offsets[inOrder] < offset) {
        copy(inOrder++);
      }
      if (inOrder < block.count() && offsets[inOrder] == offset) {
        repeatedOffsetMs = offset;
        inOrder++;
      }
      int arrival = (int) (lateOrder[i] & ARRIVAL_MASK);
      scratch.add(offset, lateBits[arrival], lateIsDouble[arrival]);
    }
    while (inOrder < block.count()) {
      copy(inOrder++);
    }
    PointBlock merged = scratch;
    scratch = block;
    block = merged;
    late = 0;
    return merged;
  }

  private void copy(int index) {
    scratch.add(block.offsetsMs()[index], block.values()[index], block.isDouble()[index]);
  }

  private static int offset(long order) {
    return (int) (order >>> (63 - OFFSET_BITS));
  }
}
