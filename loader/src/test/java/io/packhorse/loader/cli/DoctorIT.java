package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is known before a load: a store that is well, and each way in which one is not. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class DoctorIT {
  @TempDir private Path folder = Path.of("");
  private String out = "";
  private String err = "";
  private List<String> cluster = List.of();
  private URI patched = URI.create("");
  private URI stock = URI.create("");
  private Path conf = Path.of("");
  private Path dir = Path.of("");

  @BeforeEach
  void open() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    dir = server.store().root();
    conf = server.store().tsdConfig(TsdKind.PATCHED);
    patched = server.tsdUrl();
    stock = server.tsd(TsdKind.STOCK).orElseThrow().url();
    cluster =
        List.of(
            "--zookeeper",
            server.zookeeperQuorum(),
            "--jobs-dir",
            folder.resolve("jobs").toString());
  }

  @Test
  void aStoreOfOursIsWell() throws Exception {
    run(List.of("doctor", "--dir", dir.toString(), "--json"));
    assertEquals(List.of(), failed(List.of("disk")));
    run(List.of("schema", "describe", "--dir", dir.toString()));
    assertTrue(out.contains("table     tsdb: 4 regions on 1 server,"), out);
    assertTrue(out.contains("p: compression ZSTD, encoding FAST_DIFF, bloom filter ROW"), out);
  }

  @Test
  void aStockTsdIsFoundAndRefusedBeforeAnythingIsWritten() throws Exception {
    assertEquals(7, onCluster(List.of("doctor", "--json"), "--tsd-url", stock.toString()));
    assertEquals(List.of("patched"), failed(List.of("disk")));
    assertEquals(
        7, load("it.stock", "--tsd-url", patched + "," + stock, "--tsd-conf", conf.toString()));
    assertTrue(err.contains(stock + ": is OpenTSDB without the patches"), err);
    assertFalse(isKnown("it.stock"), "refused, but a metric was written");
  }

  @Test
  void aPatchedTsdsOwnAddressIsEnough() throws Exception {
    assertEquals(0, load("it.named", "--tsd-url", patched.toString()), err);
    assertFalse(err.contains("NO TSD WAS NAMED"), err);
    assertTrue(isKnown("it.named"));
    assertEquals(0, load("it.unnamed", "--tsd-conf", conf.toString()), err);
    assertEquals(2, err.split("NO TSD WAS NAMED", -1).length, err);
    assertEquals(
        0, load("it.compacted", "--tsd-conf", conf.toString(), "--cells", "compacted"), err);
    assertFalse(err.contains("NO TSD WAS NAMED"), err);
  }

  @Test
  void aLayoutThatIsNotTheStoresIsRefused() throws Exception {
    assertEquals(0, load("it.layout", "--tsd-conf", conf.toString()), err);
    Path other = folder.resolve("opentsdb.conf");
    for (String wrong : List.of("salt.buckets = 20", "uid.width.tagv = 4", "salt.width = 0")) {
      Files.writeString(other, Files.readString(conf) + "\ntsd.storage." + wrong + "\n");
      assertEquals(7, load("it.wrong", "--tsd-conf", other.toString()), wrong);
      assertTrue(err.contains("Refused before anything was written"), err);
    }
    Files.writeString(other, Files.readString(conf) + "\ntsd.storage.hbase.uid_table = none\n");
    assertEquals(7, load("it.wrong", "--tsd-conf", other.toString()));
    assertTrue(err.contains("none: does not exist; create it with packhorse schema create"), err);
    assertFalse(isKnown("it.wrong"));
  }

  @Test
  void tablesAreMadeOnceWithACodecThatWorks() throws Exception {
    Path own = folder.resolve("own.conf");
    Files.writeString(
        own,
        """
        tsd.storage.enable_compaction = false
        tsd.storage.salt.width = 1
        tsd.storage.salt.buckets = 3
        tsd.storage.hbase.data_table = made
        tsd.storage.hbase.uid_table = made-uid
        tsd.storage.hbase.meta_table = made-meta
        tsd.storage.hbase.tree_table = made-tree
        """);
    List<String> create = List.of("schema", "create", "--tsd-conf", own.toString());
    assertEquals(7, onCluster(create, "--compression", "lzma"), err);
    assertTrue(err.contains("LZMA"), err);
    assertEquals(7, onCluster(create, "--compression", "zst"), err);
    assertTrue(err.contains("ZST: HBase has no such codec"), err);
    assertEquals(List.of(), tables("made.*"), "a table was left over");
    assertEquals(List.of(), tables("packhorse-probe.*"), "a table was left over");

    assertEquals(0, onCluster(create, "--compression", "zstd"), err);
    assertEquals(
        List.of("made", "made-meta", "made-summary", "made-tree", "made-uid"), tables("made.*"));
    assertEquals(List.of(), tables("packhorse-probe.*"), "a table was left over");
    assertEquals(0, onCluster(List.of("schema", "describe", "--tsd-conf", own.toString())), err);
    assertTrue(out.contains("table     made: 3 regions on 1 server,"), out);
    assertTrue(out.contains("p: compression ZSTD, encoding FAST_DIFF"), out);
    assertTrue(out.contains("as it should be"), out);

    assertEquals(7, onCluster(create));
    assertTrue(err.contains("Nothing was created: made exists"), err);
  }

  /** Once the data table is there nothing is made any more. */
  @Test
  void tablesThatCouldNotAllBeMadeAreMadeTheNextTime() throws Exception {
    Path own = folder.resolve("own.conf");
    String settings =
        """
        tsd.storage.enable_compaction = false
        tsd.storage.hbase.data_table = half
        tsd.storage.hbase.meta_table = half-meta
        tsd.storage.hbase.tree_table = half-tree
        tsd.storage.hbase.uid_table = %s
        """;
    List<String> create = List.of("schema", "create", "--tsd-conf", own.toString());
    Files.writeString(own, settings.formatted("nowhere:half-uid"));
    assertEquals(5, onCluster(create), err);
    assertTrue(err.contains("nowhere"), err);
    Files.writeString(own, settings.formatted("half-uid"));
    assertEquals(0, onCluster(create), err);
    assertEquals(
        List.of("half", "half-meta", "half-summary", "half-tree", "half-uid"), tables("half.*"));
  }

  @Test
  void aClusterThatIsNotThereIsAFinding() throws Exception {
    String[] nowhere = {"doctor", "--json", "--zookeeper", "127.0.0.1:1", "--tsd-conf"};
    List<String> arguments = new ArrayList<>(List.of(nowhere));
    arguments.add(conf.toString());
    assertEquals(7, run(arguments));
    assertEquals(List.of("reachable"), failed(List.of("disk")));
  }

  private int load(String metric, String... options) {
    return onCluster(
        List.of("loadtest", "fill", "--sensors", "3", "--span", "1h", "--metric", metric), options);
  }

  private int onCluster(List<String> command, String... options) {
    List<String> arguments = new ArrayList<>(command);
    arguments.addAll(cluster);
    arguments.addAll(List.of(options));
    return run(arguments);
  }

  private int run(List<String> arguments) {
    StringWriter said = new StringWriter();
    StringWriter complained = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said, true))
            .setErr(new PrintWriter(complained, true))
            .execute(arguments.toArray(String[]::new));
    out = said.toString();
    err = complained.toString();
    return code;
  }

  /** Names of the checks that the last doctor saw fail, but for some. */
  private List<String> failed(List<String> but) throws Exception {
    JsonNode findings = new ObjectMapper().readTree(out).path("result").path("findings");
    assertTrue(findings.size() > 0, out + err);
    return StreamSupport.stream(findings.spliterator(), false)
        .filter(finding -> finding.path("verdict").asText().equals("FAIL"))
        .map(finding -> finding.path("check").asText())
        .filter(check -> !but.contains(check))
        .toList();
  }

  private boolean isKnown(String metric) throws Exception {
    try (Cluster store = Cluster.connect(cluster.get(1), null);
        Table uids = store.connection().getTable(TableName.valueOf("tsdb-uid"))) {
      return uids.exists(new Get(Bytes.toBytes(metric)));
    }
  }

  private List<String> tables(String pattern) throws Exception {
    try (Cluster store = Cluster.connect(cluster.get(1), null);
        Admin admin = store.connection().getAdmin()) {
      return List.of(admin.listTableNames(Pattern.compile(pattern))).stream()
          .map(TableName::getNameAsString)
          .sorted()
          .toList();
    }
  }
}
