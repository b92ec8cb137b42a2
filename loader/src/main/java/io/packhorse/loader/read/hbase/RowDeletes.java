package io.packhorse.loader.read.hbase;

import io.packhorse.loader.hbase.Bigtable;
import io.packhorse.loader.hbase.PatientCall;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Deletes columns of the data table by name and timestamp, so that what is written to a row later
 * stays. The columns of a row go at one moment. One thread.
 */
public final class RowDeletes {
  private static final byte[] PACKED = Bytes.toBytes(StoreTables.PACKED_FAMILY);
  private static final byte[] POINTS = Bytes.toBytes(StoreTables.POINT_FAMILY);
  private static final int MARKERS_A_CALL = 2_000;

  /** From so many columns on, one marker for the whole family is cheaper to keep and to read. */
  private static final int MARKERS_A_ROW = 8;

  private final Connection connection;
  private final TableName tableName;

  /** Bigtable deletes a family whole, and not up to a time. */
  private final boolean bigtable;

  private final List<Delete> gathered = new ArrayList<>();
  private int markers;

  /**
   * @param connection stays the caller's
   */
  public RowDeletes(Connection connection, String table) {
    this.connection = connection;
    this.tableName = TableName.valueOf(table);
    this.bigtable = Bigtable.is(connection);
  }

  /**
   * Deletes columns, with {@link #flush} at the latest.
   *
   * @param row as it was read
   * @param columns some of its columns, at least one
   */
  public void delete(StoredRow row, List<StoredColumn> columns) throws IOException {
    List<StoredColumn> plain = columns.stream().filter(column -> !column.packed()).toList();
    long newest = plain.stream().mapToLong(StoredColumn::stampMs).max().orElse(-1);
    long upToNewest =
        row.columns().stream()
            .filter(column -> !column.packed() && column.stampMs() <= newest)
            .count();
    Delete delete = new Delete(row.rowKey());
    if (plain.size() > MARKERS_A_ROW && plain.size() == upToNewest && !bigtable) {
      delete.addFamily(POINTS, newest);
      markers++;
    } else {
      plain.forEach(column -> mark(delete, POINTS, column));
    }
    columns.stream().filter(StoredColumn::packed).forEach(column -> mark(delete, PACKED, column));
    gathered.add(delete);
    if (markers >= MARKERS_A_CALL) {
      flush();
    }
  }

  /** All versions up to this one: an older one, not yet compacted away, would come back. */
  private void mark(Delete delete, byte[] family, StoredColumn column) {
    delete.addColumns(family, column.qualifier(), column.stampMs());
    markers++;
  }

  /** Returns when everything given so far is deleted. */
  public void flush() throws IOException {
    if (gathered.isEmpty()) {
      return;
    }
    try (Table table = connection.getTable(tableName)) {
      PatientCall.delete(table, gathered);
    }
    markers = 0;
  }
}
