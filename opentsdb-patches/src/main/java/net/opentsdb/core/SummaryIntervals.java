package net.opentsdb.core;

import io.packhorse.schema.key.BaseTime;
import java.util.Arrays;
import java.util.Calendar;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The intervals of a query that summaries fill: of one length, one over all points, or of a
 * calendar. Immutable; any number of threads.
 */
@NullMarked
final class SummaryIntervals {
  /** Two years of hours; finding them takes as long as reading a few hundred rows. */
  private static final int CALENDAR_MAX = 20_000;

  private final long divisorMs;
  private final long originMs;
  private final int count;

  /** Starts of intervals of a calendar, and the end of the last; empty for those of one length. */
  private final long[] starts;

  private SummaryIntervals(long divisorMs, long originMs, int count, long[] starts) {
    this.divisorMs = divisorMs;
    this.originMs = originMs;
    this.count = count;
    this.starts = starts;
  }

  /**
   * Those that begin at multiples of a length.
   *
   * @param lengthMs {@link RowDownsampler#ALL_MS} for one over all
   * @param fromMs a time in the first interval, in milliseconds since the epoch
   * @param toMs a time after the last
   */
  static SummaryIntervals of(long lengthMs, long fromMs, long toMs) {
    long originMs = fromMs - fromMs % lengthMs;
    int count = Math.toIntExact((toMs - originMs + lengthMs - 1) / lengthMs);
    return new SummaryIntervals(lengthMs, originMs, count, new long[0]);
  }

  /**
   * Those of a calendar.
   *
   * @param fromMs a time in the first interval, in milliseconds since the epoch
   * @param toMs a time after the last
   * @return null if they do not begin at full hours of UTC, depend on the first point of each
   *     series, or are too many
   */
  static @Nullable SummaryIntervals of(CalendarIntervals calendar, long fromMs, long toMs) {
    Calendar next = calendar.intervalOf(fromMs);
    long[] starts = new long[16];
    int size = 0;
    long divisorMs = 0;
    while (size == 0 || starts[size - 1] < toMs) {
      long start = next.getTimeInMillis();
      divisorMs = divisor(divisorMs, start);
      if (size == CALENDAR_MAX
          || divisorMs % BaseTime.HOUR_MS != 0
          || start(calendar, start) != start
          || (size > 0 && start(calendar, start - 1) != starts[size - 1])) {
        return null;
      }
      if (size == starts.length) {
        starts = Arrays.copyOf(starts, 2 * size);
      }
      starts[size++] = start;
      calendar.move(next, 1);
    }
    return new SummaryIntervals(divisorMs, starts[0], size - 1, Arrays.copyOf(starts, size));
  }

  private static long start(CalendarIntervals calendar, long timeMs) {
    return calendar.intervalOf(timeMs).getTimeInMillis();
  }

  /** The greatest common divisor. */
  private static long divisor(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  /** Whether there is one over all points. */
  boolean isAll() {
    return divisorMs == RowDownsampler.ALL_MS;
  }

  /** Whether all points between a multiple of a length and the next one are in one interval. */
  boolean hold(long lengthMs) {
    return isAll() || divisorMs % lengthMs == 0;
  }

  /** Distance of the starts of intervals, or a divisor of it, in milliseconds. */
  long divisorMs() {
    return divisorMs;
  }

  /** How many there are. */
  int count() {
    return count;
  }

  /** Start of one, in milliseconds since the epoch. */
  long startMs(int index) {
    return starts.length == 0 ? originMs + index * divisorMs : starts[index];
  }

  /** Index of the one that a time is in. */
  int indexOf(long timeMs) {
    if (starts.length == 0) {
      return (int) ((timeMs - originMs) / divisorMs);
    }
    int found = Arrays.binarySearch(starts, timeMs);
    return found < 0 ? -found - 2 : found;
  }
}
