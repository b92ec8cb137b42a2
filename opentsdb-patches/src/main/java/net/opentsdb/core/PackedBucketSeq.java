package net.opentsdb.core;

import java.nio.ByteBuffer;
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;

/**
 * A row of which only the intervals of the query are left ({@link PackedReduction}).
 *
 * <p>It knows how many points it had and when the first and last were, and can be read by {@link
 * PackedDownsampler} alone. Between the scanner and the Span it travels as a KeyValue of the array
 * {@link #FAMILY}, which no stored cell has: points, first and last offset, then offset and value
 * of each interval, big-endian.
 */
@NullMarked
final class PackedBucketSeq extends PackedSeq {
  /** Known by identity. */
  private static final byte[] FAMILY = {'r', 'e', 'd', 'u', 'c', 'e', 'd'};

  private static final byte[] NO_QUALIFIER = {0};
  private static final int HEAD_BYTES = 12;
  private static final int BUCKET_BYTES = 12;

  private final byte[] value;

  PackedBucketSeq(TSDB tsdb, KeyValue row) {
    super(tsdb, row.key());
    this.value = row.value();
  }

  /** Whether a row is on its way to become one of these. */
  static boolean matches(KeyValue row) {
    return row.family() == FAMILY;
  }

  /** A row on its way: its points were cut into the buckets, which are emptied. */
  static KeyValue pack(
      byte[] key, int points, int firstMs, int lastMs, long baseMs, PackedBuckets buckets) {
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

  /** Puts start, in milliseconds from the hour's, and raw bits of each interval into arrays. */
  void copy(int[] offsets, long[] bits) {
    int at = HEAD_BYTES;
    for (int i = 0; i < buckets(); i++) {
      offsets[i] = Bytes.getInt(value, at);
      bits[i] = Bytes.getLong(value, at + 4);
      at += BUCKET_BYTES;
    }
  }

  /** Adds the intervals that start at or after a time to others. */
  void copy(long fromMs, PackedBuckets into) {
    long base = baseMs();
    for (int at = HEAD_BYTES; at < value.length; at += BUCKET_BYTES) {
      long time = base + Bytes.getInt(value, at);
      if (time >= fromMs) {
        into.add(time, Double.longBitsToDouble(Bytes.getLong(value, at + 4)));
      }
    }
  }

  @Override
  public void addRow(KeyValue row) {
    throw new RepeatedHourException();
  }

  @Override
  public int size() {
    return Bytes.getInt(value, 0);
  }

  @Override
  public long timestamp(int i) {
    if (i == 0) {
      return baseMs() + Bytes.getInt(value, 4);
    }
    if (i == size() - 1) {
      return baseMs() + Bytes.getInt(value, 8);
    }
    throw noPoints();
  }

  @Override
  public boolean isInteger(int i) {
    throw noPoints();
  }

  @Override
  public long longValue(int i) {
    throw noPoints();
  }

  @Override
  public double doubleValue(int i) {
    throw noPoints();
  }

  /** A Span makes one for its first row whether or not it reads it. */
  @Override
  public iRowSeq.Iterator internalIterator() {
    return new NoPoints();
  }

  private static IllegalStateException noPoints() {
    return new IllegalStateException("a reduced row has no points left");
  }

  /** One hour of a series arrived in two rows, of which one is reduced. */
  static final class RepeatedHourException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RepeatedHourException() {
      super("one hour of a series lies in two rows, so that rows cannot be reduced one by one");
    }
  }

  private static final class NoPoints implements iRowSeq.Iterator {
    @Override
    public boolean hasNext() {
      throw noPoints();
    }

    @Override
    public DataPoint next() {
      throw noPoints();
    }

    @Override
    public void remove() {
      throw noPoints();
    }

    @Override
    public void seek(long timestamp) {
      throw noPoints();
    }

    @Override
    public long timestamp() {
      throw noPoints();
    }

    @Override
    public boolean isInteger() {
      throw noPoints();
    }

    @Override
    public long longValue() {
      throw noPoints();
    }

    @Override
    public double doubleValue() {
      throw noPoints();
    }

    @Override
    public double toDouble() {
      throw noPoints();
    }

    @Override
    public long valueCount() {
      throw noPoints();
    }
  }
}
