package io.packhorse.loader.repack;

import static io.packhorse.loader.repack.RepackCount.ANNOTATIONS;
import static io.packhorse.loader.repack.RepackCount.AS_BEFORE;
import static io.packhorse.loader.repack.RepackCount.CELLS;
import static io.packhorse.loader.repack.RepackCount.CELL_BYTES;
import static io.packhorse.loader.repack.RepackCount.COLUMNS;
import static io.packhorse.loader.repack.RepackCount.COLUMN_BYTES;
import static io.packhorse.loader.repack.RepackCount.HISTOGRAMS;
import static io.packhorse.loader.repack.RepackCount.LEFT;
import static io.packhorse.loader.repack.RepackCount.NEWER;
import static io.packhorse.loader.repack.RepackCount.POINTS;
import static io.packhorse.loader.repack.RepackCount.REPLACED;
import static io.packhorse.loader.repack.RepackCount.ROWS;
import static io.packhorse.loader.repack.RepackCount.UNKNOWN;
import static io.packhorse.loader.repack.RepackCount.VALUE_BYTES;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import java.io.IOException;

/** First stage: packs rows and stores their new cells. One thread. */
public final class PackRows implements RowSource.Visitor {
  private final RowPacker packer;
  private final Cells cells;
  private final LeftRows left;
  private final RepackCounts counts;

  /** Where new cells go. */
  public interface Cells {
    /** Takes a cell, which may be stored later. */
    void write(CellWrite cell) throws IOException;
  }

  public PackRows(RowPacker packer, Cells cells, LeftRows left, RepackCounts counts) {
    this.packer = packer;
    this.cells = cells;
    this.left = left;
    this.counts = counts;
  }

  @Override
  public void row(StoredRow row) throws IOException {
    for (StoredColumn column : row.columns()) {
      switch (column.kind()) {
        case POINTS -> {}
        case ANNOTATION -> counts.add(ANNOTATIONS, 1);
        case HISTOGRAM -> counts.add(HISTOGRAMS, 1);
        case UNKNOWN -> counts.add(UNKNOWN, 1);
      }
    }
    RowPacker.Packed packed = packer.pack(row);
    counts.add(NEWER, packed.newer());
    if (!packed.broken().isEmpty()) {
      counts.add(LEFT, 1);
      for (BrokenColumn each : packed.broken()) {
        left.take(each);
      }
    } else if (packed.cells().isEmpty()) {
      counts.add(AS_BEFORE, packed.columns() > 0 ? 1 : 0);
    } else {
      write(packed);
    }
  }

  private void write(RowPacker.Packed packed) throws IOException {
    counts.add(ROWS, 1);
    counts.add(POINTS, packed.points());
    counts.add(REPLACED, packed.replaced());
    counts.add(COLUMNS, packed.columns());
    counts.add(COLUMN_BYTES, packed.columnBytes());
    for (CellWrite cell : packed.cells()) {
      cells.write(cell);
      counts.add(CELLS, 1);
      counts.add(CELL_BYTES, cell.bytes());
      counts.add(VALUE_BYTES, cell.value().length);
    }
  }
}
