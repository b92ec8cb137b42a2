package io.packhorse.loader.read.hbase;

import io.packhorse.loader.read.RowLookup;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads rows of the data table, both families. Any number of threads. */
public final class HBaseRows implements RowSource, RowLookup {
  private static final byte[] PACKED_FAMILY = Bytes.toBytes(StoreTables.PACKED_FAMILY);
  private static final int RESULT_BYTES = 4 << 20;

  private final Connection connection;
  private final TableName tableName;
  private final RowKeyLayout layout;

  /**
   * @param table name of the data table
   */
  public HBaseRows(Connection connection, String table, RowKeyLayout layout) {
    this.connection = connection;
    this.tableName = TableName.valueOf(table);
    this.layout = layout;
  }

  @Override
  public void scan(int bucket, long metric, long fromSeconds, long toSeconds, Visitor visitor)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(layout.scanStart(bucket, metric, fromSeconds))
            .withStopRow(layout.scanStop(bucket, metric, toSeconds))
            .setReadType(Scan.ReadType.STREAM)
            .setCacheBlocks(false)
            .setMaxResultSize(RESULT_BYTES)
            .setCaching(Integer.MAX_VALUE);
    try (Table table = connection.getTable(tableName);
        ResultScanner results = table.getScanner(scan)) {
      for (Result result = results.next(); result != null; result = results.next()) {
        visitor.row(row(result));
      }
    }
  }

  @Override
  public List<StoredRow> get(List<byte[]> rowKeys) throws IOException {
    // Blocks are cached, because neighbouring rows are asked for soon.
    List<Get> gets = rowKeys.stream().map(Get::new).toList();
    List<StoredRow> rows = new ArrayList<>(gets.size());
    try (Table table = connection.getTable(tableName)) {
      Result[] results = table.get(gets);
      for (int i = 0; i < results.length; i++) {
        rows.add(results[i].isEmpty() ? new StoredRow(rowKeys.get(i), List.of()) : row(results[i]));
      }
    }
    return rows;
  }

  static StoredRow row(Result result) {
    List<StoredColumn> columns = new ArrayList<>(result.size());
    for (Cell cell : result.rawCells()) {
      columns.add(
          new StoredColumn(
              CellUtil.matchingFamily(cell, PACKED_FAMILY),
              CellUtil.cloneQualifier(cell),
              cell.getTimestamp(),
              CellUtil.cloneValue(cell)));
    }
    return new StoredRow(result.getRow(), columns);
  }
}
