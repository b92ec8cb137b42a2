package io.packhorse.schema.packed;

import java.util.Arrays;

/**
 * The distinct values of a run, sorted, and each value's place among them. Open addressing, at most
 * a quarter full. Reusable, one instance a thread.
 */
final class Dictionary {
  /** More distinct values never pay: an id would take 12 bits and more. */
  private static final int ENTRIES_MAX = 4096;

  private static final int SAMPLE = 128;

  /** Of which as many are looked at where that leaves it open. */
  private static final int LARGE_SAMPLE = 512;

  private static final int SLOTS = 4 * ENTRIES_MAX;

  private long[] keys = new long[0];
  private int[] ranks = new int[0];

  /** Slots used by the current build have its number. */
  private int[] used = new int[0];

  private int build;
  private long[] sorted = new long[0];

  /** Distinct values of the last {@link #build}, rising. */
  long[] sorted() {
    return sorted;
  }

  /**
   * About how many distinct values there are, by how many of a few of them are equal; the largest
   * int if none is.
   */
  int estimate(long[] values, int count) {
    return estimate(values, count, SAMPLE);
  }

  /**
   * As {@link #estimate}, which gave {@code few}, by some more of them where that may be far off;
   * the largest int if there are too many for {@link #build}.
   */
  int closerEstimate(long[] values, int count, int few) {
    int most = entriesMax(count);
    if (few <= most / 8 || count <= LARGE_SAMPLE) {
      return few;
    }
    int more = estimate(values, count, LARGE_SAMPLE);
    return more > most ? Integer.MAX_VALUE : more;
  }

  private int estimate(long[] values, int count, int samplesMax) {
    int samples = Math.min(count, samplesMax);
    int equal = samples - distinct(values, count, count / samples, samples);
    if (equal == 0) {
      return Integer.MAX_VALUE;
    }
    // Of s draws from n values a share y = 1 - (1 - e^-x) / x is equal to an earlier one, where x
    // is s / n: the first terms of x by y.
    double share = (double) equal / samples;
    return (int) (samples / (share * (2 + share * (4 + share * 10 / 3) / 3)));
  }

  /** Whether a good part of the values occurs more than once. */
  boolean repeats(long[] values, int count) {
    return distinct(values, count, 1, ENTRIES_MAX) < Math.min(count, ENTRIES_MAX) / 4 * 3;
  }

  private int distinct(long[] values, int count, int step, int samplesMax) {
    start();
    int distinct = 0;
    int samples = 0;
    for (int i = 0; i < count && samples < samplesMax; i += step, samples++) {
      if (insert(values[i])) {
        distinct++;
      }
    }
    return distinct;
  }

  /** Counts and sorts the distinct values; 0 if there are too many to pay. */
  int build(long[] values, int count) {
    int entriesMax = entriesMax(count);
    sorted = Scratch.longs(sorted, entriesMax);
    start();
    int entries = 0;
    for (int i = 0; i < count; i++) {
      if (insert(values[i])) {
        if (entries == entriesMax) {
          return 0;
        }
        sorted[entries++] = values[i];
      }
    }
    Arrays.sort(sorted, 0, entries);
    for (int i = 0; i < entries; i++) {
      ranks[find(sorted[i])] = i;
    }
    return entries;
  }

  private static int entriesMax(int count) {
    return Math.min(ENTRIES_MAX, count / 2);
  }

  /** Places of the values in {@link #sorted}. */
  void ids(long[] values, int count, long[] ids) {
    for (int i = 0; i < count; i++) {
      ids[i] = ranks[find(values[i])];
    }
  }

  private void start() {
    if (keys.length == 0) {
      keys = new long[SLOTS];
      ranks = new int[SLOTS];
      used = new int[SLOTS];
    }
    if (++build == Integer.MAX_VALUE) {
      build = 1;
      Arrays.fill(used, 0);
    }
  }

  private int find(long value) {
    int slot = (int) ((value * 0x9e37_79b9_7f4a_7c15L) >>> 40) & (SLOTS - 1);
    while (used[slot] == build && keys[slot] != value) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    return slot;
  }

  private boolean insert(long value) {
    int slot = find(value);
    if (used[slot] == build) {
      return false;
    }
    used[slot] = build;
    keys[slot] = value;
    return true;
  }
}
