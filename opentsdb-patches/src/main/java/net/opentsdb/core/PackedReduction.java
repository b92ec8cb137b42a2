package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellHeader;
import java.util.function.Supplier;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows into intervals as they arrive, where no interval reaches over an hour's end.
 *
 * <p>Immutable, any thread.
 */
@NullMarked
final class PackedReduction {
  /** Leaves rows as they are. */
  static final PackedReduction NONE = new PackedReduction(0, null);

  private final PackedFold.@Nullable Function function;
  private final ThreadLocal<PackedBuckets> buckets;

  private PackedReduction(long intervalMs, PackedFold.@Nullable Function function) {
    this.function = function;
    this.buckets =
        ThreadLocal.withInitial(
            () -> new PackedBuckets(intervalMs, java.util.Objects.requireNonNull(function)));
  }

  /**
   * What can be done for a query.
   *
   * @param keepRows whether somebody else needs the points
   */
  static PackedReduction of(@Nullable DownsamplingSpecification specification, boolean keepRows) {
    return !keepRows
            && specification != null
            && PackedDownsampler.fits(specification, null)
            && !PackedDownsampler.isAll(specification)
            && PointBlock.HOUR_MS % specification.getInterval() == 0
        ? new PackedReduction(
            specification.getInterval(), PackedFold.of(specification.getFunction()))
        : NONE;
  }

  /**
   * The row to hand on.
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
    PackedBuckets buckets = this.buckets.get();
    buckets.clear();
    PackedCellHeader header = PackedColumn.matches(row) ? PackedColumn.of(row).header() : null;
    if (header != null && buckets.add(header, baseMs)) {
      return PackedBucketSeq.pack(
          key, header.count(), header.firstOffsetMs(), header.lastOffsetMs(), baseMs, buckets);
    }
    PackedHour hour = PackedHour.ofThread();
    if (!hour.read(row, baseTime, header)) {
      return row;
    }
    buckets.add(hour, 0, hour.count());
    buckets.finish();
    int count = hour.count();
    int[] offsets = hour.offsets();
    return PackedBucketSeq.pack(key, count, offsets[0], offsets[count - 1], baseMs, buckets);
  }

  /**
   * Runs a query again if its rows turned out not to be reducible.
   *
   * @param again what to run
   */
  Callback<Object, Exception> otherwise(Supplier<? extends Deferred<?>> again) {
    return e -> e instanceof PackedBucketSeq.RepeatedHourException ? again.get() : e;
  }
}
