package io.packhorse.loader.repack;

import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.packed.PackedCellHeader;

/** How much work a row is, without decoding it. */
public final class RowSize {
  /** A point of an append column takes so many bytes or more. */
  private static final int APPENDED_BYTES = 3;

  private RowSize() {}

  /** About how many points its columns have, 1 or more. */
  public static int points(StoredRow row) {
    int points = 1;
    for (StoredColumn column : row.columns()) {
      points += column.holdsPoints() ? points(column) : 0;
    }
    return points;
  }

  private static int points(StoredColumn column) {
    if (!column.packed()) {
      return CompactedCell.isAppend(column.qualifier())
          ? column.value().length / APPENDED_BYTES
          : column.qualifier().length / Short.BYTES;
    }
    try {
      return PackedCellHeader.parse(column.value()).count();
    } catch (MalformedCellException damaged) {
      return 0;
    }
  }
}
