package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellHeader;
import java.util.Objects;
import java.util.function.Supplier;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Reduces what a query reads to its intervals as it arrives: each row by itself where the interval
 * divides the hour, else each series ({@link SeriesFolds}).
 *
 * <p>Immutable, any thread.
 */
@NullMarked
final class RowReduction {
  /** Leaves rows as they are. */
  static final RowReduction NONE = new RowReduction(0, null, 0, 0);

  private final long intervalMs;
  private final IntervalFold.@Nullable Function function;
  private final long fromMs;
  private final long toMs;
  private final ThreadLocal<IntervalBuckets> buckets = ThreadLocal.withInitial(this::newBuckets);

  private RowReduction(
      long intervalMs, IntervalFold.@Nullable Function function, long fromMs, long toMs) {
    this.intervalMs = intervalMs;
    this.function = function;
    this.fromMs = fromMs;
    this.toMs = toMs;
  }

  /**
   * The reduction for a query, {@link #NONE} if its rows have to stay whole.
   *
   * @param keepRows whether other code needs the points
   * @param startMs first time of the query; counts if there is one interval for all points
   * @param endMs time after its last
   */
  static RowReduction of(
      @Nullable DownsamplingSpecification specification,
      boolean keepRows,
      long startMs,
      long endMs) {
    if (keepRows || specification == null || !RowDownsampler.fits(specification, null)) {
      return NONE;
    }
    boolean all = RowDownsampler.isAll(specification);
    return new RowReduction(
        all ? RowDownsampler.ALL_MS : specification.getInterval(),
        IntervalFold.of(specification.getFunction()),
        all ? startMs : 0,
        all ? endMs : Long.MAX_VALUE);
  }

  private IntervalBuckets newBuckets() {
    return new IntervalBuckets(intervalMs, Objects.requireNonNull(function));
  }

  private boolean hourByHour() {
    return intervalMs <= PointBlock.HOUR_MS && PointBlock.HOUR_MS % intervalMs == 0;
  }

  /** Reduces the series of a scanner. */
  SeriesFolds folds(QueryMemory.Rows rows) {
    return new SeriesFolds(
        rows, function == null || hourByHour() ? null : this::newBuckets, intervalMs, fromMs, toMs);
  }

  /**
   * The row in the form that goes into the Span.
   *
   * @param row as compaction leaves it: one column, or null for none
   * @throws IllegalDataException naming row and reason, if a packed cell is malformed
   */
  @Nullable KeyValue reduce(@Nullable KeyValue row) {
    if (row == null || function == null || !hourByHour()) {
      return row;
    }
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
