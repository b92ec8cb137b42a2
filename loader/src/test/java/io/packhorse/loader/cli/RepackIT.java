package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.loader.summary.hbase.SummaryBuilder;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import io.packhorse.schema.table.StoreTables;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows of every kind are repacked; queries answer the same before, between and after. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RepackIT {
  private static final long START_MS = MixedRows.START_S * 1000;
  private static final long END_MS = START_MS + MixedRows.HOURS * 3_600_000L;
  private static final TableName DATA = TableName.valueOf(StoreTables.DATA);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedServer server;

  private record Ended(String out, String err) {
    JsonNode result() throws Exception {
      return new ObjectMapper().readTree(out).get("result");
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedStoreFixture.shared();
  }

  @Test
  void everyKindOfColumnBecomesOneCellAndNothingChanges() throws Exception {
    String metric = "it.repack.mixed";
    long annotations = mixed(metric, 35);
    Map<String, Map<Long, Double>> before = answers(metric);
    long points = before.values().stream().mapToLong(Map::size).sum();

    JsonNode planned =
        run(ExitCode.OK, "repack", "--metric", metric, "--margin", "0s", "--dry-run").result();
    assertEquals(points, planned.get("points").asLong());
    assertEquals(before, answers(metric));

    JsonNode packed = repack(ExitCode.OK, metric).result();
    for (String count : List.of("rows", "points", "columns", "column_bytes", "cells", "replaced")) {
      assertEquals(planned.get(count), packed.get(count), count);
    }
    assertTrue(packed.get("replaced").asLong() > 0, packed.toString());
    assertEquals(annotations, packed.get("annotations").asLong());
    assertEquals(0, packed.get("left").asLong());
    assertEquals(packed.get("rows"), packed.get("verified"));
    assertEquals("verified", packed.get("state").asText());
    assertEquals(before, answers(metric));
    String job = packed.get("job").asText();
    run(ExitCode.OK, "verify", "--job", job, "--level", "counts");
    assertSummariesAgree(metric);

    JsonNode done = run(ExitCode.OK, "job", "resume", job).result();
    assertEquals("repacked", done.get("state").asText());
    assertEquals(packed.get("columns"), done.get("deleted"));
    assertEquals(before, answers(metric));
    assertSummariesAgree(metric);
    run(ExitCode.OK, "verify", "--job", job, "--level", "counts");
    long left = 0;
    for (List<Cell> row : cells(metric)) {
      assertEquals(1, row.stream().filter(RepackIT::isPacked).count());
      assertFalse(row.stream().anyMatch(cell -> !isPacked(cell) && holdsPoints(cell)));
      left += row.size() - 1;
    }
    assertEquals(annotations, left);

    // What is packed cannot be taken back any more, and there is nothing left to do.
    Ended refused = runText(ExitCode.PREFLIGHT, "job", "rollback", job, "--yes");
    assertTrue(refused.err().contains("cannot be rolled back: columns that"), refused.err());
    runText(ExitCode.PREFLIGHT, "job", "resume", job);
    JsonNode again = repack(ExitCode.OK, metric).result();
    assertEquals(0, again.get("points").asLong());
    assertTrue(again.get("as_before").asLong() > 0);
  }

  @Test
  void liveAndLatePointsStayAndWin() throws Exception {
    String metric = "it.repack.live";
    mixed(metric, 7);
    JsonNode packed = repack(ExitCode.OK, metric).result();
    assertEquals("verified", packed.get("state").asText());
    Map<String, Map<Long, Double>> expected = answers(metric);
    String series = expected.keySet().iterator().next();
    List<Long> times = new ArrayList<>(series(expected, series).keySet());
    String host = series.substring(series.indexOf("host=") + 5).split("[,}]", -1)[0];
    String rack = series.contains("rack=r") ? ",\"rack\":\"r\"" : "";
    // A time that is there, and one that is not.
    for (long time : new long[] {times.get(0), times.get(times.size() / 2) + 1}) {
      put(
          "{\"metric\":\"%s\",\"timestamp\":%d,\"value\":-77,\"tags\":{\"host\":\"%s\"%s}}"
              .formatted(metric, time, host, rack));
      series(expected, series).put(time, -77.0);
    }
    List<String> late = new ArrayList<>();
    for (long time : times.subList(times.size() - 5, times.size())) {
      late.add(metric + " " + time + " -88.5 host=" + host + (rack.isEmpty() ? "" : " rack=r"));
      series(expected, series).put(time, -88.5);
    }
    load(late);
    assertEquals(expected, answers(metric));
    run(ExitCode.OK, "job", "resume", packed.get("job").asText());
    assertEquals(expected, answers(metric));
    assertSummariesAgree(metric);

    // Once more: the live and late columns join their cells.
    JsonNode again =
        run(
                ExitCode.OK,
                "repack",
                "--metric",
                metric,
                "--delete",
                "--margin",
                "0s",
                "--query-timeout",
                "0s",
                "--rate",
                "1000000")
            .result();
    assertEquals("repacked", again.get("state").asText());
    assertTrue(again.get("rows").asLong() >= 2, again.toString());
    assertEquals(expected, answers(metric));
    assertSummariesAgree(metric);
    assertTrue(
        cells(metric).stream()
            .allMatch(row -> row.stream().filter(RepackIT::isPacked).count() == 1));
  }

  @Test
  void itCanBeRolledBackUntilColumnsAreDeleted() throws Exception {
    String metric = "it.repack.back";
    mixed(metric, 11);
    Map<String, Map<Long, Double>> before = answers(metric);
    int columns = cells(metric).stream().mapToInt(List::size).sum();
    String job = repack(ExitCode.OK, metric).result().get("job").asText();
    runText(ExitCode.OK, "job", "rollback", job, "--yes");
    assertEquals(before, answers(metric));
    assertEquals(columns, cells(metric).stream().mapToInt(List::size).sum());
    assertSummariesAgree(metric);
    runText(ExitCode.PREFLIGHT, "job", "resume", job);
  }

  @Test
  void theShardsOfAJobAreTheWhole() throws Exception {
    String metric = "it.repack.shards";
    mixed(metric, 17);
    Map<String, Map<Long, Double>> before = answers(metric);
    String[] hours = {
      "--from", Long.toString(MixedRows.START_S), "--before", Long.toString(END_MS / 1000)
    };
    JsonNode whole = repack(ExitCode.OK, metric, hours, "--dry-run").result();
    String[] shards = {"1/3", "2/3", "3/3"};
    Map<String, Long> sums = new TreeMap<>();
    for (String shard : shards) {
      JsonNode part =
          repack(ExitCode.OK, metric, hours, "--job", "shards", "--shard", shard).result();
      for (String count : List.of("rows", "points", "columns", "column_bytes", "cell_bytes")) {
        sums.merge(count, part.get(count).asLong(), Long::sum);
      }
      assertTrue(part.get("rows").asLong() > 0, part.toString());
    }
    sums.forEach((count, sum) -> assertEquals(whole.get(count).asLong(), sum, count));
    assertEquals(before, answers(metric));

    run(ExitCode.OK, "job", "resume", "shards", "--shard", "2/3");
    // One shard has deleted columns: its cells alone have their points.
    Ended refused = runText(ExitCode.PREFLIGHT, "job", "rollback", "shards", "--yes");
    assertTrue(refused.err().contains("cannot be rolled back: columns that"), refused.err());
    JsonNode rest = run(ExitCode.OK, "job", "resume", "shards").result().get("shards");
    assertEquals(2, rest.size(), rest.toString());
    rest.forEach(part -> assertEquals("repacked", part.get("state").asText()));
    runText(ExitCode.PREFLIGHT, "job", "resume", "shards");
    assertEquals(before, answers(metric));
    assertSummariesAgree(metric);
    assertTrue(
        cells(metric).stream()
            .allMatch(row -> row.stream().filter(RepackIT::isPacked).count() == 1));

    Ended noJob = runText(ExitCode.USAGE, "repack", "--shard", "1/2", "--before", "2024-01-02");
    assertTrue(noJob.err().contains("--shard needs --job"), noJob.err());
  }

  @Test
  void aDryRunOfManyHoursReadsSomeOfThem() throws Exception {
    String metric = "it.repack.sampled";
    List<String> lines = new ArrayList<>();
    int hours = 400;
    for (int hour = 0; hour < hours; hour++) {
      for (int i = 0; i < 10 + hour % 7; i++) {
        lines.add(metric + " " + (MixedRows.START_S + hour * 3600L + i) + " " + i + " host=a");
      }
    }
    load(lines, "--cells", "compacted", "--sink", "puts");
    String[] sampled = {"--dry-run", "--sample", "100"};
    JsonNode some = repack(ExitCode.OK, metric, sampled).result();
    JsonNode all =
        repack(ExitCode.OK, metric, new String[] {"--dry-run", "--sample", "0"}).result();
    assertEquals(lines.size(), all.get("points").asLong());
    assertTrue(all.get("sampled_hours").isNull(), all.toString());
    assertEquals(100, some.get("sampled_hours").asInt());
    assertEquals(hours, some.get("hours").asInt());
    assertEquals(hours, some.get("rows").asInt());
    for (String count : List.of("points", "column_bytes", "cell_bytes")) {
      long off = Math.abs(some.get(count).asLong() - all.get(count).asLong());
      long within = some.get(count + "_within").asLong();
      assertTrue(off <= within && within < all.get(count).asLong() / 10, count + some + all);
    }
    Ended told = runText(ExitCode.OK, "repack", "--metric", metric, "--dry-run", "--margin", "0s");
    assertTrue(told.out().contains("sampled   200 of 400 hours"), told.out());
    assertTrue(told.out().contains("points within "), told.out());
  }

  @Test
  void hoursWithABrokenColumnStayAsTheyAre() throws Exception {
    String metric = "it.repack.broken";
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 3 * 3600; i += 60) {
      lines.add(metric + " " + (MixedRows.START_S + i) + " " + i + " host=a");
    }
    load(lines);
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(DATA)) {
      for (byte[] row : MixedRows.rows(cluster, metric)) {
        table.put(new Put(row).addColumn(MixedRows.POINTS, new byte[] {0, 0x10}, new byte[] {9}));
      }
      byte[] second = MixedRows.rows(cluster, metric).get(1);
      table.put(
          new Put(second).addColumn(MixedRows.POINTS, new byte[] {0, 0, 0, 0x10}, new byte[1]));
      try {
        List<List<Cell>> before = cells(metric);
        Ended ended =
            runText(
                ExitCode.REJECTS,
                "repack",
                "--metric",
                metric,
                "--delete",
                "--margin",
                "0s",
                "--query-timeout",
                "0s");
        assertTrue(ended.out().contains("LEFT      1 series-hour stays as it is"), ended.out());
        assertTrue(ended.out().contains("t:00000010"), ended.out());
        List<List<Cell>> after = cells(metric);
        assertEquals(1, after.get(0).size());
        assertEquals(before.get(1).toString(), after.get(1).toString());
        assertEquals(1, after.get(2).size());
        Path left = Path.of(ended.out().split("see ", -1)[1].split(":\n", -1)[0]);
        assertEquals(1, Files.readAllLines(left).size(), left.toString());
      } finally {
        table.delete(new org.apache.hadoop.hbase.client.Delete(second));
      }
    }
  }

  /**
   * Each region splits while its rows are packed, and again while they are verified and deleted.
   */
  @Test
  void aTableThatSplitsIsRepackedWhole() throws Exception {
    // A store of its own: that of the other tests keeps its regions.
    StoreDirectory store = StoreDirectory.open(folder.resolve("store"));
    server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    try {
      repackWhileItSplits("it.repack.split");
    } finally {
      EmbeddedServer.stop(store);
    }
  }

  private void repackWhileItSplits(String metric) throws Exception {
    mixed(metric, 23);
    Map<String, Map<Long, Double>> before = answers(metric);
    long points = before.values().stream().mapToLong(Map::size).sum();
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      List<byte[]> rows = MixedRows.rows(cluster, metric);
      // Tables of schema create do not split by themselves, but their owners may let them.
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(DATA))
              .setRegionSplitPolicyClassName(ConstantSizeRegionSplitPolicy.class.getName())
              .build());
      int regions = admin.getRegions(DATA).size();
      String[] slowly = {"--delete", "--rate", Long.toString(points / 3)};
      FutureTask<JsonNode> repack =
          new FutureTask<>(() -> repack(ExitCode.OK, metric, slowly).result());
      new Thread(repack, "repack").start();
      int splits = 0;
      for (byte[] at : middles(cluster, rows)) {
        TimeUnit.MILLISECONDS.sleep(500);
        if (!repack.isDone()) {
          split(cluster, admin, at);
          splits++;
        }
      }
      JsonNode done = repack.get();
      assertTrue(splits > 1, "the repack is too fast for this test");
      assertEquals(regions + splits, admin.getRegions(DATA).size());
      assertEquals("repacked", done.get("state").asText());
      assertEquals(done.get("rows"), done.get("verified"));
      assertEquals(points, done.get("points").asLong());
    }
    assertEquals(before, answers(metric));
    assertSummariesAgree(metric);
    assertTrue(
        cells(metric).stream()
            .allMatch(row -> row.stream().filter(RepackIT::isPacked).count() == 1));
  }

  /** For each region, one of the rows in it. */
  private static List<byte[]> middles(Cluster cluster, List<byte[]> rows) throws Exception {
    Map<String, List<byte[]>> ofRegion = new TreeMap<>();
    try (RegionLocator regions = cluster.connection().getRegionLocator(DATA)) {
      for (byte[] row : rows) {
        String region = regions.getRegionLocation(row).getRegion().getEncodedName();
        ofRegion.computeIfAbsent(region, of -> new ArrayList<>()).add(row);
      }
    }
    return ofRegion.values().stream()
        .filter(of -> of.size() > 1)
        .map(of -> of.get(of.size() / 2))
        .toList();
  }

  private static void split(Cluster cluster, Admin admin, byte[] at) throws Exception {
    try (RegionLocator regions = cluster.connection().getRegionLocator(DATA)) {
      byte[] region = regions.getRegionLocation(at, true).getRegion().getRegionName();
      admin.splitRegionAsync(region, at).get(1, TimeUnit.MINUTES);
    }
  }

  /**
   * A repack that is killed while it builds summaries leaves a claim, which its resume takes over.
   */
  @Test
  void theResumedRepackBuildsTheSummariesThatADeadOneBegan() throws Exception {
    String metric = "it.repack.builder";
    mixed(metric, 41);
    assertEquals(
        "verified", repack(ExitCode.OK, metric, "--job", "builder").result().get("state").asText());
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null)) {
      LoaderId loader =
          new JobFolder(server.store().jobs())
              .look("builder", JobShard.WHOLE)
              .history()
              .loaders()
              .get(0);
      HBaseClaims claims = new HBaseClaims(cluster.connection(), StoreTables.DATA);
      claims.putOther(SummaryBuilder.numberOf(loader), SummaryClaim.ofAll(Reason.NOT_SUMMARISED));
      JsonNode done = run(ExitCode.OK, "job", "resume", "builder").result();
      assertEquals("repacked", done.get("state").asText());
      assertTrue(done.get("deleted_cells").asLong() > 0, done.toString());
      assertEquals(List.of(), claims.read().claims());
    }
    assertSummariesAgree(metric);
  }

  /** A table that takes no writes refuses them as it does those of a user without permission. */
  @Test
  void withoutPermissionItStopsAndGoesOnLater() throws Exception {
    String metric = "it.repack.forbidden";
    mixed(metric, 29);
    Map<String, Map<Long, Double>> before = answers(metric);
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      setReadOnly(admin, true);
      try {
        Ended refused = repack(ExitCode.CLUSTER, metric, "--job", "forbidden");
        assertTrue(refused.err().contains("read only"), refused.err());
        assertTrue(refused.err().contains("packhorse job resume forbidden"), refused.err());
        assertEquals(before, answers(metric));
      } finally {
        setReadOnly(admin, false);
      }
      JsonNode packed = run(ExitCode.OK, "job", "resume", "forbidden").result();
      assertEquals("verified", packed.get("state").asText());
      setReadOnly(admin, true);
      try {
        Ended refused = runText(ExitCode.CLUSTER, "job", "resume", "forbidden");
        assertTrue(refused.err().contains("read only"), refused.err());
        assertEquals(before, answers(metric));
      } finally {
        setReadOnly(admin, false);
      }
    }
    JsonNode done = run(ExitCode.OK, "job", "resume", "forbidden").result();
    assertEquals("repacked", done.get("state").asText());
    assertEquals(before, answers(metric));
    assertSummariesAgree(metric);
  }

  private static void setReadOnly(Admin admin, boolean is) throws Exception {
    TableDescriptor table = admin.getDescriptor(DATA);
    admin.modifyTable(TableDescriptorBuilder.newBuilder(table).setReadOnly(is).build());
  }

  @Test
  void mistakesAndLoadsBesideAreTold() throws Exception {
    String metric = "it.repack.refused";
    load(List.of(metric + " " + MixedRows.START_S + " 1 host=a"));
    String start = Long.toString(MixedRows.START_S + 60);
    String end = Long.toString(MixedRows.START_S + 3600);
    Ended ended = runText(ExitCode.USAGE, "repack", "--from", start, "--before", end);
    assertTrue(ended.err().contains("No whole hour lies between"), ended.err());
    ended = runText(ExitCode.USAGE, "repack", "--metric", "it.repack.none");
    assertTrue(ended.err().contains("The store has no metric it.repack.none"), ended.err());
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null)) {
      HBaseClaims claims = new HBaseClaims(cluster.connection(), StoreTables.DATA);
      claims.put(
          4_000_000,
          new SummaryClaim(
              SummaryClaim.Reason.WRITING,
              MixedRows.START_S,
              MixedRows.START_S + 86_400,
              List.of()));
      try {
        ended = runText(ExitCode.PREFLIGHT, "repack", "--metric", metric);
        assertTrue(ended.err().contains("loader 4000000 is writing or deleting"), ended.err());
        run(
            ExitCode.OK,
            "repack",
            "--metric",
            metric,
            "--before",
            Long.toString(MixedRows.START_S));
      } finally {
        claims.remove(4_000_000);
      }
    }
  }

  /** Rows of every kind; returns how many annotations there are. */
  private long mixed(String metric, long seed) throws Exception {
    MixedRows rows = new MixedRows(server, new SplittableRandom(seed));
    load(rows.lines(metric, 0, 6), "--sink", "puts");
    load(rows.lines(metric, 3, 8), "--sink", "hfiles");
    load(rows.lines(metric, 5, 9), "--sink", "puts", "--cells", "compacted");
    long annotations = rows.addPlainColumns(metric);
    return annotations;
  }

  private Ended repack(ExitCode expected, String metric, String... options) {
    return repack(expected, metric, options, new Object[0]);
  }

  private Ended repack(ExitCode expected, String metric, String[] options, Object... more) {
    List<Object> all = new ArrayList<>(List.of("repack", "--metric", metric));
    all.addAll(List.of("--margin", "0s", "--query-timeout", "0s"));
    all.addAll(List.of(options));
    all.addAll(List.of(more));
    return run(expected, all.toArray());
  }

  private void assertSummariesAgree(String metric) {
    Ended ended = runText(ExitCode.OK, "summary", "verify", "--metric", metric);
    assertTrue(ended.out().contains("all agree"), ended.out());
  }

  private static Map<Long, Double> series(Map<String, Map<Long, Double>> answers, String series) {
    return answers.computeIfAbsent(series, missing -> new TreeMap<>());
  }

  private static boolean isPacked(Cell cell) {
    return CellUtil.matchingFamily(cell, MixedRows.PACKED);
  }

  private static boolean holdsPoints(Cell cell) {
    return CompactedCell.matches(CellUtil.cloneQualifier(cell));
  }

  private List<List<Cell>> cells(String metric) throws Exception {
    List<List<Cell>> cells = new ArrayList<>();
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(DATA)) {
      for (byte[] row : MixedRows.rows(cluster, metric)) {
        cells.add(List.of(table.get(new Get(row)).rawCells()));
      }
    }
    return cells;
  }

  private Map<String, Map<Long, Double>> answers(String metric) throws Exception {
    TsdClient tsd = new TsdClient(server.tsd(TsdKind.PATCHED).orElseThrow().url());
    Map<String, Map<Long, Double>> answers = new TreeMap<>();
    for (TsdClient.Series series : tsd.parse(tsd.raw(START_MS, END_MS, "none:" + metric))) {
      answers.put(new TreeMap<>(series.tags()).toString(), new TreeMap<>(series.points()));
    }
    return answers;
  }

  private void put(String json) throws Exception {
    URI tsd = server.tsd(TsdKind.PATCHED).orElseThrow().url();
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(tsd.resolve("/api/put?sync"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(json))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertTrue(answer.statusCode() / 100 == 2, answer.body());
  }

  private void load(List<String> lines, Object... arguments) throws Exception {
    Path file = Files.write(Files.createTempFile(folder, "lines", ".txt"), lines);
    List<Object> all = new ArrayList<>(List.of("load", "--max-rejects", "0"));
    all.addAll(List.of(arguments));
    all.add(file);
    runAny(List.of(ExitCode.OK, ExitCode.REPLACED), all);
  }

  private Ended run(ExitCode expected, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    return runAny(List.of(expected), all);
  }

  private Ended runText(ExitCode expected, Object... arguments) {
    return runAny(List.of(expected), List.of(arguments));
  }

  private Ended runAny(List<ExitCode> expected, List<Object> arguments) {
    List<String> all = new ArrayList<>(arguments.stream().map(Object::toString).toList());
    all.addAll(List.of("--dir", server.store().root().toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    assertTrue(
        expected.stream().anyMatch(each -> each.code() == code), () -> code + ": " + out + err);
    return new Ended(out.toString(), err.toString());
  }
}
