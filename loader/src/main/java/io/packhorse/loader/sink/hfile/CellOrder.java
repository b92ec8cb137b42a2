package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellWrite;
import java.util.Arrays;
import java.util.Comparator;

/**
 * HBase's order of the cells of one family: row key, qualifier, newest timestamp first. Cells that
 * compare as equal are the same cell to HBase.
 */
enum CellOrder implements Comparator<CellWrite> {
  INSTANCE;

  @Override
  public int compare(CellWrite left, CellWrite right) {
    int byRow = Arrays.compareUnsigned(left.rowKey(), right.rowKey());
    if (byRow != 0) {
      return byRow;
    }
    int byColumn = Arrays.compareUnsigned(left.qualifier(), right.qualifier());
    return byColumn != 0 ? byColumn : Long.compare(right.stampMs(), left.stampMs());
  }
}
