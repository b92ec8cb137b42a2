package io.packhorse.loader.uidstore.hbase;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/** Puts one cell if it holds what the caller has read. Any number of threads. */
final class ConditionalPut {
  private ConditionalPut() {}

  /**
   * Puts a cell, in one atomic step with the comparison.
   *
   * @param expected what the cell must hold; null for nothing
   * @return whether it was put
   */
  // Both clients have this deprecated call; Bigtable's lacks Table.checkAndMutate(CheckAndMutate).
  @SuppressWarnings("deprecation")
  static boolean put(
      Table table,
      byte[] row,
      byte[] family,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte[] value)
      throws IOException {
    Table.CheckAndMutateBuilder condition = table.checkAndMutate(row, family).qualifier(qualifier);
    return (expected == null ? condition.ifNotExists() : condition.ifEquals(expected))
        .thenPut(new Put(row).addColumn(family, qualifier, value));
  }
}
