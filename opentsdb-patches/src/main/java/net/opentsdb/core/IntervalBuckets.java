package net.opentsdb.core;

import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.packed.PackedCellHeader;
import java.util.Arrays;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Points into intervals, as {@link Downsampler} cuts them: an interval holds its first point and
 * all that follow before its end.
 *
 * <p>Finished intervals queue up to be taken; the last one stays open until a point or the hour
 * ends it. For one thread.
 */
@NullMarked
final class IntervalBuckets {
  private final long intervalMs;
  private final @Nullable CalendarIntervals calendar;
  private final IntervalFold fold;
  private long openMs;
  private long endMs;

  private int head;
  private int tail;
  private long[] times = new long[4];
  private double[] values = new double[4];

  /** Intervals of one length, which begin at its multiples. */
  IntervalBuckets(long intervalMs, IntervalFold fold) {
    this.intervalMs = intervalMs;
    this.calendar = null;
    this.fold = fold;
    this.endMs = intervalMs;
  }

  /** Intervals of a calendar. */
  IntervalBuckets(CalendarIntervals calendar, IntervalFold fold) {
    this.intervalMs = CalendarIntervals.DIVISOR_MS;
    this.calendar = calendar;
    this.fold = fold;
  }

  /** Forgets everything. */
  void clear() {
    head = 0;
    tail = 0;
    fold.reset();
    if (calendar != null) {
      calendar.clear();
    }
  }

  /** Bytes that the intervals take. */
  int bytes() {
    return 16 * times.length + fold.bytes() + (calendar == null ? 0 : CalendarIntervals.BYTES);
  }

  /** Distance of the starts of intervals, or a divisor of it, in milliseconds. */
  long intervalMs() {
    return intervalMs;
  }

  /** Finished intervals that wait. */
  int size() {
    return tail - head;
  }

  /** Start of the first that waits, in milliseconds since the epoch. */
  long time() {
    return times[head];
  }

  /** Its value. */
  double value() {
    return values[head];
  }

  /** Takes it away. */
  void drop() {
    head++;
  }

  /** Adds the points of an hour from one index up to another; the hours must rise. */
  void add(HourPoints hour, int from, int to) {
    int[] offsets = hour.offsets();
    long baseMs = hour.baseMs();
    int at = from;
    int length = 1;
    while (at < to) {
      long timeMs = baseMs + offsets[at];
      if (fold.isEmpty() || timeMs >= endMs) {
        finish();
        open(timeMs);
      }
      int end = endOfInterval(offsets, at, to, endMs - baseMs, at + length);
      fold.add(hour, at, end);
      length = end - at;
      at = end;
    }
    if (endMs <= baseMs + PointBlock.HOUR_MS) {
      finish();
    }
  }

  /** Begins the interval of a time. */
  private void open(long timeMs) {
    if (calendar != null) {
      endMs = calendar.goTo(timeMs);
      openMs = calendar.startMs();
      return;
    }
    long next = endMs;
    openMs = timeMs >= next && timeMs < next + intervalMs ? next : timeMs - timeMs % intervalMs;
    endMs = openMs + intervalMs;
  }

  /**
   * Adds all points of a packed row by the statistics in its header; the hours must rise.
   *
   * @return false, and no point is added, if they fall into several intervals or could give
   *     something else
   */
  boolean add(PackedCellHeader header, long baseMs) {
    CellStatistics all = header.statistics();
    if (all == null) {
      return false;
    }
    long firstMs = baseMs + header.firstOffsetMs();
    if (fold.isEmpty() || firstMs >= endMs) {
      finish();
      open(firstMs);
    }
    if (baseMs + header.lastOffsetMs() >= endMs || !fold.add(all)) {
      return false;
    }
    if (endMs <= baseMs + PointBlock.HOUR_MS) {
      finish();
    }
    return true;
  }

  /** Index of the first offset at or past a limit, or the count; a guess is tried first. */
  private static int endOfInterval(int[] offsets, int from, int count, long limit, int guess) {
    if (guess < count && offsets[guess] >= limit && offsets[guess - 1] < limit) {
      return guess;
    }
    if (offsets[count - 1] < limit) {
      return count;
    }
    int low = from + 1;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (offsets[middle] < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Puts an interval computed before into the queue. */
  void add(long timeMs, double value) {
    finish();
    put(timeMs, value);
  }

  /** Ends the open interval, if there is one. */
  void finish() {
    if (!fold.isEmpty()) {
      put(openMs, fold.result());
      fold.reset();
    }
  }

  private void put(long timeMs, double value) {
    if (head == tail) {
      head = 0;
      tail = 0;
    }
    if (tail == times.length) {
      times = Arrays.copyOf(times, 2 * tail);
      values = Arrays.copyOf(values, 2 * tail);
    }
    times[tail] = timeMs;
    values[tail++] = value;
  }
}
