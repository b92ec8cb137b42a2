package io.packhorse.loader.uidstore.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.schema.key.SeriesBlock;
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.key.SeriesSet;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.uid.UidWidths;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The series index under many writers. */
final class HBaseSeriesIndexIT {
  private static final UidWidths WIDTHS = UidWidths.DEFAULT;
  private static final int WRITERS = 6;
  private static final byte[] METRIC = {0, 0, 9};
  private static final byte[] FAMILY = Bytes.toBytes(StoreTables.JOB_FAMILY);

  private final ExecutorService calls = Executors.newCachedThreadPool();
  private Cluster cluster;
  private String data;

  @BeforeEach
  void connect() throws Exception {
    cluster = Cluster.connect(EmbeddedStoreFixture.shared().zookeeperQuorum(), null);
    data = "index-it-" + System.nanoTime();
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
    calls.shutdownNow();
  }

  @Test
  void manyWritersLoseNoSeriesAndWriteFewTwice() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writing = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int seed = writer;
        writing.add(threads.submit(() -> write(new Random(seed))));
      }
      for (Future<?> each : writing) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    List<SeriesBlock> blocks = blocks();
    SeriesSet all = SeriesSet.EMPTY;
    for (SeriesBlock block : blocks) {
      all = all.with(block);
    }
    for (int writer = 0; writer < WRITERS; writer++) {
      for (List<Tsuid> some : batches(new Random(writer))) {
        for (Tsuid each : some) {
          assertTrue(all.contains(WIDTHS, each), each.toString());
        }
      }
    }
    assertEquals(
        all.blocks().stream().mapToInt(SeriesBlock::series).sum(),
        blocks.stream().mapToInt(SeriesBlock::series).sum(),
        "each series is written once");
    for (SeriesBlock block : blocks.subList(0, blocks.size() - 1)) {
      assertTrue(block.series() >= SeriesBlock.OPEN_BELOW, "only the last block may be small");
    }
  }

  @Test
  void seriesThatAreThereAreNotWrittenAgain() throws Exception {
    List<Tsuid> series =
        IntStream.rangeClosed(1, 20_000).mapToObj(i -> Tsuid.of(WIDTHS, 9, 1, i)).toList();
    index().add(series);
    List<SeriesBlock> before = blocks();
    assertEquals(
        List.of(SeriesBlock.SERIES_MAX, 20_000 - SeriesBlock.SERIES_MAX),
        before.stream().map(SeriesBlock::series).toList());
    index().add(series);
    assertEquals(before, blocks());
  }

  @Test
  void metricsAreWrittenBesideEachOther() throws Exception {
    List<Tsuid> series = new ArrayList<>();
    for (int i = 1; i <= 4_000; i++) {
      for (int metric = 1; metric <= 9; metric++) {
        series.add(Tsuid.of(WIDTHS, metric, 1, i));
      }
    }
    index().add(series);
    for (int metric = 1; metric <= 9; metric++) {
      List<SeriesBlock> blocks = blocks(new byte[] {0, 0, (byte) metric});
      assertEquals(List.of(4_000), blocks.stream().map(SeriesBlock::series).toList());
    }
  }

  @Test
  void onlyAnEmptyTableBeginsAWholeIndex() throws Exception {
    createTable();
    index().begin();
    assertTrue(isWhole());

    data += "-old";
    createTable();
    try (Table table = cluster.connection().getTable(TableName.valueOf(data))) {
      table.put(new Put(new byte[9]).addColumn(Bytes.toBytes("p"), new byte[5], new byte[1]));
    }
    index().begin();
    assertFalse(isWhole(), "cells whose series nobody has recorded");
  }

  private void createTable() throws Exception {
    cluster
        .connection()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(data))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("p"))
                .build());
  }

  private boolean isWhole() throws Exception {
    try (Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.JOBS))) {
      return table.exists(new Get(SeriesIndexRow.whole(data)));
    }
  }

  private HBaseSeriesIndex index() {
    return new HBaseSeriesIndex(cluster.connection(), data, WIDTHS, calls);
  }

  private Void write(Random random) throws Exception {
    HBaseSeriesIndex index = index();
    for (List<Tsuid> some : batches(random)) {
      index.add(some);
    }
    return null;
  }

  /** Some of a few series at a time, some of many; the writers share most of them. */
  private static List<List<Tsuid>> batches(Random random) {
    List<List<Tsuid>> batches = new ArrayList<>();
    for (int batch = 0; batch < 15; batch++) {
      int size = 1 + random.nextInt(random.nextInt(4) == 0 ? 600 : 20);
      batches.add(
          IntStream.range(0, size)
              .mapToObj(i -> Tsuid.of(WIDTHS, 9, 1 + random.nextInt(2), 1 + random.nextInt(3000)))
              .toList());
    }
    return batches;
  }

  /** In their order, without a gap. */
  private List<SeriesBlock> blocks() throws Exception {
    return blocks(METRIC);
  }

  private List<SeriesBlock> blocks(byte[] metric) throws Exception {
    List<SeriesBlock> blocks = new ArrayList<>();
    Scan scan =
        new Scan()
            .withStartRow(SeriesIndexRow.block(data, metric, 0))
            .withStopRow(SeriesIndexRow.end(data, metric));
    try (Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.JOBS));
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        assertEquals(blocks.size(), SeriesIndexRow.number(row.getRow()));
        blocks.add(
            SeriesBlock.decode(WIDTHS, row.getValue(FAMILY, Bytes.toBytes(SeriesIndexRow.BLOCK))));
      }
    }
    return blocks;
  }
}
