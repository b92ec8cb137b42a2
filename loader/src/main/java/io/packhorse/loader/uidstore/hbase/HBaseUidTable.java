package io.packhorse.loader.uidstore.hbase;

import io.packhorse.loader.hbase.Bigtable;
import io.packhorse.loader.hbase.ParallelTasks;
import io.packhorse.loader.resolve.UidTable;
import io.packhorse.loader.uidstore.hbase.EmptyRows.EmptyCell;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/** OpenTSDB's UID table on HBase. Any number of threads. */
public final class HBaseUidTable implements UidTable {
  private static final byte[] ID = UidRows.ID_FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NAME = UidRows.NAME_FAMILY.getBytes(StandardCharsets.US_ASCII);

  /**
   * Concurrent calls. Where HBase writes the rows of a call to the log one by one, rows of
   * concurrent calls share a write.
   */
  private static final int CALLS_MAX = 30;

  /** The fewest rows of a call that writes, if there are several calls. */
  private static final int WRITTEN_MIN = 64;

  /** The same of a call that reads: to open a scan costs as much as many rows. */
  private static final int READ_MIN = 1024;

  private final Connection connection;
  private final TableName tableName;
  private final UidWidths widths;
  private final Executor calls;
  private final EmptyRows emptyRows;

  /**
   * @param table name of the UID table, {@code tsdb-uid} by default
   * @param calls runs up to 30 calls at a time
   */
  public HBaseUidTable(Connection connection, String table, UidWidths widths, Executor calls) {
    this.connection = connection;
    this.tableName = TableName.valueOf(table);
    this.widths = widths;
    this.calls = calls;
    this.emptyRows = new EmptyRows(connection);
  }

  /** Uses scans that jump from name to name: less work for HBase than many gets. */
  @Override
  public long[] find(UidKind kind, List<String> names) throws IOException {
    NavigableMap<byte[], Long> uids = new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR);
    for (String name : names) {
      uids.put(UidRows.nameBytes(name), NONE);
    }
    List<byte[]> rows = List.copyOf(uids.keySet());
    inParts(rows.size(), READ_MIN, (from, to) -> find(kind, rows.subList(from, to), uids));
    return names.stream().mapToLong(name -> uids.get(UidRows.nameBytes(name))).toArray();
  }

  private void find(UidKind kind, List<byte[]> rows, Map<byte[], Long> uids) throws IOException {
    byte[] qualifier = kind.qualifierBytes();
    List<RowRange> ranges = new ArrayList<>(rows.size());
    rows.forEach(row -> ranges.add(new RowRange(row, true, row, true)));
    Scan scan =
        new Scan()
            .withStartRow(rows.get(0))
            .withStopRow(rows.get(rows.size() - 1), true)
            .addColumn(ID, qualifier)
            .setFilter(new MultiRowRangeFilter(ranges));
    try (Table table = connection.getTable(tableName);
        ResultScanner found = table.getScanner(scan)) {
      for (Result row : found) {
        uids.put(row.getRow(), decode(kind, row.getRow(), row.getValue(ID, qualifier)));
      }
    }
  }

  private long decode(UidKind kind, byte[] name, byte[] uid) throws IOException {
    try {
      return UidRows.decode(uid, widths.of(kind));
    } catch (MalformedCellException e) {
      throw new IOException(
          "UID of "
              + kind.qualifier()
              + " '"
              + UidRows.name(name)
              + "' does not have the UID width of this load; load with the TSD's"
              + " configuration: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public long lastReserved(UidKind kind) throws IOException {
    byte[] qualifier = kind.qualifierBytes();
    try (Table table = connection.getTable(tableName)) {
      byte[] last =
          table.get(new Get(UidRows.counterRow()).addColumn(ID, qualifier)).getValue(ID, qualifier);
      return last == null ? 0 : Bytes.toLong(last);
    }
  }

  @Override
  public long reserve(UidKind kind, int count) throws IOException {
    try (Table table = connection.getTable(tableName)) {
      return table.incrementColumnValue(UidRows.counterRow(), ID, kind.qualifierBytes(), count);
    }
  }

  @Override
  public boolean[] putNames(UidKind kind, long[] uids, List<String> names) throws IOException {
    List<EmptyCell> cells = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      byte[] uid = UidRows.encode(uids[i], widths.of(kind));
      cells.add(new EmptyCell(uid, NAME, kind.qualifierBytes(), UidRows.nameBytes(names.get(i))));
    }
    return fill(cells);
  }

  @Override
  public boolean[] putUids(UidKind kind, List<String> names, long[] uids) throws IOException {
    List<EmptyCell> cells = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      byte[] uid = UidRows.encode(uids[i], widths.of(kind));
      cells.add(new EmptyCell(UidRows.nameBytes(names.get(i)), ID, kind.qualifierBytes(), uid));
    }
    return fill(cells);
  }

  /** Writes the cells that are empty; returns for each whether it was written. */
  private boolean[] fill(List<EmptyCell> cells) throws IOException {
    boolean[] filled = new boolean[cells.size()];
    inParts(cells.size(), WRITTEN_MIN, (from, to) -> fill(cells.subList(from, to), filled, from));
    return filled;
  }

  private void fill(List<EmptyCell> cells, boolean[] filled, int at) throws IOException {
    try (Table table = connection.getTable(tableName)) {
      if (emptyRows.fill(table, cells)) {
        Arrays.fill(filled, at, at + cells.size(), true);
        return;
      }
      if (Bigtable.is(connection)) {
        for (int i = 0; i < cells.size(); i++) {
          EmptyCell cell = cells.get(i);
          filled[at + i] =
              ConditionalPut.put(
                  table, cell.row(), cell.family(), cell.qualifier(), null, cell.value());
        }
        return;
      }
      List<CheckAndMutateResult> results =
          table.checkAndMutate(cells.stream().map(HBaseUidTable::compareAndSet).toList());
      for (int i = 0; i < results.size(); i++) {
        filled[at + i] = results.get(i).isSuccess();
      }
    }
  }

  private static CheckAndMutate compareAndSet(EmptyCell cell) {
    return CheckAndMutate.newBuilder(cell.row())
        .ifNotExists(cell.family(), cell.qualifier())
        .build(new Put(cell.row()).addColumn(cell.family(), cell.qualifier(), cell.value()));
  }

  /** A call for the rows from one index to another. */
  private interface Call {
    void run(int from, int to) throws IOException;
  }

  /** Splits rows over concurrent calls. */
  private void inParts(int count, int rowsMin, Call call) throws IOException {
    int rows = Math.max(rowsMin, (count + CALLS_MAX - 1) / CALLS_MAX);
    if (count <= rows) {
      if (count > 0) {
        call.run(0, count);
      }
      return;
    }
    List<ParallelTasks.Task> parts = new ArrayList<>();
    for (int at = 0; at < count; at += rows) {
      int from = at;
      parts.add(() -> call.run(from, Math.min(count, from + rows)));
    }
    try {
      ParallelTasks.run(calls, parts);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while assigning UIDs");
    }
  }
}
