package io.packhorse.loader.uidstore.hbase;

import io.packhorse.loader.hbase.ParallelTasks;
import io.packhorse.loader.hbase.PatientScan;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.SeriesBlock;
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.key.SeriesSet;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes the series index: which series of a metric have packed cells. A TSD that knows them reads
 * the rows of few series by their keys. Layout and protocol: {@code docs/format.md}, section 16.
 *
 * <p>One thread at a time. Any number of loaders may write beside each other.
 */
public final class HBaseSeriesIndex {
  private static final byte[] FAMILY = Bytes.toBytes(StoreTables.JOB_FAMILY);
  private static final byte[] PACKED_FAMILY = Bytes.toBytes(PackedQualifier.FAMILY);
  private static final byte[] WHOLE = Bytes.toBytes(SeriesIndexRow.WHOLE);
  private static final byte[] BLOCK = Bytes.toBytes(SeriesIndexRow.BLOCK);
  private static final byte[] YES = {1};
  private static final int ROWS_A_CALL = 64;

  /** What is known of the index takes at most this share of the heap. */
  private static final int HEAP_SHARE = 16;

  /** From so many series on, metrics are written beside each other. */
  private static final int PARALLEL_MIN = 10_000;

  private final Connection connection;
  private final TableName dataTable;
  private final UidWidths widths;
  private final Executor calls;
  private final long bytesMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  private final Map<byte[], Chain> chains = new TreeMap<>(Arrays::compareUnsigned);
  private long bytes;

  /** The blocks of a metric, as far as they have been read. */
  private static final class Chain {
    private volatile SeriesSet known = SeriesSet.EMPTY;

    /** Number of the next block to read; of the last one, if that is open. */
    private int next;

    /** The last block as it is stored, if it is open. */
    private byte @Nullable [] openBytes;

    private @Nullable SeriesBlock open;
  }

  /**
   * @param connection stays the caller's
   * @param calls runs a task for each processor at a time
   */
  public HBaseSeriesIndex(
      Connection connection, String dataTable, UidWidths widths, Executor calls) {
    this.connection = connection;
    this.dataTable = TableName.valueOf(dataTable);
    this.widths = widths;
    this.calls = calls;
  }

  /**
   * Marks the index as whole if the data table has no packed cell yet. Called before each load's
   * first cell.
   */
  public void begin() throws IOException {
    if (!isWhole() && hasNoCell()) {
      try (Table index = index()) {
        index.put(new Put(markRow()).addColumn(FAMILY, WHOLE, YES));
      }
    }
  }

  /** Whether every series with a packed cell is in the index; TSDs do not use it otherwise. */
  public boolean isWhole() throws IOException {
    try (Table index = index()) {
      return index.exists(new Get(markRow()).addColumn(FAMILY, WHOLE));
    }
  }

  private byte[] markRow() {
    return SeriesIndexRow.whole(dataTable.getNameAsString());
  }

  /** Whether the data table has no packed cell. */
  public boolean hasNoCell() throws IOException {
    try (Table data = connection.getTable(dataTable);
        PatientScan rows =
            new PatientScan(
                data, new Scan().addFamily(PACKED_FAMILY).setLimit(1).setOneRowLimit())) {
      return rows.next() == null;
    }
  }

  /** Blocks of this data table that cannot be read, one sentence each. */
  public List<String> damages() throws IOException {
    List<String> damages = new ArrayList<>();
    Scan rows =
        new Scan()
            .setStartStopRowForPrefixScan(markRow())
            .addColumn(FAMILY, BLOCK)
            .setCaching(ROWS_A_CALL);
    try (Table index = index();
        ResultScanner found = index.getScanner(rows)) {
      for (Result row : found) {
        try {
          SeriesBlock.decode(widths, row.getValue(FAMILY, BLOCK));
        } catch (MalformedCellException e) {
          damages.add(
              "a block of the series index is damaged: row="
                  + Bytes.toStringBinary(row.getRow())
                  + ", "
                  + e.getMessage());
        }
      }
    }
    return damages;
  }

  /** Adds series that are not in the index yet. */
  public void add(Collection<Tsuid> series) throws IOException {
    Map<byte[], List<Tsuid>> byMetric = new TreeMap<>(Arrays::compareUnsigned);
    for (Tsuid each : series) {
      byMetric
          .computeIfAbsent(SeriesIndexRow.metric(widths, each), m -> new ArrayList<>())
          .add(each);
    }
    byMetric.keySet().forEach(metric -> chains.computeIfAbsent(metric, m -> new Chain()));
    Queue<Map.Entry<byte[], List<Tsuid>>> left = new ConcurrentLinkedQueue<>(byMetric.entrySet());
    int tasks =
        series.size() < PARALLEL_MIN
            ? 1
            : Math.min(byMetric.size(), Runtime.getRuntime().availableProcessors());
    if (tasks == 1) {
      addAll(left);
      return;
    }
    try {
      ParallelTasks.run(calls, Collections.nCopies(tasks, () -> addAll(left)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while series are put into the index");
    }
  }

  /** Takes metrics from a queue and adds their series. */
  private void addAll(Queue<Map.Entry<byte[], List<Tsuid>>> left) throws IOException {
    try (Table index = index()) {
      for (var metric = left.poll(); metric != null; metric = left.poll()) {
        // Neighbours compress well, and so they are in one block.
        Collections.sort(metric.getValue());
        add(index, metric.getKey(), metric.getValue());
      }
    }
  }

  private void add(Table index, byte[] metric, List<Tsuid> series) throws IOException {
    Chain chain = Objects.requireNonNull(chains.get(metric));
    for (boolean first = true; !series.isEmpty(); first = false) {
      if (first || !append(index, metric, chain, series)) {
        // Somebody else has added a block, perhaps with the same series.
        read(index, metric, chain);
        series.removeIf(each -> chain.known.contains(widths, each));
      }
    }
  }

  /**
   * Writes one block.
   *
   * @param series sorted; those written are removed from its end
   * @return false if the index is not as it was read
   */
  private boolean append(Table index, byte[] metric, Chain chain, List<Tsuid> series)
      throws IOException {
    int room = SeriesBlock.SERIES_MAX - (chain.open == null ? 0 : chain.open.series());
    List<Tsuid> some = series.subList(Math.max(0, series.size() - room), series.size());
    SeriesSet set = SeriesSet.of(widths, some);
    SeriesBlock block = (chain.open == null ? set : set.with(chain.open)).blocks().get(0);
    byte[] value = block.encode(widths);
    byte[] row = SeriesIndexRow.block(dataTable.getNameAsString(), metric, chain.next);
    if (!ConditionalPut.put(index, row, FAMILY, BLOCK, chain.openBytes, value)) {
      return false;
    }
    some.clear();
    know(chain, block, value);
    return true;
  }

  private void read(Table index, byte[] metric, Chain chain) throws IOException {
    String table = dataTable.getNameAsString();
    Scan rows =
        new Scan()
            .withStartRow(SeriesIndexRow.block(table, metric, chain.next))
            .withStopRow(SeriesIndexRow.end(table, metric))
            .addColumn(FAMILY, BLOCK)
            .setCaching(ROWS_A_CALL);
    try (ResultScanner found = index.getScanner(rows)) {
      for (Result row : found) {
        if (SeriesIndexRow.number(row.getRow()) != chain.next) {
          // Two regions were not read at the same time; the next attempt sees what is between.
          return;
        }
        byte[] value = row.getValue(FAMILY, BLOCK);
        know(chain, SeriesBlock.decode(widths, value), value);
      }
    } catch (MalformedCellException e) {
      throw new IOException(
          "the series index is damaged: table="
              + StoreTables.JOBS
              + ", row="
              + Bytes.toStringBinary(SeriesIndexRow.block(table, metric, chain.next))
              + ", "
              + e.getMessage(),
          e);
    }
  }

  /** Takes note of the block with the number {@code chain.next}. */
  private synchronized void know(Chain chain, SeriesBlock block, byte[] value) {
    bytes -= chain.known.bytes();
    chain.known = chain.known.with(block);
    bytes += chain.known.bytes();
    boolean open = block.series() < SeriesBlock.OPEN_BELOW;
    chain.open = open ? block : null;
    chain.openBytes = open ? value : null;
    chain.next += open ? 0 : 1;
    if (bytes > bytesMax) {
      // Series that are in the index already may be written once more, which harms nobody.
      chains.values().forEach(each -> each.known = SeriesSet.EMPTY);
      bytes = 0;
    }
  }

  private Table index() throws IOException {
    return connection.getTable(TableName.valueOf(StoreTables.JOBS));
  }
}
