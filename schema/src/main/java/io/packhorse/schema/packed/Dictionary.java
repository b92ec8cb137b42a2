package io.packhorse.schema.packed;

import java.util.Arrays;

/**
 * The distinct values of a run, sorted, and the index of each value among them. A hash table with
 * open addressing, at most a quarter full. Reusable, one instance per thread.
 */
final class Dictionary {
  /** With more distinct values a dictionary never pays: an id would take more than 12 bits. */
  private static final int ENTRIES_MAX = 4096;

  private static final int SAMPLE = 128;

  /** Values sampled if the first sample is not conclusive. */
  private static final int LARGE_SAMPLE = 512;

  private static final int SLOTS_BITS = 14;
  private static final int SLOTS = 1 << SLOTS_BITS;

  /** If max - min is below this, distinct values are counted in a bit set. */
  private static final int MARKS = 1024;

  private final long[] marks = new long[MARKS / Long.SIZE];

  /** By word of {@link #marks}: number of distinct values in the words before it. */
  private final int[] before = new int[MARKS / Long.SIZE];

  /** Whether the last {@link #build} used {@link #marks}. */
  private boolean marked;

  private long firstMark;

  private long[] keys = new long[0];
  private int[] ranks = new int[0];

  /** By slot: number of the build that used it last. */
  private int[] used = new int[0];

  private int build;

  /** Right shift from a hash to its slot. */
  private int shift;

  private long[] sorted = new long[0];

  /** Distinct values of the last {@link #build}, ascending. */
  long[] sorted() {
    return sorted;
  }

  /**
   * Estimates the number of distinct values from the share of equal ones in a sample.
   *
   * @return the largest int if the sample has no equal values, or there are too many distinct ones
   *     for {@link #build}
   */
  int estimate(long[] values, int count, long min, long max) {
    return estimate(values, count, min, max, SAMPLE);
  }

  /**
   * Improves an {@link #estimate}: counts exactly if max - min is below 1,024, else takes a larger
   * sample if the estimate is above an eighth of the maximum.
   *
   * @param few result of {@link #estimate}
   * @return the largest int if there are too many distinct values for {@link #build}
   */
  int closerEstimate(long[] values, int count, long min, long max, int few) {
    int most = entriesMax(count);
    if (areClose(min, max)) {
      int distinct = distinctMarks(values, count, min, max, 1, count);
      return distinct > most ? Integer.MAX_VALUE : distinct;
    }
    if (few <= most / 8 || count <= LARGE_SAMPLE) {
      return few;
    }
    int more = estimate(values, count, min, max, LARGE_SAMPLE);
    return more > most ? Integer.MAX_VALUE : more;
  }

  private int estimate(long[] values, int count, long min, long max, int samplesMax) {
    int samples = Math.min(count, samplesMax);
    int distinct = distinct(values, count, min, max, count / samples, samples);
    if (distinct == samples || (samples == count && distinct > entriesMax(count))) {
      return Integer.MAX_VALUE;
    }
    int equal = samples - distinct;
    // Of s draws from n values the share y = 1 - (1 - e^-x) / x, x = s / n, equals an earlier one.
    // Solved for x by the first terms of the series: x = y (2 + y (4 + 10 y / 3) / 3).
    double share = (double) equal / samples;
    return (int) (samples / (share * (2 + share * (4 + share * 10 / 3) / 3)));
  }

  private int distinct(long[] values, int count, long min, long max, int step, int samplesMax) {
    if (areClose(min, max)) {
      return distinctMarks(values, count, min, max, step, samplesMax);
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

  private static boolean areClose(long min, long max) {
    return Long.compareUnsigned(max - min, MARKS) < 0;
  }

  /** As {@link #distinct}, without a branch that the processor would mispredict. */
  private int distinctMarks(
      long[] values, int count, long min, long max, int step, int samplesMax) {
    int words = ((int) (max - min) >>> 6) + 1;
    Arrays.fill(marks, 0, words, 0);
    int samples = 0;
    for (int i = 0; i < count && samples < samplesMax; i += step, samples++) {
      int above = (int) (values[i] - min);
      marks[above >>> 6] |= 1L << above;
    }
    int distinct = 0;
    for (int i = 0; i < words; i++) {
      distinct += Long.bitCount(marks[i]);
    }
    return distinct;
  }

  /** Collects and sorts the distinct values; returns their number, 0 if too many to pay. */
  int build(long[] values, int count, long min, long max) {
    int entriesMax = entriesMax(count);
    sorted = Scratch.longs(sorted, entriesMax);
    marked = areClose(min, max);
    if (marked) {
      return buildMarks(values, count, min, max, entriesMax);
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

  private int buildMarks(long[] values, int count, long min, long max, int entriesMax) {
    if (distinctMarks(values, count, min, max, 1, count) > entriesMax) {
      return 0;
    }
    firstMark = min;
    int words = ((int) (max - min) >>> 6) + 1;
    int entries = 0;
    for (int word = 0; word < words; word++) {
      before[word] = entries;
      for (long left = marks[word]; left != 0; left &= left - 1) {
        sorted[entries++] = min + ((long) word << 6) + Long.numberOfTrailingZeros(left);
      }
    }
    return entries;
  }

  private static int entriesMax(int count) {
    return Math.min(ENTRIES_MAX, count / 2);
  }

  /** Writes the index of each value in {@link #sorted} to {@code ids}. */
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

  /** Forgets all values. Short runs use few slots, which stay in the first-level cache. */
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
