package net.opentsdb.core;

import io.packhorse.schema.cell.PointBlock;
import java.util.HexFormat;
import java.util.List;
import net.opentsdb.meta.Annotation;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;

/**
 * Access to packed cells for OpenTSDB's other packages, as {@link Internal} is for its own cells.
 * Any thread.
 */
@NullMarked
public final class PackedCells {
  /** Versions of packed cells that are read, separated by commas; part of {@code /api/version}. */
  public static final String VERSIONS = "1";

  private PackedCells() {}

  /** Whether a cell is packed. */
  public static boolean matches(KeyValue cell) {
    return PointColumn.matches(cell);
  }

  /** Whether a cell holds points, packed or OpenTSDB's own. */
  public static boolean holdsPoints(KeyValue cell) {
    return PointColumn.holdsPoints(cell);
  }

  /**
   * Decodes a column of points completely.
   *
   * @return how many points it holds
   * @throws IllegalDataException naming row key, column and reason, if it is malformed
   */
  public static int verify(KeyValue cell) {
    PointBlock points = new PointBlock(0);
    PointColumn.of(cell).read(PackedRow.decoder(), points);
    return points.count();
  }

  /**
   * The row as the scan tool prints it.
   *
   * @param importFormat the points of a row with packed cells come as one column, each time once,
   *     and nothing else, as the tool prints nothing else in this format
   * @param delete the row is deleted after it was printed
   * @return the row itself or a new list
   * @throws IllegalDataException if a packed cell of a row to be merged is malformed, or the row is
   *     to be deleted and has a column that is neither points nor an annotation
   */
  public static List<KeyValue> dump(List<KeyValue> row, boolean importFormat, boolean delete) {
    if (delete) {
      for (KeyValue cell : row) {
        requireKnown(cell);
      }
    }
    return importFormat && PackedRow.matches(row) ? List.of(PackedRow.points(row)) : row;
  }

  private static void requireKnown(KeyValue cell) {
    byte[] qualifier = cell.qualifier();
    boolean annotation =
        (qualifier.length == 3 || qualifier.length == 5) && qualifier[0] == Annotation.PREFIX();
    if (!annotation && !PointColumn.holdsPoints(cell)) {
      throw new IllegalDataException(
          "Not deleting a row with a column that cannot be printed: row key="
              + HexFormat.of().formatHex(cell.key())
              + ", qualifier="
              + HexFormat.of().formatHex(qualifier)
              + "; run without --delete, or delete this row with the HBase shell");
    }
  }
}
