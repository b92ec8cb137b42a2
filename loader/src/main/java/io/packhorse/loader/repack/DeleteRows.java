package io.packhorse.loader.repack;

import static io.packhorse.loader.repack.RepackCount.DELETED;
import static io.packhorse.loader.repack.RepackCount.DELETED_CELLS;
import static io.packhorse.loader.repack.RepackCount.LEFT;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import java.io.IOException;
import java.util.List;

/**
 * Last stage: deletes the old columns of rows whose new cells hold the same, as they are read now.
 * One thread.
 */
public final class DeleteRows implements RowSource.Visitor {
  private final LoaderId loader;
  private final Deletes deletes;
  private final LeftRows left;
  private final RepackCounts counts;
  private final RowComparison comparison = new RowComparison();

  /** Deletes columns. */
  public interface Deletes {
    /**
     * Deletes columns of a row, all at one moment, perhaps later.
     *
     * @param row with all columns that it had when it was read
     * @param columns of it, with their timestamps
     */
    void delete(StoredRow row, List<StoredColumn> columns) throws IOException;
  }

  public DeleteRows(LoaderId loader, Deletes deletes, LeftRows left, RepackCounts counts) {
    this.loader = loader;
    this.deletes = deletes;
    this.left = left;
    this.counts = counts;
  }

  @Override
  public void row(StoredRow row) throws IOException {
    RowColumns columns = RowColumns.of(row, loader);
    if (columns.own().isEmpty() || columns.old().isEmpty()) {
      return;
    }
    if (comparison.isEqual(columns)) {
      delete(columns, deletes, counts);
    } else {
      counts.add(LEFT, 1);
      left.take(BrokenColumn.of(row, "its old columns have changed since they were verified"));
    }
  }

  /** Deletes the old columns of a row whose new cells were compared with them. */
  static void delete(RowColumns columns, Deletes deletes, RepackCounts counts) throws IOException {
    deletes.delete(columns.row(), columns.old());
    counts.add(DELETED, columns.old().size());
    counts.add(DELETED_CELLS, columns.old().stream().filter(StoredColumn::packed).count());
  }
}
