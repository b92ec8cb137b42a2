package io.packhorse.loader.sink.hbase;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.sink.SeriesRecorder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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
 * Writes cells as Puts: gathers them by region, sends them sorted in calls of up to 2 MiB, two
 * calls at a time, checks the result of each row and puts failed rows again.
 *
 * <p>Used by one thread, as every {@link CellSink}; the calls run on the given executor.
 */
public final class PutSink implements CellSink {
  /** Memory limit of the cells gathered for one region; above it they are sent. */
  private static final int CALL_BYTES_MAX = 2 << 20;

  /** A call takes at most 1/128 of the heap. */
  private static final int HEAP_SHARE = 128;

  /** Limit of the cells gathered for all regions, in full calls; a table may have many regions. */
  private static final int CALLS_GATHERED_MAX = 16;

  /** Memory of a cell beyond its bytes, most of it while it is in flight as a Put. */
  private static final int CELL_OVERHEAD_BYTES = 500;

  private static final int CALLS_IN_FLIGHT = 2;

  private final Connection triesOnce;
  private final TableName table;
  private final ExecutorService executor;
  private final CallLog log;
  private final Map<CellForm, byte[]> families = new EnumMap<>(CellForm.class);
  private final byte[][] regionStarts;
  private final Gathering[] gathering;
  private final long callBytes =
      Math.min(CALL_BYTES_MAX, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  private long gatheredBytes;
  private final Semaphore inFlight = new Semaphore(CALLS_IN_FLIGHT);
  private final Durability durability;
  private final RowRetries retries;
  private final SeriesRecorder series;

  /** Flushes the table, if the Puts are not in the write-ahead log when HBase answers. */
  private final Optional<TableFlush> toDisk;

  /** Points in cells that HBase has answered for. */
  private final AtomicLong answered = new AtomicLong();

  private final AtomicLong retriedRows = new AtomicLong();

  /** Those of them that a flush has brought to disk. */
  private volatile long onDisk;

  /** As it was thrown: wrapping it could fail where memory has run out. */
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Cells gathered for one region. */
  private static final class Gathering {
    /** First key of the region, in hex. */
    private final String name;

    private List<CellWrite> cells = new ArrayList<>();
    private int bytes;

    Gathering(byte[] regionStart) {
      name = HexFormat.of().formatHex(regionStart);
    }
  }

  /**
   * @param connection used to find the regions
   * @param triesOnce a connection without retries of its own; used for the Puts
   * @param executor runs the calls; two threads per sink suffice
   * @param log records each call
   * @param durability of each Put
   * @param toDisk flushes the table; shared by all sinks of the load, empty for {@link
   *     PutDurability#SYNC}
   * @param series records the series of cells before these are sent
   */
  public PutSink(
      Connection connection,
      Connection triesOnce,
      String table,
      ExecutorService executor,
      CallLog log,
      PutDurability durability,
      Optional<TableFlush> toDisk,
      SeriesRecorder series)
      throws IOException {
    this.series = series;
    this.log = log;
    this.durability = toHBase(durability);
    this.toDisk = toDisk;
    this.triesOnce = triesOnce;
    this.table = TableName.valueOf(table);
    for (CellForm form : CellForm.values()) {
      families.put(form, Bytes.toBytes(form.family()));
    }
    this.executor = executor;
    this.retries = new RowRetries(this::putOnce, RowRetries.Clock.SYSTEM, this::retried);
    try (RegionLocator locator = connection.getRegionLocator(this.table)) {
      regionStarts = locator.getStartKeys();
    }
    gathering = new Gathering[regionStarts.length];
    Arrays.setAll(gathering, i -> new Gathering(regionStarts[i]));
  }

  private void retried(int rows) {
    log.retried(rows);
    retriedRows.addAndGet(rows);
  }

  @Override
  public long retries() {
    return retriedRows.get();
  }

  private static Durability toHBase(PutDurability durability) {
    return switch (durability) {
      case SYNC -> Durability.USE_DEFAULT;
      case ASYNC -> Durability.ASYNC_WAL;
      case SKIP -> Durability.SKIP_WAL;
    };
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

  /** Waits for the calls in flight, so that the number of acknowledged points is final. */
  @Override
  public void close() throws IOException {
    retries.end();
    try {
      // A call ends within the client's operation timeout of a minute.
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
    series.record();
    cells.sort(Comparator.comparing(CellWrite::rowKey, Bytes.BYTES_COMPARATOR));
    List<Put> puts = new ArrayList<>(cells.size());
    for (CellWrite cell : cells) {
      puts.add(
          new Put(cell.rowKey(), true)
              .setDurability(durability)
              .addColumn(
                  families.get(cell.form()), cell.qualifier(), cell.stampMs(), cell.value()));
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
