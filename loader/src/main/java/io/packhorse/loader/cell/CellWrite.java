package io.packhorse.loader.cell;

/**
 * One cell ready to store. Arrays are handed over: nobody changes them any more.
 *
 * @param rowKey salt, metric, base time, tags
 * @param form which family the cell belongs to
 * @param qualifier column
 * @param value the hour
 * @param points points inside
 * @param stampMs cell timestamp, milliseconds since the epoch
 */
public record CellWrite(
    byte[] rowKey, CellForm form, byte[] qualifier, byte[] value, int points, long stampMs) {
  /** Bytes of this cell that users pay for: key, column and value. */
  public int bytes() {
    return rowKey.length + qualifier.length + value.length;
  }
}
