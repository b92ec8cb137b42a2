package io.packhorse.loader.pack;

import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * One hour of one series while points still come in. Points in order go straight into a block;
 * others wait and are merged when the hour is sealed, the later arrival winning among equal times.
 */
final class OpenHour {
  private static final long OFFSET_BITS = 22;
  private static final long ARRIVAL_MASK = (1L << (63 - OFFSET_BITS)) - 1;

  private PointBlock block = new PointBlock();
  private PointBlock scratch = new PointBlock(0);

  /** Late points: (offset << 41 | arrival) for sorting, with value and kind by arrival. */
  private long[] lateOrder = new long[0];

  private long[] lateBits = new long[0];
  private boolean[] lateIsDouble = new boolean[0];
  private int late;
  private long baseSeconds;

  void open(long base) {
    baseSeconds = base;
    block.clear();
    late = 0;
  }

  long baseSeconds() {
    return baseSeconds;
  }

  /** Points held, those that will replace each other counted each. */
  int points() {
    return block.count() + late;
  }

  /**
   * Takes points of this hour from the front of {@code [from, to)}.
   *
   * @return index of the first point of another hour, or {@code to}
   */
  int take(long[] timestampsMs, long[] bits, boolean[] isDouble, int from, int to) {
    long baseMs = baseSeconds * 1000;
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

  private void addLate(int offsetMs, long bits, boolean pointIsDouble) {
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

  /**
   * The points of the hour in order, each time once; valid until the hour is opened or takes points
   * again, which it may.
   */
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
        continue;
      }
      while (inOrder < block.count() && offsets[inOrder] < offset) {
        copy(inOrder++);
      }
      if (inOrder < block.count() && offsets[inOrder] == offset) {
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
