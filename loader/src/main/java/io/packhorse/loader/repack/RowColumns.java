package io.packhorse.loader.repack;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a row as a repack sees them.
 *
 * @param row all of them
 * @param old columns of points that the repack's cells take the place of: no newer than these
 * @param own the repack's cells
 * @param newer columns of points written since; they win over its cells as they did over the old
 */
record RowColumns(
    StoredRow row, List<StoredColumn> old, List<StoredColumn> own, List<StoredColumn> newer) {
  /**
   * @param loader of the repack's cells
   */
  static RowColumns of(StoredRow row, LoaderId loader) {
    List<StoredColumn> old = new ArrayList<>(row.columns().size());
    List<StoredColumn> own = new ArrayList<>(1);
    List<StoredColumn> newer = new ArrayList<>(0);
    for (StoredColumn column : row.columns()) {
      if (!column.holdsPoints()) {
        continue;
      }
      if (isOf(loader, column)) {
        own.add(column);
      } else if (column.stampMs() > loader.stampMs()) {
        newer.add(column);
      } else {
        old.add(column);
      }
    }
    return new RowColumns(row, old, own, newer);
  }

  private static boolean isOf(LoaderId loader, StoredColumn column) {
    return column.packed()
        && column.stampMs() == loader.stampMs()
        && PackedQualifier.parse(column.qualifier()).loaderId() == loader.id();
  }

  /** The row with some of its columns alone. */
  StoredRow with(List<StoredColumn> columns) {
    return new StoredRow(row.rowKey(), columns);
  }

  /** The row with its newer columns and some of the others. */
  StoredRow withNewerAnd(List<StoredColumn> columns) {
    if (newer.isEmpty()) {
      return with(columns);
    }
    List<StoredColumn> both = new ArrayList<>(newer);
    both.addAll(columns);
    return with(both);
  }

  /** Whether some of the old columns are OpenTSDB's own. */
  boolean hasPlain() {
    return old.stream().anyMatch(column -> !column.packed());
  }
}
