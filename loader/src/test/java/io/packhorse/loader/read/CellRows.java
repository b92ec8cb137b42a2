package io.packhorse.loader.read;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.schema.key.RowKeyLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** Rows in memory, made of written cells; scanned as a table is: by the bytes of their keys. */
public final class CellRows implements RowSource {
  private final RowKeyLayout layout;
  private final TreeMap<byte[], List<StoredColumn>> rows = new TreeMap<>(Arrays::compareUnsigned);

  /** An empty table under this layout. */
  public CellRows(RowKeyLayout layout) {
    this.layout = layout;
  }

  /** A table of these cells. */
  public static CellRows of(RowKeyLayout layout, Collection<CellWrite> cells) {
    CellRows rows = new CellRows(layout);
    for (CellWrite cell : cells) {
      rows.add(
          cell.rowKey(),
          new StoredColumn(
              cell.form() == CellForm.PACKED, cell.qualifier(), cell.stampMs(), cell.value()));
    }
    return rows;
  }

  /** Adds a column to a row. */
  public void add(byte[] rowKey, StoredColumn column) {
    rows.computeIfAbsent(rowKey, key -> new ArrayList<>()).add(column);
  }

  /** Replaces all columns of a row. */
  public void replace(byte[] rowKey, StoredColumn column) {
    rows.put(rowKey, List.of(column));
  }

  /** Takes a row out; its columns. */
  public List<StoredColumn> remove(byte[] rowKey) {
    List<StoredColumn> columns = rows.remove(rowKey);
    if (columns == null) {
      throw new IllegalArgumentException("no such row");
    }
    return columns;
  }

  /** All rows in order. */
  public List<StoredRow> rows() {
    List<StoredRow> all = new ArrayList<>();
    rows.forEach((key, columns) -> all.add(new StoredRow(key, columns)));
    return all;
  }

  @Override
  public void scan(int bucket, long metric, long fromSeconds, long toSeconds, Visitor visitor)
      throws IOException {
    byte[] start = layout.scanStart(bucket, metric, fromSeconds);
    byte[] stop = layout.scanStop(bucket, metric, toSeconds);
    for (StoredRow row : rows()) {
      if (Arrays.compareUnsigned(row.rowKey(), start) >= 0
          && (stop.length == 0 || Arrays.compareUnsigned(row.rowKey(), stop) < 0)) {
        visitor.row(row);
      }
    }
  }
}
