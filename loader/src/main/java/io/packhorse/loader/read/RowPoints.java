package io.packhorse.loader.read;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Decodes all cells of a row and merges their points. Of points of equal time the one with the
 * greater cell timestamp wins, then packed over compacted, then the greater loader id, then the
 * greater part.
 *
 * <p>Reusable; one thread. The blocks it returns belong to it.
 */
public final class RowPoints {
  private static final Comparator<StoredColumn> PRECEDENCE =
      Comparator.comparingLong(StoredColumn::stampMs)
          .thenComparing(StoredColumn::packed)
          // Packed qualifiers sort as bytes by loader id, then part.
          .thenComparing(
              (a, b) -> a.packed() ? Arrays.compareUnsigned(a.qualifier(), b.qualifier()) : 0);

  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private PointBlock merged = new PointBlock();
  private PointBlock column = new PointBlock();
  private PointBlock spare = new PointBlock();
  private int columns;

  /**
   * Decodes and merges a row.
   *
   * @return its points; valid until the next call
   * @throws MalformedCellException if a column of points does not decode
   */
  public PointBlock of(StoredRow row) throws MalformedCellException {
    List<StoredColumn> ofPoints = new ArrayList<>(row.columns().size());
    for (StoredColumn stored : row.columns()) {
      if (stored.packed()
          ? PackedQualifier.matches(stored.qualifier())
          : CompactedCell.matches(stored.qualifier())) {
        ofPoints.add(stored);
      }
    }
    if (ofPoints.size() > 1) {
      ofPoints.sort(PRECEDENCE);
    }
    columns = ofPoints.size();
    merged.clear();
    for (int i = 0; i < ofPoints.size(); i++) {
      StoredColumn stored = ofPoints.get(i);
      PointBlock into = i == 0 ? merged : column;
      if (stored.packed()) {
        decoder.decode(stored.value(), into);
      } else {
        CompactedCell.decode(stored.qualifier(), stored.value(), into);
      }
      if (i > 0) {
        overlay();
      }
    }
    return merged;
  }

  /** Columns with points in the row decoded last. */
  public int columns() {
    return columns;
  }

  /** Merges {@code column} into {@code merged}; of equal times {@code column} wins. */
  private void overlay() {
    spare.clear();
    spare.ensureCapacity(merged.count() + column.count());
    int a = 0;
    int b = 0;
    while (a < merged.count() || b < column.count()) {
      int atA = a < merged.count() ? merged.offsetsMs()[a] : Integer.MAX_VALUE;
      int atB = b < column.count() ? column.offsetsMs()[b] : Integer.MAX_VALUE;
      boolean later = atB <= atA;
      PointBlock from = later ? column : merged;
      int index = later ? b : a;
      spare.add(from.offsetsMs()[index], from.values()[index], from.isDouble()[index]);
      a += atA <= atB ? 1 : 0;
      b += atB <= atA ? 1 : 0;
    }
    PointBlock swap = merged;
    merged = spare;
    spare = swap;
  }
}
