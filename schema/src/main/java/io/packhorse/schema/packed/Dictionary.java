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

  private static final int SLOTS_BITS = 14;
  private static final int SLOTS = 1 << SLOTS_BITS;

  /** Values that lie as close together are counted by a bit each. */
  private static final int MARKS = 1024;

  private final long[] marks = new long[MARKS / Long.SIZE];

  /** Distinct values in the words of marks before. */
  private final int[] before = new int[MARKS / Long.SIZE];

  /** Whether the last {@link #build} was by marks. */
  private boolean marked;

  private long firstMark;

  private long[] keys = new long[0];
  private int[] ranks = new int[0];

  /** Slots used by the current build have its number. */
  private int[] used = new int[0];

  private int build;

  /** Of a hash to its slot. */
  private int shift;

  private long[] sorted = new long[0];

  /** Distinct values of the last {@link #build}, rising. */
  long[] sorted() {
    return sorted;
  }

  /**
   * About how many distinct values there are, by how many of a few of them are equal; the largest
   * int if none is, or there are too many for {@link #build}.
   */
  int estimate(long[] values, int count, long least, long greatest) {
    return estimate(values, count, least, greatest, SAMPLE);
  }

  /**
   * As {@link #estimate}, which gave {@code few}, by all of them where they lie close together, by
   * some more where that may be far off; the largest int if there are too many for {@link #build}.
   */
  int closerEstimate(long[] values, int count, long least, long greatest, int few) {
    int most = entriesMax(count);
    if (areClose(least, greatest)) {
      int distinct = distinctMarks(values, count, least, greatest, 1, count);
      return distinct > most ? Integer.MAX_VALUE : distinct;
    }
    if (few <= most / 8 || count <= LARGE_SAMPLE) {
      return few;
    }
    int more = estimate(values, count, least, greatest, LARGE_SAMPLE);
    return more > most ? Integer.MAX_VALUE : more;
  }

  private int estimate(long[] values, int count, long least, long greatest, int samplesMax) {
    int samples = Math.min(count, samplesMax);
    int distinct = distinct(values, count, least, greatest, count / samples, samples);
    if (distinct == samples || (samples == count && distinct > entriesMax(count))) {
      return Integer.MAX_VALUE;
    }
    int equal = samples - distinct;
    // Of s draws from n values a share y = 1 - (1 - e^-x) / x is equal to an earlier one, where x
    // is s / n: the first terms of x by y.
    double share = (double) equal / samples;
    return (int) (samples / (share * (2 + share * (4 + share * 10 / 3) / 3)));
  }

  /** Whether a good part of the values occurs more than once. */
  boolean repeats(long[] values, int count, long least, long greatest) {
    return distinct(values, count, least, greatest, 1, ENTRIES_MAX)
        < Math.min(count, ENTRIES_MAX) / 4 * 3;
  }

  private int distinct(
      long[] values, int count, long least, long greatest, int step, int samplesMax) {
    if (areClose(least, greatest)) {
      return distinctMarks(values, count, least, greatest, step, samplesMax);
    }
    start(Math.min(count, samplesMax));
    int distinct = 0;
    int samples = 0;
    for (int i = 0; i < count && samples < samplesMax; i += step, samples++) {
      if (insert(values[i])) {
        distinct++;
      }
    }
    return distinct;
  }

  private static boolean areClose(long least, long greatest) {
    return Long.compareUnsigned(greatest - least, MARKS) < 0;
  }

  /** As {@link #distinct}, without a branch that equal values would turn here and there. */
  private int distinctMarks(
      long[] values, int count, long least, long greatest, int step, int samplesMax) {
    int words = ((int) (greatest - least) >>> 6) + 1;
    Arrays.fill(marks, 0, words, 0);
    int samples = 0;
    for (int i = 0; i < count && samples < samplesMax; i += step, samples++) {
      int above = (int) (values[i] - least);
      marks[above >>> 6] |= 1L << above;
    }
    int distinct = 0;
    for (int i = 0; i < words; i++) {
      distinct += Long.bitCount(marks[i]);
    }
    return distinct;
  }

  /** Counts and sorts the distinct values; 0 if there are too many to pay. */
  int build(long[] values, int count, long least, long greatest) {
    int entriesMax = entriesMax(count);
    sorted = Scratch.longs(sorted, entriesMax);
    marked = areClose(least, greatest);
    if (marked) {
      return buildMarks(values, count, least, greatest, entriesMax);
    }
    start(entriesMax + 1);
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

  private int buildMarks(long[] values, int count, long least, long greatest, int entriesMax) {
    if (distinctMarks(values, count, least, greatest, 1, count) > entriesMax) {
      return 0;
    }
    firstMark = least;
    int words = ((int) (greatest - least) >>> 6) + 1;
    int entries = 0;
    for (int word = 0; word < words; word++) {
      before[word] = entries;
      for (long left = marks[word]; left != 0; left &= left - 1) {
        sorted[entries++] = least + ((long) word << 6) + Long.numberOfTrailingZeros(left);
      }
    }
    return entries;
  }

  private static int entriesMax(int count) {
    return Math.min(ENTRIES_MAX, count / 2);
  }

  /** Places of the values in {@link #sorted}. */
  void ids(long[] values, int count, long[] ids) {
    if (marked) {
      for (int i = 0; i < count; i++) {
        int above = (int) (values[i] - firstMark);
        int word = above >>> 6;
        ids[i] = (long) before[word] + Long.bitCount(marks[word] & ((1L << above) - 1));
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      ids[i] = ranks[find(values[i])];
    }
  }

  /** Forgets all values; so few slots that the memory of short runs stays in the nearest cache. */
  private void start(int distinctMax) {
    if (keys.length == 0) {
      keys = new long[SLOTS];
      ranks = new int[SLOTS];
      used = new int[SLOTS];
    }
    if (++build == Integer.MAX_VALUE) {
      build = 1;
      Arrays.fill(used, 0);
    }
    shift = 64 - Math.min(SLOTS_BITS, BitPacking.width(distinctMax) + 3);
  }

  private int find(long value) {
    int slot = (int) ((value * 0x9e37_79b9_7f4a_7c15L) >>> shift);
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
