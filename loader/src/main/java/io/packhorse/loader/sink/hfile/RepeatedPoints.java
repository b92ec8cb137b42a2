package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Counts points of equal time in cells of one row. Cells come in row order; one thread. */
public final class RepeatedPoints {
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock block = new PointBlock();
  private @Nullable CellWrite last;

  /** Times of the row in order, once it has a second cell. */
  private int[] offsetsMs = {};

  private long count;
  private @Nullable Place first;

  RepeatedPoints() {}

  /** A row and a time in its hour, milliseconds. */
  public record Place(byte[] rowKey, int offsetMs) {}

  /** Adds a cell. */
  void add(CellWrite cell) throws IOException {
    CellWrite before = last;
    last = cell;
    if (before == null || !Arrays.equals(before.rowKey(), cell.rowKey())) {
      offsetsMs = new int[0];
      return;
    }
    if (offsetsMs.length == 0) {
      offsetsMs = offsets(before);
    }
    int[] more = offsets(cell);
    int[] all = Arrays.copyOf(offsetsMs, offsetsMs.length + more.length);
    System.arraycopy(more, 0, all, offsetsMs.length, more.length);
    Arrays.sort(all);
    int distinct = 0;
    for (int offset : all) {
      if (distinct > 0 && all[distinct - 1] == offset) {
        count(cell.rowKey(), offset);
      } else {
        all[distinct++] = offset;
      }
    }
    offsetsMs = Arrays.copyOf(all, distinct);
  }

  private void count(byte[] rowKey, int offsetMs) {
    count++;
    if (first == null) {
      first = new Place(rowKey, offsetMs);
    }
  }

  private int[] offsets(CellWrite cell) throws IOException {
    try {
      if (cell.form() == CellForm.PACKED) {
        decoder.decode(cell.value(), block);
      } else {
        CompactedCell.decode(cell.qualifier(), cell.value(), block);
      }
    } catch (MalformedCellException e) {
      throw new IOException("a cell to be sorted is damaged: " + e.getMessage(), e);
    }
    return Arrays.copyOf(block.offsetsMs(), block.count());
  }

  /** Number of points whose row and time an earlier point already had. */
  long count() {
    return count;
  }

  /** Row and time of the first repeated point; null if no point is repeated. */
  @Nullable Place first() {
    return first;
  }
}
