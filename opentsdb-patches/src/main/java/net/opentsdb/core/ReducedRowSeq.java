package net.opentsdb.core;

import java.nio.ByteBuffer;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;

/**
 * A row reduced to the intervals of its query ({@link RowReduction}).
 *
 * <p>From the scanner to the Span it is carried in a KeyValue, because SaltScanner's lists and
 * Span.addRow take nothing else and KeyValue is final; the family is the array {@link #FAMILY}
 * itself, compared by identity, so that no stored cell can be taken for one. Value, big-endian:
 * number of points, first and last offset, then offset and value per interval.
 */
@NullMarked
final class ReducedRowSeq extends ReducedSeq {
  /** Compared by identity. */
  private static final byte[] FAMILY = {'r', 'e', 'd', 'u', 'c', 'e', 'd'};

  private static final byte[] NO_QUALIFIER = {0};
  private static final int HEAD_BYTES = 12;
  private static final int BUCKET_BYTES = 12;

  private final byte[] value;

  ReducedRowSeq(TSDB tsdb, KeyValue row) {
    super(tsdb, row.key());
    this.value = row.value();
  }

  /** Whether a KeyValue carries a reduced row. */
  static boolean matches(KeyValue row) {
    return row.family() == FAMILY;
  }

  /** The KeyValue that carries a row whose points are in the buckets; empties the buckets. */
  static KeyValue pack(
      byte[] key, int points, int firstMs, int lastMs, long baseMs, IntervalBuckets buckets) {
    ByteBuffer value = ByteBuffer.allocate(HEAD_BYTES + buckets.size() * BUCKET_BYTES);
    value.putInt(points).putInt(firstMs).putInt(lastMs);
    while (buckets.size() > 0) {
      value.putInt((int) (buckets.time() - baseMs)).putDouble(buckets.value());
      buckets.drop();
    }
    return new KeyValue(key, FAMILY, NO_QUALIFIER, value.array());
  }

  /** Number of intervals. */
  int buckets() {
    return (value.length - HEAD_BYTES) / BUCKET_BYTES;
  }

  /**
   * Copies each interval's start, in milliseconds from the hour's, and the raw bits of its value.
   */
  void copy(int[] offsets, long[] bits) {
    int at = HEAD_BYTES;
    for (int i = 0; i < buckets(); i++) {
      offsets[i] = Bytes.getInt(value, at);
      bits[i] = Bytes.getLong(value, at + 4);
      at += BUCKET_BYTES;
    }
  }

  @Override
  void copy(long fromMs, IntervalBuckets into) {
    long base = baseMs();
    for (int at = HEAD_BYTES; at < value.length; at += BUCKET_BYTES) {
      long time = base + Bytes.getInt(value, at);
      if (time >= fromMs) {
        into.add(time, Double.longBitsToDouble(Bytes.getLong(value, at + 4)));
      }
    }
  }

  @Override
  long firstMs() {
    return baseMs() + Bytes.getInt(value, 4);
  }

  @Override
  long lastMs() {
    return baseMs() + Bytes.getInt(value, 8);
  }

  @Override
  public int size() {
    return Bytes.getInt(value, 0);
  }
}
