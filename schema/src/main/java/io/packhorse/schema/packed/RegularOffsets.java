package io.packhorse.schema.packed;

import java.util.Arrays;

/**
 * Offsets of regular points, cached from block to block: most series of a table share them, and
 * copying or comparing is several times faster than computing them. Reusable, one instance per
 * thread.
 */
final class RegularOffsets {
  private int[] offsetsMs = new int[0];
  private int count;
  private int firstMs;
  private int stepMs;

  /** Whether {@code offsets[0, points)} are first, first + step, ... */
  boolean match(int[] offsets, int points, int first, int step) {
    make(first, step, points);
    return Arrays.mismatch(offsets, 0, points, offsetsMs, 0, points) < 0;
  }

  /** Fills {@code offsets[0, points)} with first, first + step, ... */
  void fill(int[] offsets, int points, int first, int step) {
    make(first, step, points);
    System.arraycopy(offsetsMs, 0, offsets, 0, points);
  }

  private void make(int first, int step, int points) {
    if (first == firstMs && step == stepMs && points <= count) {
      return;
    }
    offsetsMs = Scratch.ints(offsetsMs, points);
    for (int i = 0; i < points; i++) {
      offsetsMs[i] = first + i * step;
    }
    count = points;
    firstMs = first;
    stepMs = step;
  }
}
