package net.opentsdb.core;

import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;

/**
 * Points of a series reduced to the intervals of their query. Only {@link RowDownsampler} can read
 * it: it has the number of points and the times of the first and last one, but no points.
 */
@NullMarked
abstract class ReducedSeq extends HourRowSeq {
  ReducedSeq(TSDB tsdb, byte[] key) {
    super(tsdb, key);
  }

  /** Adds the intervals that start at or after a time to others. */
  abstract void copy(long fromMs, IntervalBuckets into);

  /** Time of the first point, in milliseconds since the epoch. */
  abstract long firstMs();

  /** Time of the last point. */
  abstract long lastMs();

  @Override
  public final void addRow(KeyValue row) {
    throw repeated();
  }

  @Override
  public final long timestamp(int i) {
    if (i == 0) {
      return firstMs();
    }
    if (i == size() - 1) {
      return lastMs();
    }
    throw noPoints();
  }

  @Override
  public final boolean isInteger(int i) {
    throw noPoints();
  }

  @Override
  public final long longValue(int i) {
    throw noPoints();
  }

  @Override
  public final double doubleValue(int i) {
    throw noPoints();
  }

  /** A Span asks for an iterator of its first row even if it never reads from it. */
  @Override
  public final iRowSeq.Iterator internalIterator() {
    return new NoPoints();
  }

  private static IllegalStateException noPoints() {
    return new IllegalStateException("a reduced row has only intervals, no points");
  }

  /** Two rows of a series that have to become one before they can be reduced. */
  static NotReducibleException repeated() {
    return new NotReducibleException(
        "one hour of a series is in two rows, which cannot be reduced separately");
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
    public final boolean isInteger() {
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
