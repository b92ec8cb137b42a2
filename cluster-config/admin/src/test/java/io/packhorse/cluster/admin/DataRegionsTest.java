package io.packhorse.cluster.admin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the embedded HBase, in a process of its own. */
final class DataRegionsTest {
  private static final int BUCKETS = 4;
  private static final String METRIC = "cpu.user";
  private static final long HOUR = 1_704_067_200;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void bucketsGoToServersInTurn() throws IOException {
    List<String> servers = List.of("a", "b", "c");

    assertEquals("a", DataRegions.serverOf(1, new byte[0], servers));
    assertEquals("b", DataRegions.serverOf(1, new byte[] {1}, servers));
    assertEquals("a", DataRegions.serverOf(1, new byte[] {3, 0, 0, 1, 9}, servers));
    assertEquals("c", DataRegions.serverOf(1, new byte[] {(byte) 200}, servers));
  }

  @Test
  void regionsArePlacedAndSplit() throws Exception {
    int zookeeperPort = freePort();
    Process hbase = startHBase(zookeeperPort);
    try (Connection connection = connect(zookeeperPort)) {
      new HBaseTables(connection)
          .createMissing(StoreTables.all(1, BUCKETS, FamilySpec.NOT_COMPRESSED));
      DataRegions regions = new DataRegions(connection, layout());
      List<String> hosts = List.of("localhost");

      regions.place(hosts);
      assertTrue(regions.isPlaced(hosts));
      assertEquals(Map.of("localhost", BUCKETS), regions.countByHost());
      IOException refused =
          assertThrows(IOException.class, () -> regions.place(List.of("localhost", "elsewhere")));
      assertEquals("no live region server on host elsewhere", refused.getMessage());

      refused = assertThrows(IOException.class, () -> regions.split(METRIC, HOUR));
      assertEquals("metric cpu.user has no UID in table tsdb-uid", refused.getMessage());
      assignUid(connection);
      refused = assertThrows(IOException.class, () -> regions.split(METRIC, HOUR));
      assertTrue(
          String.valueOf(refused.getMessage()).endsWith("regions allow-splits"), refused::toString);

      regions.allowSplits();
      assertEquals(BUCKETS, regions.split(METRIC, HOUR));

      List<byte[]> starts =
          new HBaseTables(connection)
              .regions(StoreTables.DATA).stream()
                  .map(region -> region.getRegion().getStartKey())
                  .toList();
      assertEquals(2 * BUCKETS, starts.size());
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        byte[] metricAtHour = layout().rowKeys().scanStart(bucket, 1, HOUR);
        assertArrayEquals(metricAtHour, starts.get(2 * bucket + 1));
      }
    } finally {
      hbase.destroy();
      assertTrue(hbase.waitFor(60, TimeUnit.SECONDS), "HBase did not stop");
    }
    assertFalse(hbase.isAlive());
  }

  private static void assignUid(Connection connection) throws IOException {
    try (Table uids = connection.getTable(TableName.valueOf(StoreTables.UID))) {
      uids.put(
          new Put(UidRows.nameBytes(METRIC))
              .addColumn(
                  Bytes.toBytes(UidRows.ID_FAMILY),
                  UidKind.METRIC.qualifierBytes(),
                  UidRows.encode(1, 3)));
    }
  }

  private static TableLayout layout() throws IOException {
    Properties tsd = new Properties();
    tsd.setProperty("tsd.storage.salt.width", "1");
    tsd.setProperty("tsd.storage.salt.buckets", Integer.toString(BUCKETS));
    return TableLayout.of(tsd, "test");
  }

  /** Returns once it is ready: it then writes a status file. */
  private Process startHBase(int zookeeperPort) throws IOException, InterruptedException {
    Path run = Files.createDirectories(folder.resolve("run"));
    Path log = folder.resolve("log");
    try (WatchService watch = run.getFileSystem().newWatchService()) {
      run.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Process hbase =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "-XX:TieredStopAtLevel=1",
                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                  "--add-opens=java.base/java.nio=ALL-UNNAMED",
                  "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "io.packhorse.embedded.EmbeddedHBase",
                  "--dir",
                  folder.toString(),
                  "--zookeeper-port",
                  Integer.toString(zookeeperPort),
                  "--master-port",
                  Integer.toString(freePort()),
                  "--region-server-port",
                  Integer.toString(freePort()),
                  "--parent",
                  Long.toString(ProcessHandle.current().pid()))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      Path status = run.resolve("hbase.status");
      while (!Files.exists(status)) {
        WatchKey changed = watch.poll(120, TimeUnit.SECONDS);
        assertNotNull(changed, () -> "HBase is not ready; alive=" + hbase.isAlive());
        changed.pollEvents();
        changed.reset();
      }
      assertEquals("ready\n", Files.readString(status), () -> log.toString());
      return hbase;
    }
  }

  private static Connection connect(int zookeeperPort) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", zookeeperPort);
    return ConnectionFactory.createConnection(conf);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
