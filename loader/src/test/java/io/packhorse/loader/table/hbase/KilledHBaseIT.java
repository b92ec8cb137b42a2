package io.packhorse.loader.table.hbase;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a load and a receiver build on: a Put that the embedded HBase has answered is there after
 * {@code kill -9}, as are those of the kills before.
 *
 * <p>With {@code -Dpackhorse.kills=50} there are so many kills; {@code -Dpackhorse.seed=N} repeats
 * a run as far as the machine's speed allows.
 */
final class KilledHBaseIT {
  private static final TableName TABLE = TableName.valueOf("tsdb");
  private static final byte[] FAMILY = {'p'};
  private static final byte[] QUALIFIER = {1, 2, 3};
  private static final int KILLS = Integer.getInteger("packhorse.kills", 2);
  private static final long SEED = Long.getLong("packhorse.seed", System.nanoTime());
  private static final int VALUE_BYTES_MAX = 8192;

  /** Kept if the test fails, so that HBase's files can be looked into. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder = Path.of("");

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<Writer> writers =
      List.of(new Writer(0), new Writer(1), new Writer(2), new Writer(3));

  /** Puts one numbered row after the other, each as soon as the one before is answered. */
  private static final class Writer {
    private final int number;

    /** Rows that were answered: those with lower numbers. */
    private volatile int answered;

    Writer(int number) {
      this.number = number;
    }

    /** Until HBase does not answer. */
    void put(Connection triesOnce) {
      try (Table table = triesOnce.getTable(TABLE)) {
        for (int n = answered; true; n++) {
          table.put(new Put(row(n)).addColumn(FAMILY, QUALIFIER, value(n)));
          answered = n + 1;
        }
      } catch (IOException killed) {
        // It is there or not, both are right.
      }
    }

    /** The first byte is the salt, which says the region. */
    byte[] row(int n) {
      return Bytes.add(new byte[] {(byte) (n % 4)}, Bytes.toBytes(number), Bytes.toBytes(n));
    }

    /** Of many lengths, so that logs end everywhere. */
    byte[] value(int n) {
      SplittableRandom ofRow = new SplittableRandom(31L * n + number);
      byte[] value = new byte[ofRow.nextInt(VALUE_BYTES_MAX)];
      ofRow.nextBytes(value);
      return value;
    }
  }

  @Test
  void everyAnsweredPutIsThere() throws Exception {
    StoreDirectory store = StoreDirectory.open(folder.resolve("store"));
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.noneOf(TsdKind.class));
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        putUntilKilled(server);
        server = EmbeddedStoreFixture.start(store, EnumSet.noneOf(TsdKind.class));
        check(server, kill);
      }
    } finally {
      EmbeddedServer.stop(store);
    }
  }

  private void putUntilKilled(EmbeddedServer server) throws Exception {
    List<Integer> before = writers.stream().map(writer -> writer.answered).toList();
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      Connection triesOnce = cluster.withoutRetries();
      List<Thread> threads = new ArrayList<>();
      for (Writer writer : writers) {
        Thread thread = new Thread(() -> writer.put(triesOnce));
        threads.add(thread);
        thread.start();
      }
      TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(1500));
      if (random.nextInt(4) == 0) {
        admin.flush(TABLE);
      }
      ProcessHandle hbase = ProcessHandle.of(server.hbase().pid()).orElseThrow();
      hbase.destroyForcibly();
      hbase.onExit().get(1, TimeUnit.MINUTES);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    for (Writer writer : writers) {
      assertTrue(writer.answered > before.get(writer.number), said());
    }
  }

  private void check(EmbeddedServer server, int kill) throws Exception {
    Map<String, byte[]> found = new HashMap<>();
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TABLE);
        ResultScanner results = table.getScanner(new Scan().addFamily(FAMILY))) {
      for (Result result : results) {
        found.put(Bytes.toStringBinary(result.getRow()), result.getValue(FAMILY, QUALIFIER));
      }
    }
    for (Writer writer : writers) {
      for (int n = 0; n < writer.answered; n++) {
        String row = Bytes.toStringBinary(writer.row(n));
        String where = row + " after kill " + (kill + 1) + ", " + said();
        byte[] value = found.get(row);
        assertNotNull(value, where);
        assertArrayEquals(writer.value(n), value, where);
      }
    }
  }

  private String said() {
    return "seed " + SEED + ", files in " + folder;
  }
}
