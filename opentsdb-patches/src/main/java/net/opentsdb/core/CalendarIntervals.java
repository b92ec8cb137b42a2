package net.opentsdb.core;

import java.util.Calendar;
import java.util.TimeZone;
import net.opentsdb.utils.DateTime;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Intervals of a calendar, such as days in Berlin: the first is the one of the first point, the
 * others follow it one by one, as {@link Downsampler} steps through them.
 *
 * <p>For one thread.
 */
@NullMarked
final class CalendarIntervals {
  /** Estimate of the memory of two calendars. */
  static final int BYTES = 1_200;

  /** Starts of intervals are apart by multiples of this, in milliseconds. */
  static final long DIVISOR_MS = 1_000;

  private final int count;
  private final int unit;
  private final @Nullable TimeZone zone;
  private @Nullable Calendar start;
  private @Nullable Calendar end;

  private CalendarIntervals(int count, int unit, @Nullable TimeZone zone) {
    this.count = count;
    this.unit = unit;
    this.zone = zone;
  }

  /** Those of a specification that {@link #fits}. */
  static CalendarIntervals of(DownsamplingSpecification specification) {
    String interval = specification.getStringInterval();
    int digits = interval.length() - 1;
    return new CalendarIntervals(
        Integer.parseInt(interval.substring(0, digits)),
        DateTime.unitsToCalendarType(interval.substring(digits)),
        specification.getTimezone());
  }

  /** Whether a specification has intervals of a calendar, of a second or more. */
  static boolean fits(DownsamplingSpecification specification) {
    String interval = specification.getStringInterval();
    return specification.useCalendar() && interval != null && interval.matches("[0-9]+[a-zA-Z]");
  }

  /** Start of the interval of a time, counted from the year, day or hour that it is in. */
  Calendar intervalOf(long timeMs) {
    return DateTime.previousInterval(timeMs, count, unit, zone);
  }

  /** Start of the first interval at or after a time, where a Downsampler seeks to. */
  long firstInterval(long timeMs) {
    Calendar first = intervalOf(timeMs);
    if (timeMs > first.getTimeInMillis()) {
      move(first, 1);
    }
    return first.getTimeInMillis();
  }

  /** Moves the start of an interval by some intervals. */
  void move(Calendar calendar, int by) {
    if (unit == Calendar.DAY_OF_WEEK) {
      calendar.add(Calendar.DAY_OF_MONTH, by * count * 7);
    } else {
      calendar.add(unit, by * count);
    }
  }

  /** Forgets the first point. */
  void clear() {
    start = null;
    end = null;
  }

  /**
   * Goes to the interval of a time, which must not lie before the current one.
   *
   * @return its end; what it starts at is {@link #startMs}
   */
  long goTo(long timeMs) {
    Calendar from = start;
    Calendar to = end;
    if (from == null || to == null) {
      from = intervalOf(timeMs);
      to = intervalOf(timeMs);
      move(to, 1);
      start = from;
      end = to;
    }
    while (timeMs >= to.getTimeInMillis()) {
      move(from, 1);
      move(to, 1);
    }
    return to.getTimeInMillis();
  }

  /** Start of the current interval, in milliseconds since the epoch. */
  long startMs() {
    return start == null ? 0 : start.getTimeInMillis();
  }
}
