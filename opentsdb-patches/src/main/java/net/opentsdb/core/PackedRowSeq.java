package net.opentsdb.core;

import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellHeader;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A packed row of a {@link Span}, kept as the cell that HBase returned and decoded when read.
 *
 * <p>Each iterator decodes once and holds the decoded hour as long as it lives; a Span drops one
 * before it takes the next. For one thread at a time.
 */
@NullMarked
final class PackedRowSeq extends HourRowSeq {
  /** An offset, a value and its kind. */
  static final int DECODED_POINT_BYTES = 13;

  private final PackedCellHeader header;
  private final KeyValue cell;

  /** Replaces the cell once another row of the same hour was added, which is rare. */
  private @Nullable PointBlock merged;

  /** Offsets of the first and last point; -1 until they are known. */
  private int firstMs;

  private int lastMs;

  PackedRowSeq(TSDB tsdb, KeyValue cell) {
    super(tsdb, cell.key());
    this.cell = cell;
    this.header = PointColumn.of(cell).header();
    this.firstMs = header.firstOffsetMs();
    this.lastMs = header.lastOffsetMs();
  }

  /** The cell's header; null after another row was merged in. */
  @Nullable PackedCellHeader header() {
    return merged == null ? header : null;
  }

  /** Whether the first point is a double. */
  boolean beginsWithDouble() {
    return (merged != null || header.mixed()) ? !isInteger(0) : header.kind() != 0;
  }

  /**
   * Replaces the block's points by those of the row.
   *
   * @throws IllegalDataException naming row and reason, if the cell is malformed
   */
  void read(PointBlock into) {
    if (merged == null) {
      PackedRow.decode(cell, into);
    } else {
      into.clear();
      for (int i = 0; i < merged.count(); i++) {
        into.add(merged.offsetsMs()[i], merged.values()[i], merged.isDouble()[i]);
      }
    }
    firstMs = into.offsetsMs()[0];
    lastMs = into.offsetsMs()[into.count() - 1];
  }

  /**
   * Adds the points of the same hour under another salt; among equal times the present ones win.
   */
  @Override
  public void addRow(KeyValue row) {
    PointBlock here = new PointBlock(header.count());
    read(here);
    PointBlock there = new PointBlock(0);
    PointColumn.of(row).read(PackedRow.decoder(), there);
    PointBlock all = new PointBlock(here.count() + there.count());
    PackedRow.merge(List.of(here, there), all);
    merged = all;
    firstMs = -1;
  }

  @Override
  public int size() {
    return merged == null ? header.count() : merged.count();
  }

  @Override
  public long timestamp(int i) {
    if (i < 0 || i >= size()) {
      throw outOfBounds(i);
    }
    if (firstMs < 0) {
      PackedRow.decode(this);
    }
    int offset =
        i == 0 ? firstMs : i == size() - 1 ? lastMs : PackedRow.decode(this).offsetsMs()[i];
    return baseMs() + offset;
  }

  @Override
  public boolean isInteger(int i) {
    if (i < 0 || i >= size()) {
      throw outOfBounds(i);
    }
    return !PackedRow.decode(this).isDouble()[i];
  }

  @Override
  public long longValue(int i) {
    if (!isInteger(i)) {
      throw new ClassCastException("point " + i + " is not an integer in " + this);
    }
    return PackedRow.decode(this).values()[i];
  }

  @Override
  public double doubleValue(int i) {
    if (isInteger(i)) {
      throw new ClassCastException("point " + i + " is not a double in " + this);
    }
    return Double.longBitsToDouble(PackedRow.decode(this).values()[i]);
  }

  @Override
  public Points internalIterator() {
    return new Points();
  }

  @Override
  public String toString() {
    return "PackedRowSeq(base_time=" + baseTime() + ", points=" + size() + ")";
  }

  /** Iterates over the points of the row, which is decoded at the first call of next. */
  final class Points implements iRowSeq.Iterator {
    private final long base = baseMs();
    private final int end = size();
    private int next;
    private int[] offsets = {};
    private long[] values = {};
    private boolean[] isDouble = {};

    private void decode() {
      PointBlock block = new PointBlock(end);
      read(block);
      offsets = block.offsetsMs();
      values = block.values();
      isDouble = block.isDouble();
    }

    @Override
    public boolean hasNext() {
      return next < end;
    }

    @Override
    public DataPoint next() {
      if (next >= end) {
        throw new NoSuchElementException("no more points in " + PackedRowSeq.this);
      }
      if (offsets.length == 0) {
        decode();
      }
      next++;
      return this;
    }

    @Override
    public void seek(long timestamp) {
      if ((timestamp & Const.MILLISECOND_MASK) != 0) {
        throw new IllegalArgumentException("invalid timestamp: " + timestamp);
      }
      long offset = timestamp - base;
      if (offset <= 0) {
        next = 0;
      } else if (offset >= PointBlock.HOUR_MS) {
        next = end;
      } else {
        if (offsets.length == 0) {
          decode();
        }
        int found = Arrays.binarySearch(offsets, 0, end, (int) offset);
        next = found < 0 ? -found - 1 : found;
      }
    }

    @Override
    public void remove() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long timestamp() {
      return base + offsets[next - 1];
    }

    @Override
    public boolean isInteger() {
      return !isDouble[next - 1];
    }

    @Override
    public long longValue() {
      if (isDouble[next - 1]) {
        throw new ClassCastException("point " + (next - 1) + " is not an integer in " + this);
      }
      return values[next - 1];
    }

    @Override
    public double doubleValue() {
      if (!isDouble[next - 1]) {
        throw new ClassCastException("point " + (next - 1) + " is not a double in " + this);
      }
      return Double.longBitsToDouble(values[next - 1]);
    }

    @Override
    public double toDouble() {
      long bits = values[next - 1];
      return isDouble[next - 1] ? Double.longBitsToDouble(bits) : bits;
    }

    @Override
    public long valueCount() {
      return 1;
    }

    @Override
    public String toString() {
      return "PackedRowSeq.Points(next=" + next + ", row=" + PackedRowSeq.this + ")";
    }
  }
}
