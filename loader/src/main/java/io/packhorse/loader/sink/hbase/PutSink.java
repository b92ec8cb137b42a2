package io.packhorse.loader.sink.hbase;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes cells as Puts: rows gathered by region and sorted, a few MiB a call, few calls in flight,
 * the result of each row checked, those that failed put again.
 *
 * <p>Calls run on the given executor; {@link #write} and {@link #flush} belong to one thread.
 */
public final class PutSink implements CellSink {
  /** Memory of what is gathered for one region before it is sent, at most. */
  private static final int CALL_BYTES_MAX = 2 << 20;

  /** A call takes at most one part in so many of the heap. */
  private static final int HEAP_SHARE = 128;

  /** What waits for all regions together, in calls: a table may have thousands of them. */
  private static final int CALLS_GATHERED_MAX = 16;

  /** What a cell costs in memory beyond its bytes, as a Put on its way most of all. */
  private static final int CELL_OVERHEAD_BYTES = 500;

  private static final int CALLS_IN_FLIGHT = 2;
  private static final byte[] PACKED_FAMILY = Bytes.toBytes(StoreTables.PACKED_FAMILY);
  private static final byte[] POINT_FAMILY = Bytes.toBytes(StoreTables.POINT_FAMILY);

  private final Connection triesOnce;
  private final TableName table;
  private final ExecutorService executor;
  private final CallLog log;
  private final byte[][] regionStarts;
  private final Gathering[] gathering;
  private final long callBytes =
      Math.min(CALL_BYTES_MAX, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  private long gatheredBytes;
  private final Semaphore inFlight = new Semaphore(CALLS_IN_FLIGHT);
  private final Durability durability;
  private final RowRetries retries;

  /** Acknowledges cells that the write-ahead log does not keep. */
  private final Optional<TableFlush> toDisk;

  /** Points in cells that the store has answered for. */
  private final AtomicLong answered = new AtomicLong();

  /** Those of them that were brought to disk. */
  private volatile long onDisk;

  /** As it was thrown: where memory has run out, nothing more can be made of it on that thread. */
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Cells waiting for one region. */
  private static final class Gathering {
    /** The region by its first key. */
    private final String name;

    private List<CellWrite> cells = new ArrayList<>();
    private int bytes;

    Gathering(byte[] regionStart) {
      name = HexFormat.of().formatHex(regionStart);
    }
  }

  /**
   * @param connection asked for the regions
   * @param triesOnce another one, which tries each call once; for Puts
   * @param executor runs the calls; two threads a sink suffice
   * @param log told of each call
   * @param durability of each Put
   * @param toDisk shared by all sinks of the load, if its Puts are not {@link PutDurability#SYNC}
   */
  public PutSink(
      Connection connection,
      Connection triesOnce,
      String table,
      ExecutorService executor,
      CallLog log,
      PutDurability durability,
      Optional<TableFlush> toDisk)
      throws IOException {
    this.log = log;
    this.durability = durability.ofPut();
    this.toDisk = toDisk;
    this.triesOnce = triesOnce;
    this.table = TableName.valueOf(table);
    this.executor = executor;
    this.retries = new RowRetries(this::putOnce, RowRetries.Clock.SYSTEM, log::retried);
    try (RegionLocator locator = connection.getRegionLocator(this.table)) {
      regionStarts = locator.getStartKeys();
    }
    gathering = new Gathering[regionStarts.length];
    Arrays.setAll(gathering, i -> new Gathering(regionStarts[i]));
  }

  @Override
  public void write(CellWrite cell) throws IOException, InterruptedException {
    Gathering region = gathering[regionOf(cell.rowKey())];
    int bytes = cell.bytes() + CELL_OVERHEAD_BYTES;
    region.cells.add(cell);
    region.bytes += bytes;
    gatheredBytes += bytes;
    if (region.bytes >= callBytes) {
      send(region);
    } else if (gatheredBytes >= CALLS_GATHERED_MAX * callBytes) {
      send(Collections.max(Arrays.asList(gathering), Comparator.comparingInt(each -> each.bytes)));
    }
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    sendAll();
    if (toDisk.isPresent() && onDisk < answered.get()) {
      long all = answered.get();
      toDisk.get().run();
      onDisk = all;
    }
  }

  @Override
  public void sendAll() throws IOException, InterruptedException {
    for (Gathering region : gathering) {
      if (!region.cells.isEmpty()) {
        send(region);
      }
    }
    inFlight.acquire(CALLS_IN_FLIGHT);
    inFlight.release(CALLS_IN_FLIGHT);
    throwFailure();
  }

  @Override
  public long acknowledgedPoints() {
    return toDisk.isPresent() ? onDisk : answered.get();
  }

  /** Waits for the calls in flight, so that the count of acknowledged points is final. */
  @Override
  public void close() throws IOException {
    retries.end();
    try {
      // A call ends by itself within the client's operation timeout.
      if (inFlight.tryAcquire(CALLS_IN_FLIGHT, 2, TimeUnit.MINUTES)) {
        inFlight.release(CALLS_IN_FLIGHT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int regionOf(byte[] rowKey) {
    int found = Arrays.binarySearch(regionStarts, rowKey, Bytes.BYTES_COMPARATOR);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }

  private void send(Gathering region) throws IOException, InterruptedException {
    throwFailure();
    List<CellWrite> cells = region.cells;
    region.cells = new ArrayList<>(cells.size());
    gatheredBytes -= region.bytes;
    region.bytes = 0;
    inFlight.acquire();
    boolean started = false;
    try {
      executor.execute(() -> call(region.name, cells));
      started = true;
    } finally {
      if (!started) {
        inFlight.release();
      }
    }
  }

  private void call(String region, List<CellWrite> cells) {
    try {
      long begun = log.begun();
      try {
        put(cells);
      } finally {
        log.ended(begun, region);
        log.wrote(
            region,
            cells.size(),
            cells.stream().mapToLong(CellWrite::points).sum(),
            cells.stream().mapToLong(CellWrite::bytes).sum());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.compareAndSet(null, new IOException("interrupted while writing", e));
    } catch (IOException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    } finally {
      inFlight.release();
    }
  }

  private void put(List<CellWrite> cells) throws IOException, InterruptedException {
    cells.sort(Comparator.comparing(CellWrite::rowKey, Bytes.BYTES_COMPARATOR));
    List<Put> puts = new ArrayList<>(cells.size());
    for (CellWrite cell : cells) {
      byte[] family = cell.form() == CellForm.PACKED ? PACKED_FAMILY : POINT_FAMILY;
      puts.add(
          new Put(cell.rowKey(), true)
              .setDurability(durability)
              .addColumn(family, cell.qualifier(), cell.stampMs(), cell.value()));
    }
    retries.put(puts, row -> answered.addAndGet(cells.get(row).points()));
  }

  private void putOnce(List<Put> puts, Object[] results) throws IOException, InterruptedException {
    try (Table to = triesOnce.getTable(table)) {
      to.batch(puts, results);
    }
  }

  private void throwFailure() throws IOException {
    Throwable failed = failure.get();
    if (failed instanceof IOException) {
      throw new IOException(failed.getMessage(), failed);
    }
    if (failed != null) {
      throw new IOException("unexpected failure while writing", failed);
    }
  }
}
