package net.opentsdb.core;

import com.stumbleupon.async.Deferred;
import io.packhorse.schema.cell.PointBlock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import net.opentsdb.meta.Annotation;
import org.hbase.async.Bytes;
import org.hbase.async.Bytes.ByteMap;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;

/**
 * A row of ours in a {@link Span}: what its key says. Subclasses hold the points.
 *
 * <p>For one thread at a time, as a Span is.
 */
@NullMarked
abstract class PackedSeq implements iRowSeq {
  private final TSDB tsdb;
  private final byte[] key;

  PackedSeq(TSDB tsdb, byte[] key) {
    this.tsdb = tsdb;
    this.key = key;
  }

  /** The sequence for a row as {@link SaltScanner} hands it on: packed, reduced or stock. */
  static iRowSeq of(TSDB tsdb, KeyValue row) {
    if (PackedColumn.matches(row)) {
      return new PackedRowSeq(tsdb, row);
    }
    if (PackedBucketSeq.matches(row)) {
      return new PackedBucketSeq(tsdb, row);
    }
    RowSeq stock = new RowSeq(tsdb);
    stock.setRow(row);
    return stock;
  }

  /**
   * A row in the form that stock sequences add: a packed one as the compacted column it means.
   *
   * @throws PackedBucketSeq.RepeatedHourException if its points are gone
   */
  static KeyValue expand(KeyValue row) {
    if (PackedBucketSeq.matches(row)) {
      throw new PackedBucketSeq.RepeatedHourException();
    }
    return PackedColumn.matches(row) ? PackedRow.expand(row) : row;
  }

  /**
   * A time in milliseconds that no point of the row lies after: all a Span asks of its last row
   * when it looks whether the next one is for the same hour.
   */
  static long latest(iRowSeq row) {
    return row instanceof PackedSeq packed
        ? packed.baseMs() + PointBlock.HOUR_MS - 1
        : row.timestamp(row.size() - 1);
  }

  /** A time in milliseconds that no point of the row lies before. */
  static long earliest(iRowSeq row) {
    return row instanceof PackedSeq packed ? packed.baseMs() : row.timestamp(0);
  }

  /** Whether the first point of a row is a double. */
  static boolean beginsWithDouble(iRowSeq row) {
    return row instanceof PackedRowSeq packed
        ? packed.beginsWithDouble()
        : row instanceof PackedBucketSeq || !row.isInteger(0);
  }

  /** A Span's rows by time. */
  static List<iRowSeq> inOrder(Span span) {
    if (!span.rows.isEmpty()) {
      SeekableView unused = span.iterator(); // Puts them in order.
    }
    return span.rows;
  }

  final long baseMs() {
    return baseTime() * 1000;
  }

  @Override
  public final void setRow(KeyValue row) {
    throw new IllegalStateException("a packed row is set when it is made");
  }

  @Override
  public final byte[] key() {
    return key;
  }

  @Override
  public final long baseTime() {
    return Bytes.getUnsignedInt(key, Const.SALT_WIDTH() + TSDB.metrics_width());
  }

  @Override
  public final String metricName() {
    return RowKey.metricName(tsdb, key);
  }

  @Override
  public final Deferred<String> metricNameAsync() {
    return RowKey.metricNameAsync(tsdb, key);
  }

  @Override
  public final byte[] metricUID() {
    return java.util.Arrays.copyOfRange(
        key, Const.SALT_WIDTH(), Const.SALT_WIDTH() + TSDB.metrics_width());
  }

  @Override
  public final Map<String, String> getTags() {
    return Tags.getTags(tsdb, key);
  }

  @Override
  public final Deferred<Map<String, String>> getTagsAsync() {
    return Tags.getTagsAsync(tsdb, key);
  }

  @Override
  public final ByteMap<byte[]> getTagUids() {
    return Tags.getTagUids(key);
  }

  @Override
  public final List<String> getAggregatedTags() {
    return Collections.emptyList();
  }

  @Override
  public final Deferred<List<String>> getAggregatedTagsAsync() {
    return Deferred.fromResult(Collections.emptyList());
  }

  @Override
  public final List<byte[]> getAggregatedTagUids() {
    return Collections.emptyList();
  }

  @Override
  public final List<String> getTSUIDs() {
    return Collections.emptyList();
  }

  @Override
  public final List<Annotation> getAnnotations() {
    return Collections.emptyList();
  }

  @Override
  public final int aggregatedSize() {
    return 0;
  }

  @Override
  public final SeekableView iterator() {
    return internalIterator();
  }

  @Override
  public final int getQueryIndex() {
    throw new UnsupportedOperationException("a row belongs to no query");
  }

  @Override
  public final boolean isPercentile() {
    return false;
  }

  @Override
  public final float getPercentile() {
    throw new UnsupportedOperationException("a row is no percentile");
  }

  final IndexOutOfBoundsException outOfBounds(int i) {
    return new IndexOutOfBoundsException("point " + i + " of " + size());
  }
}
