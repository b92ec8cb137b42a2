package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdFixture;
import io.packhorse.loader.store.TsdKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables as OpenTSDB's own script makes them, in other layouts than the embedded store's: loaded by
 * the TSD's configuration, answered by a patched TSD over packed cells as by a stock one over
 * compacted ones.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LayoutIT {
  private static final long START_MS = 1_704_067_200_000L;

  /** None depends on the order of series, which the salt of the metric decides. */
  private static final List<String> EXPRESSIONS =
      List.of(
          "none:METRIC{sensor=s003}",
          "sum:METRIC",
          "sum:1m-avg:METRIC{sensor=*}",
          "max:1h-max:METRIC",
          "avg:rate:METRIC{sensor=s001}",
          "count:0all-sum-zero:METRIC{sensor=wildcard(s*)}");

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource({"0, 3", "1, 4", "2, 3"})
  void packedCellsAnswerAsCompactedOnesDo(int saltWidth, int uidWidth) throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    String name = "it-" + saltWidth + "-" + uidWidth;
    createTables(server, name);
    String settings =
        """
        tsd.core.auto_create_metrics = true
        tsd.storage.enable_compaction = false
        tsd.storage.hbase.zk_quorum = %1$s
        tsd.storage.hbase.data_table = %2$s
        tsd.storage.hbase.uid_table = %2$s-uid
        tsd.storage.hbase.meta_table = %2$s-meta
        tsd.storage.hbase.tree_table = %2$s-tree
        tsd.storage.salt.width = %3$d
        tsd.storage.salt.buckets = 5
        tsd.storage.uid.width.metric = %4$d
        tsd.storage.uid.width.tagk = %4$d
        tsd.storage.uid.width.tagv = %4$d
        """
            .formatted(server.zookeeperQuorum(), name, saltWidth, uidWidth);
    Path conf = Files.writeString(folder.resolve("opentsdb.conf"), settings);
    for (String cells : List.of("compacted", "packed")) {
      load(
          List.of("--zookeeper", server.zookeeperQuorum(), "--tsd-conf", conf.toString()),
          List.of("--metric", "it." + cells, "--cells", cells, "--sensors", "9", "--span", "3h"));
    }
    assertJobsStayInTheirStore(server, conf, name);
    List<String> expected = answers(TsdKind.STOCK, settings, "it.compacted");
    assertTrue(expected.get(0).length() > 100_000, expected.get(0));
    assertEquals(expected, answers(TsdKind.PATCHED, settings, "it.packed"));
  }

  /** Of the embedded store's tables, beside those that were loaded here. */
  private void assertJobsStayInTheirStore(EmbeddedServer server, Path conf, String name)
      throws Exception {
    Path lines = Files.writeString(folder.resolve("lines.txt"), "m 1356998400 1 host=a\n");
    String[] here = {"--tsd-conf", conf.toString()};
    String[] there = {"--dir", server.store().root().toString()};
    for (String[] store : List.of(here, there)) {
      run(server, ExitCode.OK, store, "load", "--job", name + store[0], lines.toString());
    }
    String job = name + here[0];
    Path others = Files.writeString(folder.resolve("others.txt"), "m 1356998400 2 host=a\n");
    for (List<String> command :
        List.of(
            List.of("job", "rollback", "--yes", job),
            List.of("verify", "--level", "counts", "--job", job),
            List.of("load", "--replace", job, others.toString()))) {
      String said = run(server, ExitCode.PREFLIGHT, there, command.toArray(String[]::new));
      assertTrue(said.contains("it was made for the store " + name), said);
    }
    rollBackStranger(server, here, job);
    run(server, ExitCode.OK, here, "verify", "--job", job);
    Files.writeString(lines, "m 1356998400 1 host=a\nm 1356998401 2 host=a\n");
    String said = run(server, ExitCode.PREFLIGHT, here, "verify", "--job", job);
    assertTrue(said.contains("lines.txt has changed since the job began"), said);
    run(server, ExitCode.OK, here, "verify", "--level", "counts", "--job", job);
  }

  /** A job of another cluster with the same tables, which has had the same loader id before. */
  private void rollBackStranger(EmbeddedServer server, String[] here, String job) throws Exception {
    JobFolder jobs = new JobFolder(folder.resolve("jobs"));
    JobFolder.Entry entry = jobs.look(job, JobShard.WHOLE);
    Manifest of = entry.manifest();
    LoaderId own = entry.history().loaders().get(0);
    Manifest manifest =
        new Manifest(
            of.v(),
            "stranger",
            of.shard(),
            of.shards(),
            of.created(),
            of.software(),
            of.command(),
            of.store(),
            of.settings(),
            List.of(),
            true);
    try (Job stranger = jobs.create(manifest)) {
      for (int minutes : new int[] {-1, 1}) {
        int id = own.id() + (minutes < 0 ? 0 : 1000);
        stranger.recording(() -> new LoaderId(id, own.stampMs() + minutes * 60_000L)).next();
      }
    }
    String said = run(server, ExitCode.OK, here, "job", "rollback", "--yes", "stranger");
    assertTrue(said.contains("0 cells of job stranger deleted"), said);
  }

  private String run(EmbeddedServer server, ExitCode expected, String[] store, String... command) {
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(List.of(store));
    if (!arguments.contains("--dir")) {
      arguments.addAll(List.of("--zookeeper", server.zookeeperQuorum()));
    }
    arguments.addAll(List.of("--jobs-dir", folder.resolve("jobs").toString()));
    return said(expected, arguments);
  }

  private List<String> answers(TsdKind kind, String settings, String metric) throws Exception {
    try (TsdFixture tsd = TsdFixture.start(kind, folder, settings)) {
      TsdClient client = new TsdClient(tsd.url());
      List<String> answers = new ArrayList<>();
      for (String expression : EXPRESSIONS) {
        byte[] answer =
            client.raw(
                START_MS + 777_000, START_MS + 10_000_000, expression.replace("METRIC", metric));
        answers.add(new String(answer, StandardCharsets.UTF_8).replace(metric, "METRIC"));
      }
      return answers;
    }
  }

  private static void createTables(EmbeddedServer server, String name) throws Exception {
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      create(admin, name, "t");
      create(admin, name + "-uid", "id", "name");
      create(admin, name + "-meta", "name");
      create(admin, name + "-tree", "t");
    }
  }

  private static void create(Admin admin, String name, String... families) throws Exception {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf(name));
    for (String family : families) {
      table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    admin.createTable(table.build());
  }

  private static void load(List<String> target, List<String> walk) {
    List<String> arguments = new ArrayList<>(List.of("loadtest", "fill"));
    arguments.addAll(target);
    arguments.addAll(walk);
    said(ExitCode.OK, arguments);
  }

  private static String said(ExitCode expected, List<String> arguments) {
    StringWriter said = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(arguments.toArray(String[]::new));
    assertEquals(expected.code(), code, said.toString());
    return said.toString();
  }
}
