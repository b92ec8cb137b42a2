package io.packhorse.loader.table.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a receiver builds on: of two cells of one column and one timestamp, HBase keeps the one that
 * was put later, whatever is flushed, compacted or recovered from its log between the two.
 */
final class EqualTimestampsIT {
  private static final TableName TABLE = TableName.valueOf("tsdb");
  private static final byte[] FAMILY = {'p'};
  private static final byte[] QUALIFIER = {1, 2, 3};
  private static final long TIMESTAMP = 1_704_067_200_123L;
  private static final int ROWS = 50;
  private static final int STEPS = 24;

  @TempDir private Path folder = Path.of("");

  @Test
  void theLaterPutIsKept() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    StoreDirectory store = StoreDirectory.open(folder.resolve("store"));
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.noneOf(TsdKind.class));
    List<String> steps = new ArrayList<>(List.of("seed " + seed));
    try {
      for (int version = 1; version <= STEPS; version++) {
        // Twice in any case, because each time takes some seconds.
        int step = version % (STEPS / 2) == 0 ? 4 : random.nextInt(4);
        steps.add(List.of("put", "flush", "compact", "major compact", "kill").get(step));
        try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
            Admin admin = cluster.connection().getAdmin()) {
          put(cluster.connection(), version);
          if (step >= 1 && step < 4) {
            admin.flush(TABLE);
          }
          if (step == 2) {
            admin.compact(TABLE);
          } else if (step == 3) {
            admin.majorCompact(TABLE);
          }
          check(cluster.connection(), version, steps);
          while (admin.getCompactionState(TABLE) != CompactionState.NONE) {
            TimeUnit.MILLISECONDS.sleep(20);
          }
          check(cluster.connection(), version, steps);
        }
        if (step == 4) {
          ProcessHandle hbase = ProcessHandle.of(server.hbase().pid()).orElseThrow();
          hbase.destroyForcibly();
          hbase.onExit().get(1, TimeUnit.MINUTES);
          server = EmbeddedStoreFixture.start(store, EnumSet.noneOf(TsdKind.class));
          try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null)) {
            check(cluster.connection(), version, steps);
          }
        }
      }
    } finally {
      EmbeddedServer.stop(store);
    }
  }

  private static void put(Connection connection, int version) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      puts.add(
          new Put(row(row)).addColumn(FAMILY, QUALIFIER, TIMESTAMP, Bytes.toBytes(version * row)));
    }
    try (Table table = connection.getTable(TABLE)) {
      table.put(puts);
    }
  }

  private static void check(Connection connection, int version, List<String> steps)
      throws Exception {
    int rows = 0;
    try (Table table = connection.getTable(TABLE);
        ResultScanner results = table.getScanner(new Scan().addFamily(FAMILY))) {
      for (Result result : results) {
        Cell cell = result.getColumnLatestCell(FAMILY, QUALIFIER);
        int row = Bytes.toInt(result.getRow(), 1);
        assertEquals(version * row, Bytes.toInt(CellUtil.cloneValue(cell)), steps.toString());
        assertEquals(1, result.size());
        rows++;
      }
    }
    assertEquals(ROWS, rows, steps.toString());
  }

  private static byte[] row(int row) {
    // The first byte is the salt, which says the region.
    return Bytes.add(new byte[] {(byte) (row % 4)}, Bytes.toBytes(row));
  }
}
