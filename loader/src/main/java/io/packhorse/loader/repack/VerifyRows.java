package io.packhorse.loader.repack;

import static io.packhorse.loader.repack.RepackCount.CHANGED;
import static io.packhorse.loader.repack.RepackCount.VERIFIED;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.read.RowLookup;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.StoredRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Second stage: reads rows again and compares their new cells with the old columns. A row that had
 * changed is packed again. Where the old columns are to go, those of a row that compares are
 * deleted at once; a row that was packed again keeps them, because queries may have read it before.
 * One thread.
 */
public final class VerifyRows implements RowSource.Visitor {
  private static final int ROWS_A_LOOKUP = 256;

  private final LoaderId loader;
  private final RowPacker packer;
  private final Cells cells;
  private final RowLookup lookup;
  private final Optional<DeleteRows.Deletes> deletes;
  private final RepackCounts counts;
  private final RowComparison comparison = new RowComparison();
  private final List<byte[]> again = new ArrayList<>();

  /** Where cells of changed rows go. */
  public interface Cells extends PackRows.Cells {
    /** Returns when all cells taken are stored. */
    void flush() throws IOException;
  }

  /** New cells do not hold what the old columns do, though they were stored twice. */
  public static final class DifferenceException extends IOException {
    private static final long serialVersionUID = 1;

    private DifferenceException(StoredRow row) {
      super(
          "the new cells of row "
              + HexFormat.of().formatHex(row.rowKey())
              + " differ from its old columns");
    }
  }

  /**
   * @param loader of the new cells
   * @param cells takes cells of rows that are packed again
   * @param lookup reads these rows once more
   * @param deletes the old columns of each row that compares; empty if all of them stay
   */
  public VerifyRows(
      LoaderId loader,
      RowPacker packer,
      Cells cells,
      RowLookup lookup,
      Optional<DeleteRows.Deletes> deletes,
      RepackCounts counts) {
    this.loader = loader;
    this.packer = packer;
    this.cells = cells;
    this.lookup = lookup;
    this.deletes = deletes;
    this.counts = counts;
  }

  @Override
  public void row(StoredRow row) throws IOException {
    RowColumns columns = RowColumns.of(row, loader);
    if (columns.old().isEmpty()) {
      return;
    }
    if (!columns.own().isEmpty() && comparison.isEqual(columns)) {
      counts.add(VERIFIED, 1);
      if (deletes.isPresent()) {
        DeleteRows.delete(columns, deletes.get(), counts);
      }
      return;
    }
    List<CellWrite> packed = packer.pack(row).cells();
    for (CellWrite cell : packed) {
      cells.write(cell);
    }
    if (!packed.isEmpty()) {
      again.add(row.rowKey());
      counts.add(CHANGED, 1);
    }
    if (again.size() == ROWS_A_LOOKUP) {
      compareAgain();
    }
  }

  /** Compares the rows that are left. */
  public void finish() throws IOException {
    compareAgain();
  }

  private void compareAgain() throws IOException {
    if (again.isEmpty()) {
      return;
    }
    cells.flush();
    for (StoredRow row : lookup.get(again)) {
      RowColumns columns = RowColumns.of(row, loader);
      if (!columns.old().isEmpty() && !comparison.isEqual(columns)) {
        throw new DifferenceException(row);
      }
      counts.add(VERIFIED, 1);
    }
    again.clear();
  }
}
