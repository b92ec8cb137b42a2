package io.packhorse.loader.read;

import io.packhorse.schema.bytes.MalformedCellException;
import java.util.HexFormat;

/**
 * What is stored and cannot be read.
 *
 * @param rowKey in hexadecimal
 * @param column family and column in hexadecimal, {@code t:05f3}; empty for a whole row
 * @param reason why
 */
public record BrokenColumn(String rowKey, String column, String reason) {
  /** A whole row. */
  public static BrokenColumn of(StoredRow row, String reason) {
    return new BrokenColumn(HexFormat.of().formatHex(row.rowKey()), "", reason);
  }

  /** A column of a row. */
  public static BrokenColumn of(StoredRow row, StoredColumn column, MalformedCellException reason) {
    return new BrokenColumn(
        HexFormat.of().formatHex(row.rowKey()),
        (column.packed() ? "p:" : "t:") + HexFormat.of().formatHex(column.qualifier()),
        String.valueOf(reason.getMessage()));
  }

  /** As a line of a file: row key, column and reason, separated by tabs. */
  public String line() {
    return rowKey + "\t" + column + "\t" + reason + "\n";
  }

  @Override
  public String toString() {
    return "row " + rowKey + (column.isEmpty() ? "" : ", column " + column) + ": " + reason;
  }
}
