package io.packhorse.embedded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store inside the test's JVM, started twice: what is stored, and how files come in. */
final class EmbeddedClusterTest {
  private static final TableName TABLE = TableName.valueOf("probe");
  private static final byte[] FAMILY = Bytes.toBytes("p");
  private static final byte[] QUALIFIER = {1};

  /** Two runs of HBase in one JVM register their metrics twice. */
  @BeforeAll
  static void allowSecondRun() {
    DefaultMetricsSystem.setMiniClusterMode(true);
  }

  @Test
  void keepsPutsAcrossRestartAndRenamesBulkLoadedFiles(@TempDir Path temp) throws Exception {
    EmbeddedOptions options = options(temp.resolve("store"));
    try (EmbeddedCluster cluster = EmbeddedCluster.start(options);
        Connection connection = ConnectionFactory.createConnection(cluster.configuration());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      table.put(new Put(Bytes.toBytes("put")).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("a")));

      Path job = temp.resolve("job");
      Path source = Files.createDirectories(job.resolve("p")).resolve("cells");
      writeHFile(cluster.configuration(), source, "loaded", "b");
      Object fileKey = fileKey(source);
      BulkLoadHFiles.create(cluster.configuration())
          .bulkLoad(TABLE, new org.apache.hadoop.fs.Path(job.toUri()));

      assertFalse(Files.exists(source), "a renamed file leaves its place");
      assertTrue(
          fileKeys(temp.resolve("store").resolve("hbase").resolve("data")).contains(fileKey),
          "the file in the store is the very file that was written");
      assertValue(table, "loaded", "b");
    }
    try (EmbeddedCluster cluster = EmbeddedCluster.start(options);
        Connection connection = ConnectionFactory.createConnection(cluster.configuration());
        Table table = connection.getTable(TABLE)) {
      assertValue(table, "put", "a");
      assertValue(table, "loaded", "b");
    }
  }

  @Test
  void namesATakenPort(@TempDir Path temp) throws Exception {
    EmbeddedOptions free = options(temp);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      EmbeddedOptions options =
          new EmbeddedOptions(
              temp,
              taken.getLocalPort(),
              free.masterPort(),
              free.regionServerPort(),
              OptionalLong.empty());
      assertThrows(IOException.class, () -> EmbeddedCluster.start(options));
    }
  }

  @Test
  void refusesAFileSystemThatDoesNotWriteFlushedBytes(@TempDir Path temp) throws Exception {
    Configuration conf = StoreConfiguration.of(options(temp));
    DurabilityProbe.check(conf, temp);

    conf.set("fs.file.impl", LocalFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    IOException refused = assertThrows(IOException.class, () -> DurabilityProbe.check(conf, temp));
    assertEquals(
        "hflush does not write everything to disk in " + temp + ": written=100, file=0",
        refused.getMessage());
  }

  private static void writeHFile(Configuration conf, Path file, String row, String value)
      throws IOException {
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf))
            .withPath(
                FileSystem.get(file.toUri(), conf), new org.apache.hadoop.fs.Path(file.toUri()))
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      writer.append(new KeyValue(Bytes.toBytes(row), FAMILY, QUALIFIER, 1L, Bytes.toBytes(value)));
    }
  }

  private static void assertValue(Table table, String row, String value) throws IOException {
    assertArrayEquals(
        Bytes.toBytes(value), table.get(new Get(Bytes.toBytes(row))).getValue(FAMILY, QUALIFIER));
  }

  private static Set<Object> fileKeys(Path dir) throws IOException {
    Set<Object> keys = new HashSet<>();
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        keys.add(fileKey(file));
      }
    }
    return keys;
  }

  private static Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static EmbeddedOptions options(Path dir) throws IOException {
    List<Integer> ports = freePorts();
    return new EmbeddedOptions(dir, ports.get(0), ports.get(1), ports.get(2), OptionalLong.empty());
  }

  private static List<Integer> freePorts() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket one = new ServerSocket(0, 1, loopback);
        ServerSocket two = new ServerSocket(0, 1, loopback);
        ServerSocket three = new ServerSocket(0, 1, loopback)) {
      return List.of(one.getLocalPort(), two.getLocalPort(), three.getLocalPort());
    }
  }
}
