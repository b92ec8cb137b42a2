package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.packed.PackedCellHeader;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Reduces what a query reads to its intervals as it arrives: each row by itself where the interval
 * divides the hour, else each series ({@link SeriesFolds}).
 *
 * <p>Any thread.
 */
@NullMarked
final class RowReduction {
  /** Leaves rows as they are. */
  static final RowReduction NONE = rows(null);

  /** Longest interval whose values are kept for a function that needs them. */
  private static final long VALUES_MS = TimeUnit.DAYS.toMillis(1);

  private final @Nullable ValueFilter filter;
  private final @Nullable DownsamplingSpecification specification;

  /** Length of an interval; 0 if it differs, or if rows stay as they are. */
  private final long intervalMs;

  private final long fromMs;
  private final long toMs;
  private volatile @Nullable SummaryPlan summaries;
  private volatile boolean ended;
  private final ThreadLocal<IntervalBuckets> buckets = ThreadLocal.withInitial(this::newBuckets);

  private RowReduction(
      @Nullable ValueFilter filter,
      @Nullable DownsamplingSpecification specification,
      long intervalMs,
      long fromMs,
      long toMs) {
    this.filter = filter;
    this.specification = specification;
    this.intervalMs = intervalMs;
    this.fromMs = fromMs;
    this.toMs = toMs;
  }

  /**
   * The reduction for a query, {@link #NONE} if its rows have to stay whole.
   *
   * @param filter of the points; null to keep all
   * @param keepRows whether other code needs the points
   * @param startMs first time of the query; counts if there is one interval for all points, or if
   *     intervals are those of a calendar
   * @param endMs time after its last
   */
  static RowReduction of(
      @Nullable ValueFilter filter,
      @Nullable DownsamplingSpecification specification,
      boolean keepRows,
      long startMs,
      long endMs) {
    if (keepRows || specification == null || !RowDownsampler.fits(specification, null)) {
      return rows(filter);
    }
    boolean all = RowDownsampler.isAll(specification);
    boolean calendar = !all && specification.useCalendar();
    if (IntervalFold.of(specification.getFunction()) == null
        && (all || specification.getInterval() > VALUES_MS)) {
      // Its values take more memory than the cells.
      return rows(filter);
    }
    return new RowReduction(
        filter,
        specification,
        all ? RowDownsampler.ALL_MS : calendar ? 0 : specification.getInterval(),
        all ? startMs : calendar ? RowDownsampler.firstOfCalendar(startMs, specification) : 0,
        all ? endMs : Long.MAX_VALUE);
  }

  private static RowReduction rows(@Nullable ValueFilter filter) {
    return new RowReduction(filter, null, 0, 0, Long.MAX_VALUE);
  }

  private IntervalBuckets newBuckets() {
    return RowDownsampler.buckets(Objects.requireNonNull(specification));
  }

  private boolean hourByHour() {
    return intervalMs > 0
        && intervalMs <= PointBlock.HOUR_MS
        && PointBlock.HOUR_MS % intervalMs == 0;
  }

  /** Reduces the series of a scanner. */
  SeriesFolds folds(QueryMemory.Rows rows) {
    return new SeriesFolds(rows, this, fromMs, toMs);
  }

  /** Makes the empty intervals of a series; null if series are not reduced. */
  @Nullable Supplier<IntervalBuckets> intervals() {
    return specification == null || hourByHour() || isUnordered() ? null : this::newBuckets;
  }

  /**
   * What a query makes of points; null if it needs the points themselves.
   *
   * @param fromSeconds base time of the first row to read, or a time after the row before it
   * @param toSeconds a time after the base time of the last one
   */
  SummaryPlan.@Nullable Shape shape(long fromSeconds, long toSeconds) {
    IntervalFold.Function function =
        specification == null ? null : IntervalFold.of(specification.getFunction());
    if ((function == null && filter == null) || fromSeconds >= toSeconds) {
      return null;
    }
    long first = nextHour(fromSeconds);
    long last = nextHour(toSeconds);
    return new SummaryPlan.Shape(
        function,
        filter,
        function == null ? null : intervals(first, last),
        fromMs,
        toMs,
        first,
        last);
  }

  /** The query's intervals; null if summaries cannot fill them. */
  private @Nullable SummaryIntervals intervals(long fromSeconds, long toSeconds) {
    long from = Math.max(fromMs, fromSeconds * 1000);
    long to = Math.min(toMs, toSeconds * 1000);
    if (from >= to) {
      return null;
    }
    if (intervalMs == 0) {
      return SummaryIntervals.of(
          CalendarIntervals.of(Objects.requireNonNull(specification)), from, to);
    }
    return intervalMs == RowDownsampler.ALL_MS || intervalMs % BaseTime.HOUR_MS == 0
        ? SummaryIntervals.of(intervalMs, from, to)
        : null;
  }

  private static long nextHour(long seconds) {
    return (seconds + BaseTime.HOUR_SECONDS - 1) / BaseTime.HOUR_SECONDS * BaseTime.HOUR_SECONDS;
  }

  /** Before the first row: what summaries do not answer for comes in any order. */
  void use(SummaryPlan plan) {
    summaries = plan;
    if (ended) {
      plan.end();
    }
  }

  /** Forgets what was read; the query has been answered. */
  void end() {
    ended = true;
    SummaryPlan plan = summaries;
    if (plan != null) {
      plan.end();
    }
  }

  /** How summaries fill intervals; null if they do not. */
  @Nullable SummaryPlan summaries() {
    SummaryPlan plan = summaries;
    return plan == null || !plan.shape().folds() ? null : plan;
  }

  /** Whether rows come in any order, and have to be sorted. */
  boolean isUnordered() {
    return summaries != null;
  }

  /** The same for a query that runs again and needs all rows. */
  RowReduction withoutIntervals() {
    return rows(filter);
  }

  /**
   * The row in the form that goes into the Span.
   *
   * @param row as compaction leaves it: one column, or null for none
   * @throws IllegalDataException naming row and reason, if a packed cell is malformed
   */
  @Nullable KeyValue reduce(@Nullable KeyValue row) {
    KeyValue kept =
        row == null || filter == null || SummaryPlan.matches(row) ? row : filter.apply(row);
    if (kept == null || specification == null || !hourByHour() || summaries() != null) {
      return kept;
    }
    return reduceHour(kept);
  }

  private KeyValue reduceHour(KeyValue row) {
    byte[] key = row.key();
    long baseTime = Bytes.getUnsignedInt(key, Const.SALT_WIDTH() + TSDB.metrics_width());
    long baseMs = baseTime * 1000;
    IntervalBuckets buckets = this.buckets.get();
    buckets.clear();
    PackedCellHeader header = PointColumn.matches(row) ? PointColumn.of(row).header() : null;
    if (header != null && buckets.add(header, baseMs)) {
      return ReducedRowSeq.pack(
          key, header.count(), header.firstOffsetMs(), header.lastOffsetMs(), baseMs, buckets);
    }
    HourPoints hour = HourPoints.ofThread();
    if (!hour.read(row, baseTime, header)) {
      return row;
    }
    buckets.add(hour, 0, hour.count());
    buckets.finish();
    int count = hour.count();
    int[] offsets = hour.offsets();
    return ReducedRowSeq.pack(key, count, offsets[0], offsets[count - 1], baseMs, buckets);
  }

  /**
   * Runs a query again if its rows turned out not to be reducible.
   *
   * @param again what to run
   */
  Callback<Object, Exception> otherwise(Supplier<? extends Deferred<?>> again) {
    return e -> e instanceof NotReducibleException ? again.get() : e;
  }
}
