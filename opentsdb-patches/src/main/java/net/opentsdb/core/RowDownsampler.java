package net.opentsdb.core;

import io.packhorse.schema.packed.PackedCellHeader;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import net.opentsdb.rollup.RollupQuery;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * {@link Downsampler} over whole rows: same intervals, same values.
 *
 * <p>Holds a row's intervals, and its points only if the function needs them ({@link
 * IntervalFold}). For one thread, as Downsampler.
 */
@NullMarked
final class RowDownsampler extends Downsampler {
  /** An interval in milliseconds that holds all times. */
  static final long ALL_MS = 1L << 60;

  private final List<iRowSeq> rows;
  private final @Nullable CalendarIntervals calendar;
  private final IntervalBuckets buckets;

  /** Index of the next row to read, and the times that points are taken from and up to. */
  private int nextRow;

  private long fromMs;
  private final long toMs;

  private RowDownsampler(
      SeekableView source,
      List<iRowSeq> rows,
      DownsamplingSpecification specification,
      long queryStart,
      long queryEnd) {
    super(source, specification, queryStart, queryEnd);
    this.rows = rows;
    this.calendar =
        !run_all && specification.useCalendar() ? CalendarIntervals.of(specification) : null;
    this.buckets = buckets(specification);
    this.fromMs = run_all ? queryStart : 0;
    this.toMs = run_all ? queryEnd : Long.MAX_VALUE;
  }

  /**
   * A downsampler for a specification that {@link #fits}.
   *
   * @param source as for Downsampler; not read
   * @param rows of the Span, in order
   * @param startMs where intervals to fill begin
   * @param endMs where they end
   */
  static Downsampler of(
      SeekableView source,
      List<iRowSeq> rows,
      DownsamplingSpecification specification,
      long startMs,
      long endMs,
      long queryStart,
      long queryEnd) {
    RowDownsampler intervals =
        new RowDownsampler(source, rows, specification, queryStart, queryEnd);
    return specification.getFillPolicy() == FillPolicy.NONE || intervals.run_all
        ? intervals
        : new RowFillingDownsampler(source, intervals, specification, startMs, endMs);
  }

  /** Whether this class can compute a specification. */
  static boolean fits(DownsamplingSpecification specification, @Nullable RollupQuery rollup) {
    return rollup == null
        && specification.getFillPolicy() != FillPolicy.SCALAR
        && specification.getFunction() != null
        && specification.getFunction() != Aggregators.NONE
        && (isAll(specification)
            || (specification.useCalendar()
                ? CalendarIntervals.fits(specification)
                : specification.getInterval() > 0));
  }

  /** Empty intervals of a specification that {@link #fits}. */
  static IntervalBuckets buckets(DownsamplingSpecification specification) {
    IntervalFold fold = IntervalFold.by(specification.getFunction());
    if (isAll(specification)) {
      return new IntervalBuckets(ALL_MS, fold);
    }
    return specification.useCalendar()
        ? new IntervalBuckets(CalendarIntervals.of(specification), fold)
        : new IntervalBuckets(specification.getInterval(), fold);
  }

  /** Whether a specification has one interval over all points of the query. */
  static boolean isAll(DownsamplingSpecification specification) {
    String interval = specification.getStringInterval();
    return interval != null && interval.toLowerCase(Locale.ROOT).contains("all");
  }

  /**
   * Start of the first interval of a calendar that a query takes. {@link TsdbQuery} begins to read,
   * and seeks, at the start of the hour in which an interval of UTC begins that its start is in.
   */
  static long firstOfCalendar(long queryStartMs, DownsamplingSpecification specification) {
    long seconds = queryStartMs / 1000;
    seconds -= 1000 * seconds % specification.getInterval() / 1000;
    return firstInterval(1000 * (seconds - seconds % Const.MAX_TIMESPAN), specification);
  }

  /**
   * Start of the first interval at or after a time, where a downsampler begins after seeking it.
   */
  static long firstInterval(long timeMs, DownsamplingSpecification specification) {
    if (specification.useCalendar()) {
      return CalendarIntervals.of(specification).firstInterval(timeMs);
    }
    long rounded = timeMs + specification.getInterval() - 1;
    return rounded - rounded % specification.getInterval();
  }

  @Override
  public boolean hasNext() {
    while (buckets.size() == 0) {
      if (nextRow == rows.size()) {
        buckets.finish();
        return buckets.size() > 0;
      }
      readRow(rows.get(nextRow++));
      if (!run_all) {
        fromMs = 0;
      }
    }
    return true;
  }

  private void readRow(iRowSeq row) {
    if (row instanceof ReducedSeq reduced) {
      if ((run_all && fromMs != query_start)
          || (calendar != null && fromMs != firstOfCalendar(query_start, specification))) {
        throw new IllegalStateException("rows were reduced from another time on: " + fromMs);
      }
      reduced.copy(run_all || calendar != null ? Long.MIN_VALUE : fromMs, buckets);
    } else if (HourRowSeq.latest(row) >= fromMs
        && HourRowSeq.earliest(row) < toMs
        && !addWhole(row)) {
      HourPoints hour = HourPoints.ofThread();
      hour.read(row);
      int from = hour.from(fromMs);
      int to = hour.from(toMs);
      if (from < to) {
        buckets.add(hour, from, to);
      }
    }
  }

  private boolean addWhole(iRowSeq row) {
    if (!(row instanceof PackedRowSeq packed)) {
      return false;
    }
    PackedCellHeader header = packed.header();
    return header != null
        && packed.baseMs() + header.firstOffsetMs() >= fromMs
        && packed.baseMs() + header.lastOffsetMs() < toMs
        && buckets.add(header, packed.baseMs());
  }

  /** Start of the next interval, in milliseconds since the epoch; there must be one. */
  long nextMs() {
    return buckets.time();
  }

  @Override
  public DataPoint next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more data points in " + this);
    }
    timestamp = buckets.time();
    value = buckets.value();
    buckets.drop();
    return this;
  }

  @Override
  public void seek(long time) {
    fromMs = run_all ? Math.max(time, query_start) : firstInterval(time, specification);
    buckets.clear();
    nextRow = 0;
    while (nextRow < rows.size() && HourRowSeq.latest(rows.get(nextRow)) < fromMs) {
      nextRow++;
    }
  }

  @Override
  public String toString() {
    return "RowDownsampler(" + specification + ", rows=" + rows.size() + ")";
  }
}
