package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Points in memory until they are a row group, in order of series and time. One thread. */
final class ParquetRowGroup {
  /** Rows of a group, but for its last hour. */
  static final int ROWS = 1 << 20;

  private final boolean integers;
  private final Map<SeriesName, Integer> series = new HashMap<>();
  private final List<Hour> hours = new ArrayList<>();
  private long[] times = new long[ROWS / 16];
  private long[] values = new long[ROWS / 16];
  private int count;
  private long rounded;

  /** Points of a series that follow each other in the group's arrays. */
  record Hour(SeriesName series, int seriesNumber, int start, int count) {}

  /**
   * @param integers whether all values are integers; else integers become doubles
   */
  ParquetRowGroup(boolean integers) {
    this.integers = integers;
  }

  /**
   * Takes points.
   *
   * @throws UnwritableException if one has a fraction and all are to be integers; none was taken
   */
  void add(SeriesName name, long baseMs, PointBlock points, int from, int to)
      throws UnwritableException {
    if (integers) {
      checkIntegers(points, from, to);
    }
    int more = to - from;
    if (count + more > times.length) {
      int room = Math.max(count + more, 2 * times.length);
      times = Arrays.copyOf(times, room);
      values = Arrays.copyOf(values, room);
    }
    int number = series.computeIfAbsent(name, key -> series.size());
    hours.add(new Hour(name, number, count, more));
    int[] offsets = points.offsetsMs();
    long[] bits = points.values();
    boolean[] isDouble = points.isDouble();
    for (int i = from; i < to; i++) {
      times[count] = baseMs + offsets[i];
      if (integers) {
        values[count] = isDouble[i] ? (long) Double.longBitsToDouble(bits[i]) : bits[i];
      } else if (isDouble[i]) {
        values[count] = bits[i];
      } else {
        double value = (double) bits[i];
        values[count] = Double.doubleToRawLongBits(value);
        // The largest long rounds to 2^63, which turns back into it.
        rounded += (long) value != bits[i] || value == 0x1p63 ? 1 : 0;
      }
      count++;
    }
  }

  private static void checkIntegers(PointBlock points, int from, int to)
      throws UnwritableException {
    for (int i = from; i < to; i++) {
      if (points.isDouble()[i]) {
        double value = Double.longBitsToDouble(points.values()[i]);
        // Of no integer is this true; nor of 2^63, which is one more than the largest.
        if ((double) (long) value != value || value == 0x1p63) {
          throw new UnwritableException(
              "--integers cannot hold the value " + value + ": export this metric without it");
        }
      }
    }
  }

  int count() {
    return count;
  }

  /** Integers so far, of all groups, that no double equals. */
  long rounded() {
    return rounded;
  }

  /** Brings the points in order: by series, and each series by time as it came. */
  List<Hour> sorted() {
    List<Hour> byRow = new ArrayList<>(hours);
    byRow.sort(Comparator.comparingInt(Hour::seriesNumber));
    long[] sortedTimes = new long[count];
    long[] sortedValues = new long[count];
    List<Hour> sorted = new ArrayList<>(byRow.size());
    int at = 0;
    for (Hour hour : byRow) {
      System.arraycopy(times, hour.start, sortedTimes, at, hour.count);
      System.arraycopy(values, hour.start, sortedValues, at, hour.count);
      sorted.add(new Hour(hour.series, hour.seriesNumber, at, hour.count));
      at += hour.count;
    }
    times = sortedTimes;
    values = sortedValues;
    return sorted;
  }

  /** Times in milliseconds; the group's own array. */
  long[] times() {
    return times;
  }

  /** Values, integers or the bits of doubles; the group's own array. */
  long[] values() {
    return values;
  }

  void clear() {
    series.clear();
    hours.clear();
    count = 0;
  }
}
