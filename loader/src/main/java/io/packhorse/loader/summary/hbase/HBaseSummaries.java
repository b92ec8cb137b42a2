package io.packhorse.loader.summary.hbase;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.hbase.PatientCall;
import io.packhorse.loader.hbase.PatientScan;
import io.packhorse.loader.summary.SummaryWrite;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryQualifier;
import io.packhorse.schema.summary.SummaryTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The summary table of a data table. One thread. */
public final class HBaseSummaries {
  /** A call takes at most 2 MiB of memory, and of a small heap 1/128. */
  private static final long CALL_BYTES = Math.min(2 << 20, Runtime.getRuntime().maxMemory() / 128);

  /** Memory of a block beyond its bytes, most of it while it is in flight as a Put. */
  private static final int BLOCK_OVERHEAD_BYTES = 500;

  private static final int DELETES_A_CALL = 5_000;

  /** Rows that are changed in one call, each of them by itself in one atomic step. */
  private static final int ROWS_A_CALL = 500;

  private final Connection connection;
  private final TableName tableName;

  /**
   * @param connection stays the caller's
   */
  public HBaseSummaries(Connection connection, String dataTable) {
    this.connection = connection;
    this.tableName = TableName.valueOf(SummaryTable.of(dataTable));
  }

  /** Whether the table is there. */
  public boolean exists() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(tableName);
    }
  }

  /** Whether the table is there and holds nothing. */
  public boolean isEmpty() throws IOException {
    if (!exists()) {
      return false;
    }
    try (Table table = connection.getTable(tableName);
        PatientScan rows = new PatientScan(table, new Scan().setLimit(1).setOneRowLimit())) {
      return rows.next() == null;
    }
  }

  /** Empties the table, if it is there; its regions stay as they are. */
  void truncate() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(tableName)) {
        if (admin.isTableEnabled(tableName)) {
          admin.disableTable(tableName);
        }
        admin.truncateTable(tableName, true);
      }
    }
  }

  /** Deletes exactly the blocks of these loaders, each by its column and timestamp. */
  public void delete(List<LoaderId> loaders) throws IOException {
    if (loaders.isEmpty() || !exists()) {
      return;
    }
    for (SummaryLevel level : SummaryLevel.values()) {
      delete(Set.copyOf(loaders), Bytes.toBytes(level.family()));
    }
  }

  private void delete(Set<LoaderId> loaders, byte[] family) throws IOException {
    try (Table table = connection.getTable(tableName);
        PatientScan rows = new PatientScan(table, keysOf(loaders, family))) {
      List<Delete> deletes = new ArrayList<>();
      for (Result row = rows.next(); row != null; row = rows.next()) {
        // The time range may hold blocks with an equal loader id that another cluster issued.
        Delete delete = blocksOf(row, loaders::contains);
        if (!delete.isEmpty()) {
          // An empty Delete would delete the whole row.
          deletes.add(delete);
        }
        if (deletes.size() == DELETES_A_CALL) {
          PatientCall.delete(table, deletes);
        }
      }
      PatientCall.delete(table, deletes);
    }
  }

  /** Deletes the blocks of some loaders in a row; it may be empty. */
  private static Delete blocksOf(Result row, Predicate<LoaderId> loaders) {
    Delete delete = new Delete(row.getRow());
    for (Cell cell : row.rawCells()) {
      byte[] column = CellUtil.cloneQualifier(cell);
      if (SummaryQualifier.matches(column)
          && loaders.test(
              new LoaderId(SummaryQualifier.parse(column).loaderId(), cell.getTimestamp()))) {
        delete.addColumn(CellUtil.cloneFamily(cell), column, cell.getTimestamp());
      }
    }
    return delete;
  }

  /**
   * Stores blocks in place of all others of the same loaders, levels and rows. Each row changes in
   * one atomic step, so that a reader never misses an hour of it.
   *
   * @param stop exclusive, empty for the end of the table
   * @param blocks of number 0, in these rows
   */
  void replace(
      byte[] start,
      byte[] stop,
      Set<SummaryLevel> levels,
      Loaders loaders,
      List<SummaryWrite> blocks)
      throws IOException {
    Map<byte[], List<SummaryWrite>> left = new TreeMap<>(Arrays::compareUnsigned);
    for (SummaryWrite block : blocks) {
      left.computeIfAbsent(block.rowKey(), none -> new ArrayList<>()).add(block);
    }
    Scan scan =
        new Scan()
            .withStartRow(start)
            .withStopRow(stop)
            .setFilter(new KeyOnlyFilter())
            .setCacheBlocks(false);
    levels.forEach(level -> scan.addFamily(Bytes.toBytes(level.family())));
    Writer writer = new Writer();
    try (Table table = connection.getTable(tableName);
        PatientScan rows = new PatientScan(table, scan)) {
      List<RowMutations> changed = new ArrayList<>();
      for (Result row = rows.next(); row != null; row = rows.next()) {
        List<SummaryWrite> present = left.remove(row.getRow());
        List<SummaryWrite> wanted = present == null ? List.of() : present;
        Delete others = blocksOf(row, loaders.test());
        wanted.forEach(block -> keep(block, others));
        if (others.isEmpty()) {
          for (SummaryWrite block : wanted) {
            writer.take(block);
          }
          continue;
        }
        RowMutations changes = new RowMutations(row.getRow());
        for (SummaryWrite block : wanted) {
          changes.add((Mutation) put(block));
        }
        changes.add((Mutation) others);
        changed.add(changes);
        if (changed.size() == ROWS_A_CALL) {
          change(table, changed);
        }
      }
      change(table, changed);
    }
    for (List<SummaryWrite> row : left.values()) {
      for (SummaryWrite block : row) {
        writer.take(block);
      }
    }
    writer.flush();
  }

  private static void change(Table table, List<RowMutations> rows) throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    PatientCall.of(
        () -> {
          try {
            table.batch(rows, new Object[rows.size()]);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while summaries were replaced");
          }
          return rows;
        });
    rows.clear();
  }

  /** Reads rows. */
  interface Rows {
    void row(Result row);
  }

  /**
   * Reads all families of some rows.
   *
   * @param stop exclusive, empty for the end of the table
   */
  void scan(byte[] start, byte[] stop, Rows to) throws IOException {
    Scan scan = new Scan().withStartRow(start).withStopRow(stop).setCacheBlocks(false);
    try (Table table = connection.getTable(tableName);
        PatientScan rows = new PatientScan(table, scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        to.row(row);
      }
    }
  }

  /** Takes a block that is going to be overwritten out of what is deleted. */
  private static void keep(SummaryWrite block, Delete others) {
    List<Cell> ofFamily = others.getFamilyCellMap().get(Bytes.toBytes(block.level().family()));
    if (ofFamily != null) {
      byte[] column = new SummaryQualifier(block.loader().id(), block.number()).toBytes();
      ofFamily.removeIf(cell -> CellUtil.matchingQualifier(cell, column));
      if (ofFamily.isEmpty()) {
        others.getFamilyCellMap().remove(Bytes.toBytes(block.level().family()));
      }
    }
  }

  private static Put put(SummaryWrite block) {
    return new Put(block.rowKey(), true)
        .addColumn(
            Bytes.toBytes(block.level().family()),
            new SummaryQualifier(block.loader().id(), block.number()).toBytes(),
            block.loader().stampMs(),
            block.value());
  }

  private static Scan keysOf(Set<LoaderId> loaders, byte[] family) throws IOException {
    byte[][] prefixes =
        loaders.stream()
            .map(loader -> Arrays.copyOf(new SummaryQualifier(loader.id(), 0).toBytes(), 3))
            .toArray(byte[][]::new);
    return new Scan()
        .addFamily(family)
        .setTimeRange(
            loaders.stream().mapToLong(LoaderId::stampMs).min().orElseThrow(),
            loaders.stream().mapToLong(LoaderId::stampMs).max().orElseThrow() + 1)
        .setFilter(new FilterList(new MultipleColumnPrefixFilter(prefixes), new KeyOnlyFilter()))
        .setCacheBlocks(false);
  }

  /** Blocks in calls of limited memory; each is stored when {@link #flush} has returned. */
  public final class Writer implements SummaryWrite.Receiver {
    private final List<Put> puts = new ArrayList<>();
    private long bytes;

    @Override
    public void take(SummaryWrite block) throws IOException {
      puts.add(put(block));
      bytes += BLOCK_OVERHEAD_BYTES + block.rowKey().length + block.value().length;
      if (bytes >= CALL_BYTES) {
        flush();
      }
    }

    /** Stores what was taken. */
    public void flush() throws IOException {
      try (Table table = connection.getTable(tableName)) {
        PatientCall.of(
            () -> {
              table.put(puts);
              return puts;
            });
      }
      puts.clear();
      bytes = 0;
    }
  }
}
