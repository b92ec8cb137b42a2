package io.packhorse.loader.pack;

import java.util.Arrays;

/**
 * Finds hours that may have been sealed twice: points of their cells may share times, and nobody
 * has compared them. Of each series only the first and the last sealed hour are remembered, so an
 * hour between them counts even if it is new. One thread.
 */
final class SealedHours {
  /** More hours than this are not named: 8 MiB. */
  private static final int KEPT_MAX = 1 << 20;

  private static final int NONE = -1;

  /** By series; NONE if none is sealed. */
  private int[] first = {};

  private int[] last = {};

  private long[] again = {};
  private int count;
  private boolean complete = true;

  /** The series sealed last, and its hours that were sealed before this pass came to it. */
  private int series = NONE;

  private int firstBefore = NONE;
  private int lastBefore = NONE;

  /** From now on hours are sealed in the order of their series, each once. */
  void beginPass() {
    series = NONE;
  }

  /** Adds an hour that is sealed now. */
  void add(int ofSeries, int hour) {
    if (ofSeries >= last.length) {
      int known = last.length;
      int room = Math.max(ofSeries + 1, known + (known >> 1));
      first = Arrays.copyOf(first, room);
      last = Arrays.copyOf(last, room);
      Arrays.fill(first, known, room, NONE);
      Arrays.fill(last, known, room, NONE);
    }
    if (ofSeries != series) {
      series = ofSeries;
      firstBefore = first[ofSeries];
      lastBefore = last[ofSeries];
    }
    if (lastBefore != NONE && hour >= firstBefore && hour <= lastBefore) {
      keep((long) ofSeries << Integer.SIZE | hour);
    }
    first[ofSeries] = first[ofSeries] == NONE ? hour : Math.min(first[ofSeries], hour);
    last[ofSeries] = Math.max(last[ofSeries], hour);
  }

  private void keep(long key) {
    if (count == KEPT_MAX) {
      complete = false;
      return;
    }
    if (count == again.length) {
      again = Arrays.copyOf(again, Math.max(16, count * 2));
    }
    again[count++] = key;
  }

  /** Series and hour (since 1970) in the upper and the lower half; some may be named twice. */
  long[] again() {
    return Arrays.copyOf(again, count);
  }

  /** Whether {@link #again} names all of them. */
  boolean complete() {
    return complete;
  }
}
