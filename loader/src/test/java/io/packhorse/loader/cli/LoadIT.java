package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.schema.table.StoreTables;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that load, end to end: real HBase, real TSDs, a store of each test's own. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class LoadIT {
  private static final long START_MS = 1_704_067_200_000L;
  private static final long HOUR_MS = 3_600_000;

  private static final List<String> EXPRESSIONS =
      List.of(
          "none:it.walk{sensor=s003}",
          "sum:it.walk",
          "sum:1m-avg:it.walk",
          "max:1h-max:it.walk{sensor=*}",
          "sum:rate:it.walk{sensor=s001|s002}",
          "p95:10m-p99:it.walk",
          "dev:7m-count-zero:it.walk");

  @TempDir private Path folder = Path.of("");
  private StoreDirectory store = new StoreDirectory(Path.of(""));
  private String lastOutput = "";
  private String lastErrors = "";

  @BeforeEach
  void openStore() throws Exception {
    store = StoreDirectory.open(folder.resolve("store"));
  }

  @AfterEach
  void stopStore() throws Exception {
    EmbeddedServer.stop(store);
  }

  @Test
  void packedCellsAnswerByteForByteAsCompactedOnesDo() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.allOf(TsdKind.class));
    List<String> walk = List.of("--metric", "it.walk", "--sensors", "8", "--span", "5h");
    run(ExitCode.OK, "loadtest", walk, "run", "--cells", "compacted");
    List<String> stock = answers(server, TsdKind.STOCK);
    assertEquals(stock, answers(server, TsdKind.PATCHED), "compacted cells, patched TSD");

    truncateData(server);
    run(ExitCode.OK, "loadtest", walk, "run", "--cells", "packed");
    assertEquals(stock, answers(server, TsdKind.PATCHED), "packed cells");
    assertFalse(stock.equals(answers(server, TsdKind.STOCK)), "a stock TSD must not see them");
    run(ExitCode.OK, "verify", walk);
    run(ExitCode.VERIFICATION, "verify", walk, "--seed", "2");
    assertTrue(lastOutput.contains("FAILED"), lastOutput);
  }

  @Test
  void aLoadCutOffByTheDeathOfHBaseCanBeRunAgain() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    List<String> much = List.of("--metric", "it.cut", "--sensors", "8", "--span", "2000d");
    CompletableFuture<Integer> load =
        CompletableFuture.supplyAsync(() -> execute("loadtest", much, "run"));
    long before = store.hbaseBytes();
    while (store.hbaseBytes() < before + (8 << 20)) {
      assertFalse(load.isDone(), "the load ended before anything was stored: " + lastErrors);
      TimeUnit.MILLISECONDS.sleep(50);
    }
    ProcessHandle hbase = ProcessHandle.of(server.hbase().pid()).orElseThrow();
    assertTrue(hbase.destroyForcibly());
    assertEquals(ExitCode.CLUSTER.code(), load.get(3, TimeUnit.MINUTES), lastErrors);
    assertTrue(lastErrors.contains("points were acknowledged and are safe"), lastErrors);
    EmbeddedServer.stop(store);

    List<String> walk = List.of("--metric", "it.cut", "--sensors", "8", "--span", "2d");
    run(ExitCode.OK, "loadtest", walk, "run");
    run(ExitCode.OK, "verify", walk, "--json");
    JsonNode verified = new ObjectMapper().readTree(lastOutput).get("result");
    assertTrue(verified.get("passed").asBoolean(), lastOutput);
    assertTrue(
        verified.get("columns").asLong() > verified.get("rows").asLong(),
        "rows of both loads lie beside each other: " + lastOutput);
  }

  @Test
  void aRegionThatIsAwayForAWhileCostsNoPoints() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    List<String> walk = List.of("--metric", "it.move", "--sensors", "32", "--span", "10d");
    long before = store.hbaseBytes();
    CompletableFuture<Integer> load =
        CompletableFuture.supplyAsync(() -> execute("loadtest", walk, "run", "--rate", "3000000"));
    while (store.hbaseBytes() < before + (2 << 20)) {
      assertFalse(load.isDone(), "the load ended before anything was stored: " + lastErrors);
      TimeUnit.MILLISECONDS.sleep(20);
    }
    TableName data = TableName.valueOf(StoreTables.DATA);
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      RegionInfo region = admin.getRegions(data).get(0);
      admin.unassign(region.getRegionName());
      // Longer than the load takes to gather a call for it.
      TimeUnit.SECONDS.sleep(4);
      admin.assign(region.getRegionName());
      assertFalse(load.isDone(), () -> "it ended before the region was back: " + lastErrors);
      assertEquals(ExitCode.OK.code(), load.get(3, TimeUnit.MINUTES), lastErrors);
    }
    run(ExitCode.OK, "verify", walk);
    String job = new JobFolder(store.jobs()).list().jobs().get(0).manifest().id();
    Path report = store.jobs().resolve(job).resolve("report.html");
    assertTrue(Files.readString(report).contains(" rows were put again"), lastErrors);
  }

  @Test
  void linesOfAFileComeBackThroughTheTsd() throws Exception {
    Path lines = folder.resolve("lines.txt");
    Files.writeString(
        lines,
        """
        it.file 1704067200 42 host=a
        it.file 1704067201 -1.5 host=a
        it.file 1704067201500 7 host=a
        it.file nonsense 1 host=a
        it.file 1704070800 0.1 host=a dc=x
        it.file 1704067199 1 host=a
        """,
        StandardCharsets.US_ASCII);
    Path rejects = folder.resolve("rejects.tsv");
    run(ExitCode.REJECTS, "load", List.of("--rejects", rejects.toString()), lines.toString());
    assertTrue(lastErrors.contains("1 line or field is not in the store"), lastErrors);
    assertTrue(Files.readString(rejects).contains("lines.txt\t4\t"), Files.readString(rejects));

    TsdClient tsd = new TsdClient(EmbeddedServer.current(store).tsdUrl());
    List<TsdClient.Series> answer =
        tsd.parse(tsd.raw(START_MS - HOUR_MS, START_MS + 2 * HOUR_MS, "none:it.file"));
    assertEquals(2, answer.size());
    for (TsdClient.Series series : answer) {
      Map<Long, Double> expected =
          series.tags().containsKey("dc")
              ? Map.of(1_704_070_800_000L, 0.1)
              : Map.of(
                  1_704_067_199_000L,
                  1.0,
                  1_704_067_200_000L,
                  42.0,
                  1_704_067_201_000L,
                  -1.5,
                  1_704_067_201_500L,
                  7.0);
      assertEquals(expected, series.points());
    }
  }

  @Test
  void hFilesAnswerAsPutsDo() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    List<String> walk = List.of("--metric", "it.walk", "--sensors", "8", "--span", "5h");
    run(ExitCode.OK, "loadtest", walk, "run");
    List<String> puts = answers(server, TsdKind.PATCHED);
    truncateData(server);
    run(ExitCode.OK, "loadtest", walk, "run", "--sink", "hfiles");
    run(ExitCode.OK, "verify", walk);
    assertEquals(puts, answers(server, TsdKind.PATCHED));

    run(ExitCode.OK, "loadtest", walk, "run", "--sink", "hfiles", "--threads", "9");
    run(ExitCode.OK, "verify", walk, "--json");
    JsonNode verified = new ObjectMapper().readTree(lastOutput).get("result");
    assertEquals(2 * verified.get("rows").asLong(), verified.get("columns").asLong());
    assertEquals(puts, answers(server, TsdKind.PATCHED), "loaded twice");

    truncateData(server);
    run(ExitCode.OK, "loadtest", walk, "run", "--sink", "hfiles", "--cells", "compacted");
    assertEquals(puts, answers(server, TsdKind.PATCHED), "compacted cells");
  }

  @Test
  void linesInAnyOrderAnswerAsHFilesAsTheyDoAsPuts() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    List<String> lines = new java.util.ArrayList<>();
    SplittableRandom random = new SplittableRandom(5);
    for (int second = 0; second < 4 * 3600; second += 20) {
      for (int sensor = 0; sensor < 9; sensor++) {
        lines.add(
            String.format(
                "it.walk %d %d sensor=s%03d",
                START_MS / 1000 + second, random.nextInt(1000), sensor));
      }
    }
    Collections.shuffle(lines, new Random(6));
    Path file = folder.resolve("shuffled.txt");
    Files.write(file, lines, StandardCharsets.US_ASCII);
    run(ExitCode.OK, "load", List.of(), file.toString());
    List<String> puts = answers(server, TsdKind.PATCHED);
    truncateData(server);
    String job = new JobFolder(store.jobs()).list().jobs().get(0).manifest().id();
    run(ExitCode.OK, "load", List.of("--sink", "hfiles", "--replace", job), file.toString());
    assertTrue(lastOutput.contains("acknowledged 6,480"), lastOutput);
    assertEquals(puts, answers(server, TsdKind.PATCHED));
  }

  @Test
  void theDemoProvesItselfAndDoesNotLoadTwice() throws Exception {
    run(ExitCode.OK, "demo", List.of("--span", "1d"), "--exit");
    String report = Files.readString(store.root().resolve("report.html"));
    assertTrue(report.contains("every point: 11,059,200 of 11,059,200 points"), report);
    assertTrue(lastOutput.contains("11,059,200 of 11,059,200 points equal"), lastOutput);
    assertEquals(4, lastOutput.lines().filter(line -> line.endsWith("  equal")).count());
    run(ExitCode.OK, "demo", List.of("--span", "1d"), "--exit");
    assertTrue(lastOutput.contains("not loaded again"), lastOutput);
    run(ExitCode.USAGE, "demo", List.of("--span", "2d"), "--exit");
    assertTrue(lastErrors.contains("already holds a demo of 1 day;"), lastErrors);
  }

  @Test
  void aClusterIsNotGuessedAt() throws Exception {
    run(ExitCode.USAGE, "loadtest", List.of(), "run", "--zookeeper", "127.0.0.1:1");
    assertTrue(lastErrors.contains("--tsd-conf"), lastErrors);
    Path conf = folder.resolve("opentsdb.conf");
    Files.writeString(conf, "tsd.storage.enable_compaction = true\n");
    run(
        ExitCode.PREFLIGHT,
        "loadtest",
        List.of("--tsd-conf", conf.toString()),
        "run",
        "--zookeeper",
        "127.0.0.1:1");
    assertTrue(lastErrors.contains("enable_compaction"), lastErrors);
  }

  private List<String> answers(EmbeddedServer server, TsdKind kind) throws Exception {
    TsdClient tsd = new TsdClient(server.tsd(kind).orElseThrow().url());
    long end = START_MS + 4 * HOUR_MS + 1_234_567;
    List<String> answers = new java.util.ArrayList<>();
    for (String expression : EXPRESSIONS) {
      answers.add(new String(tsd.raw(START_MS + 777_000, end, expression), StandardCharsets.UTF_8));
    }
    return answers;
  }

  private static void truncateData(EmbeddedServer server) throws Exception {
    TableName data = TableName.valueOf(StoreTables.DATA);
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      admin.disableTable(data);
      admin.truncateTable(data, true);
    }
  }

  private void run(ExitCode expected, String command, List<String> options, String... more) {
    int code = execute(command, options, more);
    assertEquals(expected.code(), code, lastOutput + lastErrors);
  }

  private int execute(String command, List<String> options, String... more) {
    List<String> arguments = new java.util.ArrayList<>(List.of(command));
    arguments.addAll(List.of(more));
    arguments.addAll(options);
    if (!arguments.contains("--zookeeper")) {
      arguments.addAll(List.of("--dir", store.root().toString()));
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments.toArray(String[]::new));
    lastOutput = out.toString();
    lastErrors = err.toString();
    return code;
  }
}
