package io.packhorse.loader.repack;

import io.packhorse.loader.read.RowPoints;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Compares the answer of a row with its old columns and with the repack's cells in their place. One
 * thread.
 */
final class RowComparison {
  private final RowPoints old = new RowPoints();
  private final RowPoints own = new RowPoints();

  /**
   * Whether the row has the same points, kinds and bits. Newer columns count in both: one of them
   * may have taken the place of an old column since that was packed.
   */
  boolean isEqual(RowColumns row) {
    try {
      PointBlock expected = old.of(row.withNewerAnd(row.old()));
      PointBlock found = own.of(row.withNewerAnd(row.own()));
      int count = expected.count();
      return count == found.count()
          && Arrays.equals(expected.offsetsMs(), 0, count, found.offsetsMs(), 0, count)
          && Arrays.equals(expected.values(), 0, count, found.values(), 0, count)
          && Arrays.equals(expected.isDouble(), 0, count, found.isDouble(), 0, count);
    } catch (MalformedCellException e) {
      return false;
    }
  }
}
