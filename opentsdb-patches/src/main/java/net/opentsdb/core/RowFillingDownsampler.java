package net.opentsdb.core;

import java.util.Calendar;
import java.util.NoSuchElementException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * {@link FillingDownsampler} over the intervals of a {@link RowDownsampler}: one value for each
 * interval of the query, the fill value where there are no points.
 *
 * <p>For one thread, as FillingDownsampler.
 */
@NullMarked
final class RowFillingDownsampler extends Downsampler {
  private final RowDownsampler intervals;
  private final double fillValue;
  private final long endMs;
  private final @Nullable CalendarSteps calendar;
  private long nextMs;

  /**
   * @param source as for Downsampler; not read
   * @param specification of the intervals
   * @param startMs a time in the first interval
   * @param endMs a time in the first interval after the last
   */
  RowFillingDownsampler(
      SeekableView source,
      RowDownsampler intervals,
      DownsamplingSpecification specification,
      long startMs,
      long endMs) {
    super(source, specification, startMs, endMs);
    this.intervals = intervals;
    this.fillValue = specification.getFillPolicy() == FillPolicy.ZERO ? 0. : Double.NaN;
    if (specification.useCalendar()) {
      CalendarSteps steps = new CalendarSteps(CalendarIntervals.of(specification), startMs);
      this.calendar = steps;
      this.nextMs = steps.next.getTimeInMillis();
      this.endMs = steps.end(endMs);
    } else {
      long intervalMs = specification.getInterval();
      this.calendar = null;
      this.nextMs = startMs - startMs % intervalMs;
      this.endMs = endMs - endMs % intervalMs;
    }
  }

  @Override
  public boolean hasNext() {
    return nextMs < endMs;
  }

  @Override
  public DataPoint next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more data points in " + this);
    }
    while (intervals.hasNext() && intervals.nextMs() < nextMs) {
      intervals.next();
    }
    boolean isThere = intervals.hasNext() && intervals.nextMs() == nextMs;
    timestamp = nextMs;
    value = isThere ? intervals.next().doubleValue() : fillValue;
    if (calendar == null) {
      nextMs += specification.getInterval();
    } else {
      timestamp = calendar.step();
      nextMs = calendar.next.getTimeInMillis();
    }
    return this;
  }

  @Override
  public void seek(long time) {
    intervals.seek(time);
  }

  @Override
  public String toString() {
    return "RowFillingDownsampler(" + specification + ", intervals=" + intervals + ")";
  }

  /** Two calendars an interval apart, moved together as those of FillingDownsampler. */
  private static final class CalendarSteps {
    private final CalendarIntervals of;
    private final Calendar previous;
    private final Calendar next;

    CalendarSteps(CalendarIntervals of, long startMs) {
      this.of = of;
      this.previous = of.intervalOf(startMs);
      this.next = of.intervalOf(startMs);
      of.move(previous, -1);
    }

    /** End of the last interval, which is at least one. */
    long end(long endMs) {
      Calendar end = of.intervalOf(endMs);
      if (end.getTimeInMillis() == next.getTimeInMillis()) {
        of.move(end, 1);
      }
      return end.getTimeInMillis();
    }

    /** Moves on; returns the start of the interval that was the next. */
    long step() {
      of.move(previous, 1);
      of.move(next, 1);
      return previous.getTimeInMillis();
    }
  }
}
