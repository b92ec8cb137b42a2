package net.opentsdb.core;

import java.nio.ByteBuffer;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;

/**
 * All rows of a series reduced to the intervals of its query ({@link SeriesFolds}), as one row that
 * begins with the series' first hour.
 *
 * <p>Carried in a KeyValue like {@link ReducedRowSeq}. Value, big-endian: number of points, times
 * of the first and last one, start of the first interval, length of an interval; then for each
 * interval its number from the first one on, and its value.
 */
@NullMarked
final class ReducedSeriesSeq extends ReducedSeq {
  /** Compared by identity. */
  private static final byte[] FAMILY = {'s', 'e', 'r', 'i', 'e', 's'};

  private static final byte[] NO_QUALIFIER = {0};
  private static final int HEAD_BYTES = 36;
  private static final int BUCKET_BYTES = 12;

  private final byte[] value;

  ReducedSeriesSeq(TSDB tsdb, KeyValue row) {
    super(tsdb, row.key());
    this.value = row.value();
  }

  /** Whether a KeyValue carries a reduced series. */
  static boolean matches(KeyValue row) {
    return row.family() == FAMILY;
  }

  /**
   * The KeyValue that carries a series; empties the buckets.
   *
   * @param key of its first row
   * @param points of all its rows; a larger number is stored as {@link Integer#MAX_VALUE}
   * @param intervalMs distance of the starts of intervals, or a divisor of it
   */
  static KeyValue pack(
      byte[] key,
      long points,
      long firstMs,
      long lastMs,
      long intervalMs,
      IntervalBuckets buckets) {
    ByteBuffer value = ByteBuffer.allocate(HEAD_BYTES + buckets.size() * BUCKET_BYTES);
    long fromMs = buckets.size() == 0 ? 0 : buckets.time();
    value.putInt((int) Math.min(points, Integer.MAX_VALUE));
    value.putLong(firstMs).putLong(lastMs).putLong(fromMs).putLong(intervalMs);
    while (buckets.size() > 0) {
      value.putInt(Math.toIntExact((buckets.time() - fromMs) / intervalMs));
      value.putDouble(buckets.value());
      buckets.drop();
    }
    return new KeyValue(key, FAMILY, NO_QUALIFIER, value.array());
  }

  @Override
  void copy(long fromMs, IntervalBuckets into) {
    long firstMs = Bytes.getLong(value, 20);
    long intervalMs = Bytes.getLong(value, 28);
    for (int at = HEAD_BYTES; at < value.length; at += BUCKET_BYTES) {
      long time = firstMs + Bytes.getInt(value, at) * intervalMs;
      if (time >= fromMs) {
        into.add(time, Double.longBitsToDouble(Bytes.getLong(value, at + 4)));
      }
    }
  }

  @Override
  long firstMs() {
    return Bytes.getLong(value, 4);
  }

  @Override
  long lastMs() {
    return Bytes.getLong(value, 12);
  }

  @Override
  long latestMs() {
    return lastMs();
  }

  @Override
  public int size() {
    return Bytes.getInt(value, 0);
  }
}
