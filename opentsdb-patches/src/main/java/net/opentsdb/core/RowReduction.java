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
 * Reduces rows to intervals as they arrive, for intervals that divide the hour.
 *
 * <p>Immutable, any thread.
 */
@NullMarked
final class RowReduction {
  /** Leaves rows as they are. */
  static final RowReduction NONE = new RowReduction(0, null);

  private final IntervalFold.@Nullable Function function;
  private final ThreadLocal<IntervalBuckets> buckets;

  private RowReduction(long intervalMs, IntervalFold.@Nullable Function function) {
    this.function = function;
    this.buckets =
        ThreadLocal.withInitial(
            () -> new IntervalBuckets(intervalMs, Objects.requireNonNull(function)));
  }

  /**
   * The reduction for a query, {@link #NONE} if its rows have to stay whole.
   *
   * @param keepRows whether other code needs the points
   */
  static RowReduction of(@Nullable DownsamplingSpecification specification, boolean keepRows) {
    return !keepRows
            && specification != null
            && RowDownsampler.fits(specification, null)
            && !RowDownsampler.isAll(specification)
            && PointBlock.HOUR_MS % specification.getInterval() == 0
        ? new RowReduction(
            specification.getInterval(), IntervalFold.of(specification.getFunction()))
        : NONE;
  }

  /**
   * The row in the form that goes into the Span.
   *
   * @param row as compaction leaves it: one column, or null for none
   * @throws IllegalDataException naming row and reason, if a packed cell is malformed
   */
  @Nullable KeyValue reduce(@Nullable KeyValue row) {
    if (row == null || function == null) {
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
    return e -> e instanceof ReducedRowSeq.RepeatedHourException ? again.get() : e;
  }
}
