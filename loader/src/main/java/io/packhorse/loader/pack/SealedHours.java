package io.packhorse.loader.pack;

import io.packhorse.loader.point.IntBlocks;
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

  /** A series has the place that is its number divided by this. */
  private final int every;

  /** By place; NONE if no hour is sealed. */
  private final IntBlocks first = new IntBlocks(NONE);

  private final IntBlocks last = new IntBlocks(NONE);

  private long[] again = {};
  private int count;
  private boolean complete = true;

  /** The series sealed last, and its hours that were sealed before this pass came to it. */
  private int series = NONE;

  private int firstBefore = NONE;
  private int lastBefore = NONE;

  /**
   * @param every of the numbers of the series, which all leave the same rest when divided by it
   */
  SealedHours(int every) {
    this.every = every;
  }

  /** From now on hours are sealed in the order of their series, each once. */
  void beginPass() {
    series = NONE;
  }

  /** Adds an hour that is sealed now. */
  void add(int ofSeries, int hour) {
    int place = ofSeries / every;
    int firstHere = first.get(place);
    int lastHere = last.get(place);
    if (ofSeries != series) {
      series = ofSeries;
      firstBefore = firstHere;
      lastBefore = lastHere;
    }
    if (lastBefore != NONE && hour >= firstBefore && hour <= lastBefore) {
      keep((long) ofSeries << Integer.SIZE | hour);
    }
    if (firstHere == NONE || hour < firstHere) {
      first.set(place, hour);
    }
    if (hour > lastHere) {
      last.set(place, hour);
    }
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
