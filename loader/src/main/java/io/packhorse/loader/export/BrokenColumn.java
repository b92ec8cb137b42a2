package io.packhorse.loader.export;

/**
 * What is stored but was not exported, because it cannot be read.
 *
 * @param rowKey in hexadecimal
 * @param column family and column in hexadecimal, {@code t:05f3}; empty for a whole row
 * @param reason why
 */
public record BrokenColumn(String rowKey, String column, String reason) {
  @Override
  public String toString() {
    return "row " + rowKey + (column.isEmpty() ? "" : ", column " + column) + ": " + reason;
  }
}
