package net.opentsdb.core;

import static net.opentsdb.core.Cells.longs;
import static net.opentsdb.core.Cells.packed;
import static net.opentsdb.core.Cells.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.stumbleupon.async.Deferred;
import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.opentsdb.stats.QueryStats;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;

/** Batches of rows go in as a scanner brings them. */
final class SaltScannerTest {
  private static final long WAIT_MS = 20_000;

  private final QueryStats stats = new QueryStats("127.0.0.1:1", query(), new HashMap<>());

  @Test
  void limitCountsPointsInPackedCells() throws Exception {
    SaltScanner scan = scan(OfflineTsdb.create(), 0, 7000);
    SaltScanner.ScannerCB rows = start(scan);
    rows.call(batch(hour(0)));
    rows.call(batch(hour(1)));
    Deferred<SortedMap<byte[], Span>> answer = scan.scan();
    rows.call(batch(hour(2)));
    QueryException e = assertThrows(QueryException.class, () -> answer.join(WAIT_MS));
    assertEquals(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, e.getStatus());
    assertTrue(e.getMessage().contains("7000 data points"), e.getMessage());
  }

  @Test
  void limitCountsEachByteOnce() throws Exception {
    KeyValue cell = hour(0);
    int bytes = cell.key().length + cell.qualifier().length + cell.value().length;
    KeyValue point = plain(longs(1, 0), 1);
    int pointBytes = point.key().length + point.qualifier().length + point.value().length;
    SaltScanner scan = scan(OfflineTsdb.create(), bytes + 2L * pointBytes, 0);
    SaltScanner.ScannerCB rows = start(scan);
    rows.call(batch(cell, plain(longs(1, 0), 1), plain(longs(2, 1000), 1)));
    rows.call(batch(hour(1)));
    Deferred<SortedMap<byte[], Span>> answer = scan.scan();
    assertThrows(
        com.stumbleupon.async.TimeoutException.class, () -> answer.join(50), "not over the limit");
    rows.call(batch(hour(2)));
    assertThrows(QueryException.class, () -> answer.join(WAIT_MS));
  }

  @Test
  void statisticsCountPoints() throws Exception {
    SaltScanner.ScannerCB rows = start(scan(OfflineTsdb.create(), 0, 0));
    rows.call(batch(hour(0), plain(longs(1, 500, 1500), 1)));
    rows.call(null);
    stats.aggQueryStats();
    String text = stats.getStats(true, true).toString();
    assertTrue(text.contains("dpsPreFilter=3602"), text);
    assertTrue(text.contains("dpsPostFilter=3602"), text);
  }

  @Test
  void damagedCellFailsTheScanOnceWithItsRowAndReason() throws Exception {
    SaltScanner scan = scan(OfflineTsdb.create(), 0, 0);
    SaltScanner.ScannerCB rows = start(scan);
    Deferred<SortedMap<byte[], Span>> answer = scan.scan();
    rows.call(batch(damaged(), plain(longs(1, 0), 1)));
    rows.call(batch(hour(1)));
    rows.call(null);
    IllegalDataException e = assertThrows(IllegalDataException.class, () -> answer.join(WAIT_MS));
    assertTrue(e.getMessage().contains("row key=00000150e22700000001000001"), e.getMessage());
  }

  @Test
  void damagedCellThatIsAloneFailsWhenItIsRead() throws Exception {
    SaltScanner scan = scan(OfflineTsdb.create(), 0, 0);
    SaltScanner.ScannerCB rows = start(scan);
    Deferred<SortedMap<byte[], Span>> answer = scan.scan();
    rows.call(batch(damaged()));
    rows.call(null);
    Span span = answer.join(WAIT_MS).values().iterator().next();
    assertThrows(IllegalDataException.class, () -> span.iterator().next());
  }

  @Test
  void damagedCellsAreLeftOutIfToldTo() throws Exception {
    TSDB tsdb = OfflineTsdb.create(Map.of(DamagedCells.SKIP, "true"));
    SaltScanner scan = scan(tsdb, 0, 0);
    SaltScanner.ScannerCB rows = start(scan);
    Deferred<SortedMap<byte[], Span>> answer = scan.scan();
    rows.call(batch(damaged(), plain(longs(5, 1000), 1)));
    rows.call(null);
    Span span = answer.join(WAIT_MS).values().iterator().next();
    assertEquals(1, span.size());
    assertEquals(1, stats.packed_cells_skipped);
    assertTrue(stats.getStats(true, true).toString().contains("packedCellsSkipped=1"));
  }

  @Test
  void cellsLeftOutAreCountedForTheQueryThatLeavesThemOut() {
    stats.addSkipped(0, 2);
    stats.addSkipped(1, 3);
    stats.addSkipped(0, 1);
    stats.aggQueryStats();
    assertEquals(3L, stats.getQueryStats(0, false).get("packedCellsSkipped"));
    assertEquals(3L, stats.getQueryStats(1, false).get("packedCellsSkipped"));
    assertEquals(6L, stats.getStats().get("packedCellsSkipped"));
    assertEquals(6, stats.packed_cells_skipped);
  }

  @Test
  void timeoutAnswersWithStatus408() {
    TSDB tsdb = OfflineTsdb.create(Map.of(QueryTimeout.SETTING, "60"));
    Deferred<SortedMap<byte[], Span>> answer = scan(tsdb, 0, 0).scan();
    QueryException e = assertThrows(QueryException.class, () -> answer.join(WAIT_MS));
    assertEquals(HttpResponseStatus.REQUEST_TIMEOUT, e.getStatus());
  }

  @Test
  void rowsBecomeIntervalsAsTheyArrive() throws Exception {
    SaltScanner scan = scan(OfflineTsdb.create(), 0, 0);
    DownsamplingSpecification minutes = new DownsamplingSpecification("1m-sum");
    Deferred<SortedMap<byte[], Span>> answer =
        scan.scan(RowReduction.of(null, minutes, false, 0, 1L << 40), DirectedRead.NONE);
    SaltScanner.ScannerCB rows = start(scan);
    rows.call(batch(hour(0)));
    rows.call(null);
    Span span = answer.join(WAIT_MS).values().iterator().next();
    assertInstanceOf(ReducedRowSeq.class, span.rows.get(0));
    assertEquals(3600, span.size());
    assertEquals(
        60, span.downsampler(0, 1L << 40, minutes, 0, 1L << 40, null).next().doubleValue());
  }

  @Test
  void seriesBecomeIntervalsBatchByBatch() throws Exception {
    SaltScanner scan = scan(OfflineTsdb.create(), 0, 0);
    DownsamplingSpecification days = new DownsamplingSpecification("1d-sum");
    Deferred<SortedMap<byte[], Span>> answer =
        scan.scan(RowReduction.of(null, days, false, 0, 1L << 41), DirectedRead.NONE);
    long before = QueryMemory.used();
    SaltScanner.ScannerCB rows = start(scan);
    rows.call(batch(hour(0)));
    long first = QueryMemory.used() - before;
    for (int i = 1; i < 72; i++) {
      rows.call(batch(hour(i)));
    }
    assertTrue(QueryMemory.used() - before <= first + 16 * 8, "memory follows days, not hours");
    rows.call(null);
    Span span = answer.join(WAIT_MS).values().iterator().next();
    assertEquals(1, span.rows.size());
    assertEquals(72 * 3600, span.size());
    SeekableView sums = span.downsampler(0, 1L << 41, days, 0, 1L << 41, null);
    double all = 0;
    while (sums.hasNext()) {
      all += sums.next().doubleValue();
    }
    assertEquals(72 * 3600, all);
  }

  @Test
  void aSeriesInTwoScannersIsNotReduced() throws Exception {
    TSDB tsdb = OfflineTsdb.create();
    SaltScanner scan = scanOfFour(tsdb);
    DownsamplingSpecification days = new DownsamplingSpecification("1d-sum");
    Deferred<SortedMap<byte[], Span>> answer =
        scan.scan(RowReduction.of(null, days, false, 0, 1L << 41), DirectedRead.NONE);
    for (int i = 0; i < 4; i++) {
      SaltScanner.ScannerCB rows = scan.new ScannerCB(tsdb.getClient().newScanner("tsdb"), i);
      rows.call(batch(hour(i)));
      rows.call(null);
    }
    assertThrows(NotReducibleException.class, () -> answer.join(WAIT_MS));
  }

  /** Scanners that end at the same time, again and again. */
  @Test
  void rowsOfEveryScannerAreInTheAnswer() throws Exception {
    TSDB tsdb = OfflineTsdb.create();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 2000; round++) {
        SaltScanner scan = scanOfFour(tsdb);
        Deferred<SortedMap<byte[], Span>> answer = scan.scan();
        CountDownLatch ready = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
          SaltScanner.ScannerCB rows = scan.new ScannerCB(tsdb.getClient().newScanner("tsdb"), i);
          rows.call(batch(sensor(i)));
          threads.execute(
              () -> {
                ready.countDown();
                while (ready.getCount() > 0) {
                  Thread.onSpinWait();
                }
                rows.close(true);
              });
        }
        assertEquals(4, answer.join(WAIT_MS).size(), "round " + round);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static KeyValue sensor(int number) {
    KeyValue cell = packed(longs(1, 0, 1000), 1, 0, 10);
    byte[] key = cell.key().clone();
    key[key.length - 1] = (byte) number;
    return new KeyValue(key, cell.family(), cell.qualifier(), cell.timestamp(), cell.value());
  }

  /** The constructor wants a scanner for each bucket; the rows of the tests have no salt. */
  private SaltScanner scanOfFour(TSDB tsdb) {
    Const.setSaltWidth(1);
    Const.setSaltBuckets(4);
    try {
      return scan(tsdb, 4, 0, 0);
    } finally {
      Const.setSaltWidth(0);
      Const.setSaltBuckets(20);
    }
  }

  private SaltScanner scan(TSDB tsdb, long bytesMax, long pointsMax) {
    return scan(tsdb, 1, bytesMax, pointsMax);
  }

  private SaltScanner scan(TSDB tsdb, int scanners, long bytesMax, long pointsMax) {
    return new SaltScanner(
        tsdb,
        new byte[] {0, 0, 1},
        Collections.nCopies(scanners, tsdb.getClient().newScanner("tsdb")),
        new TreeMap<>(new TsdbQuery.SpanCmp((short) 3)),
        null,
        false,
        null,
        stats,
        0,
        null,
        bytesMax,
        pointsMax);
  }

  private static SaltScanner.ScannerCB start(SaltScanner scan) {
    Scanner scanner = OfflineTsdb.create().getClient().newScanner("tsdb");
    return scan.new ScannerCB(scanner, 0);
  }

  @SuppressWarnings("NonApiType") // As the HBase client brings them.
  private static ArrayList<ArrayList<KeyValue>> batch(KeyValue... row) {
    return new ArrayList<>(List.of(new ArrayList<>(Arrays.asList(row))));
  }

  /** A second-by-second hour of ones, in the row of an hour after the first. */
  private static KeyValue hour(int number) {
    PointBlock block = new PointBlock();
    for (int i = 0; i < 3600; i++) {
      block.addLong(i * 1000, 1);
    }
    KeyValue cell = packed(block, 1, 0, 10);
    byte[] key = cell.key().clone();
    org.hbase.async.Bytes.setInt(
        key, (int) (org.hbase.async.Bytes.getUnsignedInt(key, 3) + 3600L * number), 3);
    return new KeyValue(key, cell.family(), cell.qualifier(), cell.timestamp(), cell.value());
  }

  private static KeyValue damaged() {
    KeyValue good = packed(longs(3, 0, 1000, 2500), 1, 0, 10);
    byte[] value = Arrays.copyOf(good.value(), good.value().length - 1);
    return new KeyValue(good.key(), good.family(), good.qualifier(), 10, value);
  }

  private static TSQuery query() {
    TSQuery query = new TSQuery();
    query.setStart("1h-ago");
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setMetric("walk");
    query.setQueries(new ArrayList<>(List.of(sub)));
    return query;
  }
}
