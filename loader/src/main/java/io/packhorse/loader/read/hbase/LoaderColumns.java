package io.packhorse.loader.read.hbase;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.hbase.PatientCall;
import io.packhorse.loader.hbase.PatientScan;
import io.packhorse.loader.read.RowSource;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Scans and deletes the packed cells of given loaders in the data table. One thread. */
public final class LoaderColumns {
  private static final byte[] FAMILY = Bytes.toBytes(StoreTables.PACKED_FAMILY);
  private static final int DELETES_A_CALL = 5_000;
  private static final int RESULT_BYTES = 2 << 20;

  private final Connection connection;
  private final TableName tableName;

  /**
   * @param connection stays the caller's
   */
  public LoaderColumns(Connection connection, String table) {
    this.connection = connection;
    this.tableName = TableName.valueOf(table);
  }

  /**
   * Deletes exactly the cells that these loaders wrote, each by its column and timestamp.
   *
   * @param deleted increased by the number of cells deleted, while it runs
   */
  public void delete(List<LoaderId> loaders, AtomicLong deleted) throws IOException {
    if (loaders.isEmpty()) {
      return;
    }
    Set<LoaderId> wanted = Set.copyOf(loaders);
    try (Table table = connection.getTable(tableName);
        PatientScan results =
            new PatientScan(
                table, scan(loaders, new FilterList(columnsOf(loaders), new KeyOnlyFilter())))) {
      List<Delete> deletes = new ArrayList<>();
      int cells = 0;
      for (Result result = results.next(); result != null; result = results.next()) {
        Delete row = new Delete(result.getRow());
        for (Cell cell : result.rawCells()) {
          byte[] qualifier = CellUtil.cloneQualifier(cell);
          // The time range may hold cells with an equal loader id that another cluster issued.
          if (PackedQualifier.matches(qualifier)
              && wanted.contains(
                  new LoaderId(PackedQualifier.parse(qualifier).loaderId(), cell.getTimestamp()))) {
            row.addColumn(FAMILY, qualifier, cell.getTimestamp());
            cells++;
          }
        }
        if (row.isEmpty()) {
          // An empty Delete would delete the whole row.
          continue;
        }
        deletes.add(row);
        if (deletes.size() == DELETES_A_CALL) {
          PatientCall.delete(table, deletes);
          deleted.addAndGet(cells);
          cells = 0;
        }
      }
      PatientCall.delete(table, deletes);
      deleted.addAndGet(cells);
    }
  }

  /** Visits the rows with cells of these loaders, in row order; other cells are left out. */
  public void scan(List<LoaderId> loaders, RowSource.Visitor visitor) throws IOException {
    if (loaders.isEmpty()) {
      return;
    }
    try (Table table = connection.getTable(tableName);
        PatientScan results = new PatientScan(table, scan(loaders, columnsOf(loaders)))) {
      for (Result result = results.next(); result != null; result = results.next()) {
        visitor.row(HBaseRows.row(result));
      }
    }
  }

  /** The time range lets HBase skip files without cells of these loaders. */
  private static Scan scan(List<LoaderId> loaders, Filter filter) throws IOException {
    long first = loaders.stream().mapToLong(LoaderId::stampMs).min().orElseThrow();
    long last = loaders.stream().mapToLong(LoaderId::stampMs).max().orElseThrow();
    return new Scan()
        .addFamily(FAMILY)
        .setTimeRange(first, last + 1)
        .setFilter(filter)
        .setReadType(Scan.ReadType.STREAM)
        .setCacheBlocks(false)
        .setMaxResultSize(RESULT_BYTES)
        .setCaching(Integer.MAX_VALUE);
  }

  private static Filter columnsOf(List<LoaderId> loaders) {
    return new MultipleColumnPrefixFilter(
        loaders.stream()
            .map(loader -> Arrays.copyOf(new PackedQualifier(loader.id(), 0).toBytes(), 4))
            .toArray(byte[][]::new));
  }
}
