package io.packhorse.loader.cell;

/**
 * A cell ready to be stored. Its arrays must not be changed.
 *
 * @param rowKey salt, metric, base time, tags
 * @param form decides the column family
 * @param qualifier column
 * @param value the encoded points
 * @param points number of points in the value
 * @param stampMs cell timestamp, milliseconds since the epoch
 */
public record CellWrite(
    byte[] rowKey, CellForm form, byte[] qualifier, byte[] value, int points, long stampMs) {
  /** Bytes of row key, qualifier and value. */
  public int bytes() {
    return rowKey.length + qualifier.length + value.length;
  }
}
