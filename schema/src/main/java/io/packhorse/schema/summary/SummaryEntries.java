package io.packhorse.schema.summary;

import io.packhorse.schema.packed.CellStatistics;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Entries of one row and level, in the order of time; grows and is reused. One thread. */
public final class SummaryEntries {
  /** No statistics: the points themselves have to be read. */
  static final byte NONE = 0;

  static final byte INTEGERS = 1;
  static final byte DOUBLES = 2;

  int size;
  int[] index = {};
  int[] parts = {};
  byte[] kind = {};
  int[] count = {};
  int[] missing = {};
  long[] firstMs = {};
  long[] lastMs = {};
  long[] first = {};
  long[] last = {};
  long[] min = {};
  long[] max = {};
  long[] sum = {};

  /** Removes all entries. */
  public void clear() {
    size = 0;
  }

  /**
   * Adds an entry.
   *
   * @param index in its row, above that of the entry before
   * @param parts bit set of the parts that have points; 0 for hours
   * @param count number of points, 1 or more
   * @param firstMs time of the first point, in milliseconds from the start of the entry
   * @param lastMs time of the last one
   * @param statistics of all points; null if they have none
   */
  public void add(
      int index,
      int parts,
      int count,
      long firstMs,
      long lastMs,
      @Nullable CellStatistics statistics) {
    setSize(size + 1);
    int at = size - 1;
    this.index[at] = index;
    this.parts[at] = parts;
    this.count[at] = count;
    this.firstMs[at] = firstMs;
    this.lastMs[at] = lastMs;
    if (statistics == null) {
      kind[at] = NONE;
      missing[at] = 0;
      return;
    }
    kind[at] = statistics.integers() ? INTEGERS : DOUBLES;
    missing[at] = count - statistics.numbers();
    first[at] = statistics.first();
    last[at] = statistics.last();
    min[at] = statistics.min();
    max[at] = statistics.max();
    sum[at] = statistics.sum();
  }

  void setSize(int entries) {
    if (entries > index.length) {
      int room = Math.max(entries, 2 * index.length + 8);
      index = Arrays.copyOf(index, room);
      parts = Arrays.copyOf(parts, room);
      kind = Arrays.copyOf(kind, room);
      count = Arrays.copyOf(count, room);
      missing = Arrays.copyOf(missing, room);
      firstMs = Arrays.copyOf(firstMs, room);
      lastMs = Arrays.copyOf(lastMs, room);
      first = Arrays.copyOf(first, room);
      last = Arrays.copyOf(last, room);
      min = Arrays.copyOf(min, room);
      max = Arrays.copyOf(max, room);
      sum = Arrays.copyOf(sum, room);
    }
    size = entries;
  }

  /** Number of entries. */
  public int size() {
    return size;
  }

  /** Index of an entry in its row. */
  public int index(int at) {
    return index[at];
  }

  /** Bit set of the parts that have points. */
  public int parts(int at) {
    return parts[at];
  }

  /** Number of points. */
  public int count(int at) {
    return count[at];
  }

  /** Time of the first point, in milliseconds from the start of the entry. */
  public long firstMs(int at) {
    return firstMs[at];
  }

  /** Time of the last point, in milliseconds from the start of the entry. */
  public long lastMs(int at) {
    return lastMs[at];
  }

  /** Whether an entry has statistics. */
  public boolean hasStatistics(int at) {
    return kind[at] != NONE;
  }

  /**
   * Statistics of an entry; null if it has none. Values that were not wanted when the block was
   * read are 0.
   */
  public @Nullable CellStatistics statistics(int at) {
    return kind[at] == NONE
        ? null
        : new CellStatistics(
            kind[at] == INTEGERS,
            count[at],
            count[at] - missing[at],
            first[at],
            last[at],
            min[at],
            max[at],
            sum[at]);
  }

  @Override
  public String toString() {
    return "SummaryEntries[size=" + size + "]";
  }
}
