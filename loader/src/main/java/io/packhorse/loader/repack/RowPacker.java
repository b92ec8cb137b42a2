package io.packhorse.loader.repack;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.HourParts;
import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.read.RowPoints;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the cells that take the place of a row's old columns. They have the points that a query
 * answers from these columns, and a timestamp no older than any of them; so nothing changes for
 * readers, whether the old columns are there or not. One thread.
 */
public final class RowPacker {
  private final RowKeyLayout layout;
  private final LoaderId loader;
  private final RowPoints reader = new RowPoints();
  private final HourParts parts = new HourParts();

  /**
   * What becomes of a row.
   *
   * @param cells that take the place of the old columns; none if nothing is to be done, or can be
   * @param points in them
   * @param replaced points of the old columns that others of these won over
   * @param columns how many there are of these
   * @param columnBytes bytes of their row keys, qualifiers and values
   * @param newer columns that stay beside the cells
   * @param broken why the row is left as it is; empty if it is not
   */
  public record Packed(
      List<CellWrite> cells,
      int points,
      int replaced,
      int columns,
      long columnBytes,
      int newer,
      List<BrokenColumn> broken) {}

  /**
   * @param loader of the new cells; columns that are newer than its timestamp are not packed
   */
  public RowPacker(RowKeyLayout layout, LoaderId loader) {
    this.layout = layout;
    this.loader = loader;
  }

  /** Packs a row; a cell of this loader that it has already does not count. */
  public Packed pack(StoredRow row) {
    RowColumns columns = RowColumns.of(row, loader);
    if (columns.old().isEmpty()) {
      return of(columns, List.of(), 0, 0, List.of());
    }
    List<BrokenColumn> broken = new ArrayList<>(0);
    try {
      layout.baseTimeSeconds(row.rowKey());
      PointBlock points =
          reader.of(
              columns.with(columns.old()),
              (column, reason) -> broken.add(BrokenColumn.of(row, column, reason)));
      int needed = HourParts.count(points);
      if (needed > PackedQualifier.MAX_PART + 1) {
        broken.add(BrokenColumn.of(row, "too many points for a row: " + points.count()));
      }
      boolean dense = !columns.hasPlain() && columns.old().size() <= needed;
      if (!broken.isEmpty() || dense || points.count() == 0) {
        return of(columns, List.of(), 0, 0, broken);
      }
      List<CellWrite> cells = new ArrayList<>(needed);
      for (int number = 0; number < needed; number++) {
        PointBlock part = parts.part(points, number);
        cells.add(
            new CellWrite(
                row.rowKey(),
                CellForm.PACKED,
                new PackedQualifier(loader.id(), number).toBytes(),
                parts.pack(part),
                part.count(),
                loader.stampMs()));
      }
      return of(columns, cells, points.count(), reader.replaced(), List.of());
    } catch (MalformedCellException e) {
      broken.add(BrokenColumn.of(row, String.valueOf(e.getMessage())));
      return of(columns, List.of(), 0, 0, broken);
    }
  }

  private static Packed of(
      RowColumns columns,
      List<CellWrite> cells,
      int points,
      int replaced,
      List<BrokenColumn> broken) {
    byte[] key = columns.row().rowKey();
    return new Packed(
        cells,
        points,
        replaced,
        columns.old().size(),
        columns.old().stream().mapToLong(column -> column.bytes(key)).sum(),
        columns.newer().size(),
        broken);
  }
}
