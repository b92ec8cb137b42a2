package io.packhorse.schema.key;

import io.packhorse.schema.uid.UidWidths;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Rows of the series index, which are in our own table.
 *
 * <pre>
 *   row                                           column   value
 *   "series/" | data table | 0                    whole    1
 *   "series/" | data table | 0 | metric UID | n   block    a {@link SeriesBlock}
 * </pre>
 *
 * A block is written only if its row is empty, and row {@code n + 1} only after row {@code n} is
 * known to exist: the blocks of a metric are numbered without gaps. Layout: {@code docs/format.md}.
 * Arrays returned are new.
 */
public final class SeriesIndexRow {
  /** Set if every series with a packed cell is in the index. */
  public static final String WHOLE = "whole";

  /** Column of a block. */
  public static final String BLOCK = "block";

  private static final String PREFIX = "series/";

  /** HBase's namespace of tables without one. */
  private static final String NO_NAMESPACE = "default:";

  private static final int NUMBER_LENGTH = 4;

  private SeriesIndexRow() {}

  /**
   * The row that says whether the index is whole.
   *
   * @param dataTable with its namespace, as the TSD's configuration names it
   */
  public static byte[] whole(String dataTable) {
    String table =
        dataTable.startsWith(NO_NAMESPACE) ? dataTable.substring(NO_NAMESPACE.length()) : dataTable;
    return (PREFIX + table + "\0").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The row of a block, and the first row of a scan for this block and later ones.
   *
   * @param number from 0
   */
  public static byte[] block(String dataTable, byte[] metric, int number) {
    byte[] prefix = whole(dataTable);
    byte[] row = Arrays.copyOf(prefix, prefix.length + metric.length + NUMBER_LENGTH);
    System.arraycopy(metric, 0, row, prefix.length, metric.length);
    for (int i = 1; i <= NUMBER_LENGTH; i++) {
      row[row.length - i] = (byte) (number >>> (Byte.SIZE * (i - 1)));
    }
    return row;
  }

  /** First row after all blocks of a metric. */
  public static byte[] end(String dataTable, byte[] metric) {
    return block(dataTable, metric, -1);
  }

  /** Number of the block in a row that {@link #block} has made. */
  public static int number(byte[] row) {
    int number = 0;
    for (int i = row.length - NUMBER_LENGTH; i < row.length; i++) {
      number = (number << Byte.SIZE) | (row[i] & 0xff);
    }
    return number;
  }

  /** UID of the metric of a series. */
  public static byte[] metric(UidWidths widths, Tsuid series) {
    byte[] metric = new byte[widths.metric()];
    series.copy(0, metric.length, metric, 0);
    return metric;
  }
}
