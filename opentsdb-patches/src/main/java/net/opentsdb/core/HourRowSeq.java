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
 * A row of our own kinds in a {@link Span}: everything that follows from its key. Subclasses hold
 * the points.
 *
 * <p>For one thread at a time, as a Span is.
 */
@NullMarked
abstract class HourRowSeq implements iRowSeq {
  private final TSDB tsdb;
  private final byte[] key;

  HourRowSeq(TSDB tsdb, byte[] key) {
    this.tsdb = tsdb;
    this.key = key;
  }

  /** The sequence for a row from {@link SaltScanner}: packed, reduced or stock. */
  static iRowSeq of(TSDB tsdb, KeyValue row) {
    if (PointColumn.matches(row)) {
      return new PackedRowSeq(tsdb, row);
    }
    if (ReducedRowSeq.matches(row)) {
      return new ReducedRowSeq(tsdb, row);
    }
    if (ReducedSeriesSeq.matches(row)) {
      return new ReducedSeriesSeq(tsdb, row);
    }
    RowSeq stock = new RowSeq(tsdb);
    stock.setRow(row);
    return stock;
  }

  /**
   * A row in the form that stock sequences can add: a packed cell becomes a compacted column.
   *
   * @throws NotReducibleException if the row was reduced to intervals
   */
  static KeyValue expand(KeyValue row) {
    if (ReducedRowSeq.matches(row)) {
      throw ReducedSeq.repeated();
    }
    return PointColumn.matches(row) ? PackedRow.expand(row) : row;
  }

  /**
   * An upper bound of the times of a Span's last row, in milliseconds: a Span needs no more to
   * decide whether the next row belongs to the same hour.
   *
   * @throws NotReducibleException if the row is a whole series, which nothing can be added to
   */
  static long latestBeforeNext(iRowSeq last) {
    if (last instanceof ReducedSeriesSeq) {
      throw ReducedSeq.repeated();
    }
    return latest(last);
  }

  /** An upper bound of the times of a row, in milliseconds. */
  static long latest(iRowSeq row) {
    return row instanceof HourRowSeq own ? own.latestMs() : row.timestamp(row.size() - 1);
  }

  /** A lower bound of the times of a row, in milliseconds. */
  static long earliest(iRowSeq row) {
    return row instanceof HourRowSeq packed ? packed.baseMs() : row.timestamp(0);
  }

  /** Whether the first point of a row is a double. */
  static boolean beginsWithDouble(iRowSeq row) {
    return row instanceof PackedRowSeq packed
        ? packed.beginsWithDouble()
        : row instanceof ReducedSeq || !row.isInteger(0);
  }

  /** A Span's rows by time. */
  static List<iRowSeq> inOrder(Span span) {
    if (!span.rows.isEmpty()) {
      span.spanIterator(); // Sorts them.
    }
    return span.rows;
  }

  final long baseMs() {
    return baseTime() * 1000;
  }

  /** An upper bound of the times of the points, in milliseconds since the epoch. */
  long latestMs() {
    return baseMs() + PointBlock.HOUR_MS - 1;
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
    throw new UnsupportedOperationException("a row has no percentile");
  }

  final IndexOutOfBoundsException outOfBounds(int i) {
    return new IndexOutOfBoundsException("point " + i + " of " + size());
  }
}
