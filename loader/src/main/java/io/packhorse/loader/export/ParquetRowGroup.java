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

  private final Map<SeriesName, Integer> series = new HashMap<>();
  private final List<Hour> hours = new ArrayList<>();
  private long[] times = new long[ROWS / 16];
  private double[] values = new double[ROWS / 16];
  private int count;
  private long rounded;

  /** Points of a series that follow each other in the group's arrays. */
  record Hour(SeriesName series, int seriesNumber, int start, int count) {}

  /** Takes points; integers become doubles. */
  void add(SeriesName name, long baseMs, PointBlock points, int from, int to) {
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
      if (isDouble[i]) {
        values[count] = Double.longBitsToDouble(bits[i]);
      } else {
        double value = (double) bits[i];
        values[count] = value;
        // The largest long rounds to 2^63, which turns back into it.
        rounded += (long) value != bits[i] || value == 0x1p63 ? 1 : 0;
      }
      count++;
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
    double[] sortedValues = new double[count];
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

  /** Values; the group's own array. */
  double[] values() {
    return values;
  }

  void clear() {
    series.clear();
    hours.clear();
    count = 0;
  }
}
