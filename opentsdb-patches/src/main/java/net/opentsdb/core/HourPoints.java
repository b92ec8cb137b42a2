package net.opentsdb.core;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.packed.PackedCellHeader;
import java.util.Arrays;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The points of one row in arrays, for loops over whole hours; reads rows of every kind.
 *
 * <p>One instance per thread; each read replaces the points and the arrays of the one before.
 */
@NullMarked
final class HourPoints {
  private static final ThreadLocal<HourPoints> OF_THREAD = ThreadLocal.withInitial(HourPoints::new);

  private final PointBlock block = new PointBlock();
  private int[] stockOffsets = {};
  private long[] stockValues = {};
  private boolean[] stockIsDouble = {};

  private long baseMs;
  private long magnitude;
  private int count;
  private int doubles;
  private int[] offsets = stockOffsets;
  private long[] values = stockValues;
  private boolean[] isDouble = stockIsDouble;

  private HourPoints() {}

  /** This thread's instance. */
  static HourPoints ofThread() {
    return OF_THREAD.get();
  }

  /** Milliseconds since the epoch that the offsets count from. */
  long baseMs() {
    return baseMs;
  }

  /** Number of points. */
  int count() {
    return count;
  }

  /** How many of them are doubles. */
  int doubles() {
    return doubles;
  }

  /** Upper bound of the values' magnitude, all being integers: v ^ (v >> 63), joined by or. */
  long magnitude() {
    if (magnitude < 0) {
      long bits = 0;
      for (int i = 0; i < count; i++) {
        bits |= values[i] ^ (values[i] >> 63);
      }
      magnitude = bits;
    }
    return magnitude;
  }

  /** Milliseconds from the base, rising; in a damaged stock row they may exceed the hour. */
  int[] offsets() {
    return offsets;
  }

  /** Integers as they are, doubles by their raw bits. */
  long[] values() {
    return values;
  }

  /** Which values are doubles. */
  boolean[] isDouble() {
    return isDouble;
  }

  /** The value at an index as a double, as {@link DataPoint#toDouble} gives it. */
  double toDouble(int i) {
    return isDouble[i] ? Double.longBitsToDouble(values[i]) : values[i];
  }

  /** The index of the first point at or after a time in milliseconds since the epoch. */
  int from(long timeMs) {
    long offset = timeMs - baseMs;
    if (offset <= 0) {
      return 0;
    }
    if (offset > Integer.MAX_VALUE) {
      return count;
    }
    int found = Arrays.binarySearch(offsets, 0, count, (int) offset);
    return found < 0 ? -found - 1 : found;
  }

  /**
   * Reads a row of a Span; the intervals of a reduced one count as points.
   *
   * @throws IllegalDataException naming row and reason, if its cell is malformed
   */
  void read(iRowSeq row) {
    baseMs = row.baseTime() * 1000;
    magnitude = -1;
    if (row instanceof PackedRowSeq packed) {
      packed.read(block);
      takeBlock();
      takeMagnitude(packed.header());
    } else if (row instanceof ReducedRowSeq reduced) {
      readBuckets(reduced);
    } else {
      readStock(row);
    }
  }

  /**
   * Reads the one column of points of a row, as compaction leaves it.
   *
   * @param baseTime seconds since the epoch
   * @param header of a packed cell
   * @return whether it could be read; false for a damaged column of OpenTSDB's own
   * @throws IllegalDataException naming row and reason, if a packed cell is malformed
   */
  boolean read(KeyValue column, long baseTime, @Nullable PackedCellHeader header) {
    baseMs = baseTime * 1000;
    magnitude = -1;
    if (header != null) {
      PackedRow.decode(column, block);
      takeMagnitude(header);
    } else {
      try {
        CompactedCell.decode(column.qualifier(), column.value(), block);
      } catch (MalformedCellException e) {
        return false;
      }
    }
    takeBlock();
    return count > 0;
  }

  private void takeBlock() {
    count = block.count();
    doubles = block.doubles();
    offsets = block.offsetsMs();
    values = block.values();
    isDouble = block.isDouble();
  }

  private void takeMagnitude(@Nullable PackedCellHeader header) {
    CellStatistics statistics = header == null ? null : header.statistics();
    if (statistics != null && statistics.integers()) {
      magnitude = IntervalFold.magnitude(statistics);
    }
  }

  private void readBuckets(ReducedRowSeq row) {
    count = row.buckets();
    doubles = count;
    room(count);
    row.copy(stockOffsets, stockValues);
    Arrays.fill(stockIsDouble, 0, count, true);
    takeStock();
  }

  private void readStock(iRowSeq row) {
    count = 0;
    doubles = 0;
    iRowSeq.Iterator points = row.internalIterator();
    while (points.hasNext()) {
      DataPoint point = points.next();
      room(count + 1);
      boolean integer = point.isInteger();
      stockOffsets[count] = (int) (point.timestamp() - baseMs);
      stockValues[count] =
          integer ? point.longValue() : Double.doubleToRawLongBits(point.doubleValue());
      stockIsDouble[count] = !integer;
      count++;
      doubles += integer ? 0 : 1;
    }
    takeStock();
  }

  private void room(int points) {
    if (points > stockOffsets.length) {
      int room = Math.max(64, 2 * points);
      stockOffsets = Arrays.copyOf(stockOffsets, room);
      stockValues = Arrays.copyOf(stockValues, room);
      stockIsDouble = Arrays.copyOf(stockIsDouble, room);
    }
  }

  private void takeStock() {
    offsets = stockOffsets;
    values = stockValues;
    isDouble = stockIsDouble;
  }
}
