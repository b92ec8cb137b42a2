package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.ServerOptions;
import io.packhorse.loader.store.TsdFixture;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.uid.UidWidths;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries that use summaries are answered as those that read all cells, whatever else is stored:
 * cells of several loads in one hour, late parts, live points, gaps, doubles, integers, NaN.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class SummaryQueryIT {
  private static final long START_S = 1_704_067_200;
  private static final int DAYS = 70;
  private static final int HOSTS = 24;
  private static final int QUERIES = Integer.getInteger("packhorse.queries", 150);
  private static final long SEED = Long.getLong("packhorse.queries.seed", 8);
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(
          UidWidths.DEFAULT,
          new SaltFunction(ServerOptions.SALT_WIDTH, ServerOptions.SALT_BUCKETS));

  /** Those of a calendar end in c; New York changes its clocks in these days. */
  private static final String[] INTERVALS = {
    "1h", "2h", "3h", "1d", "1d", "2d", "7d", "0all", "0all", "0all", "30m", "1dc", "1dc", "2dc",
    "1wc", "1nc", "1hc"
  };

  private static final String DENSE = "it.summary.dense";
  private static final String SPARSE = "it.summary.sparse";

  private final ObjectMapper json = new ObjectMapper();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private EmbeddedServer server;
  private TsdRequests tsd;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedStoreFixture.shared();
    tsd = new TsdRequests(server.tsdUrl());
  }

  @Test
  void answersAreThoseOfCells() throws Exception {
    run(
        "loadtest fill --dir %s --metric %s --sensors 5 --interval 10s --span %dd --start %d"
            .formatted(server.store().root(), DENSE, DAYS, START_S));
    Random random = new Random(SEED);
    load("hfiles", lines(random, 0, DAYS, 0, HOSTS));
    // A second load of some of the same hours, and of hours between.
    load("puts", lines(random, 20, 24, 3, 8));
    putLive(random);
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null)) {
      StoredSummaries summaries = new StoredSummaries(cluster.connection(), LAYOUT);
      if (!summaries.isMarked()) {
        // Another test has stored cells of its own before the first load.
        summaries.build();
      }
      long failed = summaries("failed");
      List<ObjectNode> queries = new ArrayList<>();
      for (int i = 0; i < QUERIES; i++) {
        queries.add(query(random));
      }
      long before = summaries("used");
      List<JsonNode> answers = new ArrayList<>();
      for (ObjectNode query : queries) {
        answers.add(tsd.query(query));
      }
      assertTrue(summaries("used") - before > QUERIES / 2, "queries that use summaries");
      assertEquals(failed, summaries("failed"), "summaries that could not be used");
      summaries.mark(false);
      try {
        before = summaries("used");
        for (int i = 0; i < QUERIES; i++) {
          JsonNode cells = tsd.query(queries.get(i));
          assertSame(cells, answers.get(i), queries.get(i));
          answers.set(i, cells);
        }
        assertEquals(before, summaries("used"), "without the mark none uses them");
      } finally {
        summaries.mark(true);
      }
      claimsAndDamage(summaries, queries, answers);
    }
    assertNothingIsKept();
  }

  /** OpenTSDB keeps the last 256 queries for its statistics, but not what they have read. */
  private void assertNothingIsKept() throws Exception {
    long tsdProcess = server.tsd(TsdKind.PATCHED).orElseThrow().process().pid();
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String kept = "";
    for (int i = 0; i < 20; i++) {
      Process process =
          new ProcessBuilder(jcmd, Long.toString(tsdProcess), "GC.class_histogram").start();
      List<String> lines = process.inputReader().lines().toList();
      assertTrue(lines.size() > 100, lines::toString);
      kept =
          lines.stream()
              .filter(line -> line.matches(".*core\\.(SummaryBuckets|SeriesFolds\\$\\w+)"))
              .collect(Collectors.joining("\n"));
      if (kept.isEmpty()) {
        return;
      }
      // The last answer may still be on its way.
      TimeUnit.MILLISECONDS.sleep(500);
    }
    assertEquals("", kept);
  }

  @Test
  void deletedRowsAreInNoAnswer() throws Exception {
    String metric = "it.summary.deleted";
    load("puts", lines(metric, new Random(3), 0, 40, 0, 3));
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        TsdFixture deleting = TsdFixture.startDeleting(server, folder)) {
      StoredSummaries summaries = new StoredSummaries(cluster.connection(), LAYOUT);
      summaries.build();
      ObjectNode query = json.createObjectNode();
      query.put("start", START_S).put("end", START_S + 40 * 86_400 - 1);
      ObjectNode part = query.putArray("queries").addObject();
      part.put("metric", metric).put("aggregator", "sum").put("downsample", "0all-count");
      long used = summaries("used");
      assertEquals(40 * 72 * 3, count(query));
      ObjectNode delete = query.deepCopy().put("delete", true);
      delete.put("start", START_S + 86_400).put("end", START_S + 3 * 86_400 - 1);
      new TsdRequests(deleting.url()).post("/api/query", delete);
      // OpenTSDB deletes the row after the last one too, and answers before all are deleted.
      long left = (40 * 24 - 49) * 3 * 3;
      while (count(query) > left) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
      assertEquals(left, count(query));
      summaries.mark(false);
      assertEquals(left, count(query));
      summaries.mark(true);
      summaries.build();
      assertEquals(left, count(query));
      assertTrue(summaries("used") > used);
    }
  }

  /**
   * Half of the series have cells of two loads, so their hours are scanned. The scan also returns
   * rows of the other half, which summaries have answered for; these must not count again.
   */
  @Test
  void scannedHoursCountOnceForSeriesWhoseSummariesAnswer() throws Exception {
    String metric = "it.summary.half";
    int hosts = 200;
    load("puts", lines(metric, new Random(4), 0, 4, 0, hosts));
    load("puts", lines(metric, new Random(4), 1, 2, 0, hosts / 2));
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null)) {
      StoredSummaries summaries = new StoredSummaries(cluster.connection(), LAYOUT);
      summaries.build();
      List<ObjectNode> queries = new ArrayList<>();
      for (String downsample : List.of("0all-count", "0all-sum", "1d-count", "1d-avg", "2h-max")) {
        for (String filter : List.of("", ">=100")) {
          ObjectNode query = json.createObjectNode();
          query.put("start", START_S).put("end", START_S + 4 * 86_400 - 1);
          ObjectNode part = query.putArray("queries").addObject();
          part.put("metric", metric).put("aggregator", "none").put("downsample", downsample);
          if (!filter.isEmpty()) {
            part.put("valueFilter", filter);
          }
          queries.add(query);
        }
      }
      assertEquals(4 * 72, count(queries.get(0)));
      long used = summaries("used");
      List<JsonNode> answers = new ArrayList<>();
      for (ObjectNode query : queries) {
        answers.add(tsd.query(query));
      }
      assertTrue(summaries("used") - used > queries.size() / 2, "queries that use summaries");
      summaries.mark(false);
      try {
        for (int i = 0; i < queries.size(); i++) {
          JsonNode cells = tsd.query(queries.get(i));
          assertEquals(hosts, cells.size());
          assertSame(cells, answers.get(i), queries.get(i));
        }
      } finally {
        summaries.mark(true);
      }
    }
  }

  private long count(ObjectNode query) throws Exception {
    JsonNode points = tsd.query(query).get(0).get("dps");
    return points.properties().iterator().next().getValue().asLong();
  }

  /** Blocks of a loader with a claim are as good as not there, whatever they say. */
  private void claimsAndDamage(
      StoredSummaries summaries, List<ObjectNode> queries, List<JsonNode> answers)
      throws Exception {
    summaries.build();
    // The second load.
    int loader = summaries.lastLoader();
    SummaryClaim claim =
        new SummaryClaim(
            SummaryClaim.Reason.WRITING, START_S + 86_400 * 10, START_S + 86_400 * 30, List.of());
    summaries.claim(loader, claim);
    summaries.falsify(loader);
    long failed = summaries("failed");
    for (int i = 0; i < QUERIES / 3; i++) {
      assertSame(answers.get(i), tsd.query(queries.get(i)), queries.get(i));
    }
    assertEquals(failed, summaries("failed"), "a claim is no failure");
    summaries.claim(loader, null);
    summaries.damage(loader);
    for (int i = 0; i < QUERIES / 3; i++) {
      assertSame(answers.get(i), tsd.query(queries.get(i)), queries.get(i));
    }
    assertTrue(summaries("failed") > failed, "damage is counted");
    summaries.build();
  }

  /** Sums of doubles may differ in the last digits. */
  private static void assertSame(JsonNode expected, JsonNode found, ObjectNode query) {
    assertEquals(expected.size(), found.size(), query.toString());
    for (int i = 0; i < expected.size(); i++) {
      JsonNode left = expected.get(i);
      JsonNode right = found.get(i);
      assertEquals(left.get("tags"), right.get("tags"), query.toString());
      assertEquals(left.get("aggregateTags"), right.get("aggregateTags"), query.toString());
      assertEquals(left.get("dps").size(), right.get("dps").size(), query + "\n" + left + right);
      for (Map.Entry<String, JsonNode> point : left.get("dps").properties()) {
        JsonNode other = right.get("dps").get(point.getKey());
        String place = query + "\n" + left.get("tags") + " " + point + " " + other;
        assertTrue(other != null, place);
        double a = point.getValue().asDouble();
        double b = other.asDouble();
        assertTrue(point.getValue().equals(other) || Math.abs(a - b) <= 1e-9 * Math.abs(a), place);
      }
    }
  }

  private ObjectNode query(Random random) {
    ObjectNode query = json.createObjectNode();
    int hours = DAYS * 24;
    int from = random.nextInt(hours);
    int length = random.nextInt(4) == 0 ? 24 * random.nextInt(6) : random.nextInt(hours);
    if (random.nextInt(3) == 0) {
      from -= from % 24;
      length += 24 - length % 24;
    }
    long start = START_S + 3600L * from;
    long end = start + 3600L * (1 + length);
    if (random.nextBoolean()) {
      start += random.nextInt(3600);
      end += random.nextInt(3600);
    }
    query.put("start", start).put("end", end);
    ObjectNode part = query.putArray("queries").addObject();
    boolean dense = random.nextInt(3) == 0;
    part.put("metric", dense ? DENSE : SPARSE);
    part.put("aggregator", oneOf(random, "sum", "none", "max", "avg", "count"));
    String function =
        oneOf(
            random, "sum", "avg", "min", "max", "count", "first", "last", "diff", "mimmax", "dev");
    String interval = oneOf(random, INTERVALS);
    if (interval.endsWith("c")) {
      query.put(
          "timezone", oneOf(random, "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"));
    }
    boolean filtered = random.nextInt(4) == 0;
    if (filtered) {
      part.put(
          "valueFilter", oneOf(random, ">=990", ">4000", "<20,>=10", "!=77", ">1000000", "<1e9"));
    }
    if (!filtered || random.nextInt(3) > 0) {
      part.put("downsample", interval + "-" + function + oneOf(random, "", "", "-zero", "-nan"));
    }
    ArrayNode filters = part.putArray("filters");
    if (!dense && random.nextBoolean()) {
      ObjectNode filter = filters.addObject().put("tagk", "host");
      filter.put("groupBy", random.nextBoolean());
      switch (random.nextInt(4)) {
        case 0 -> filter.put("type", "wildcard").put("filter", "*");
        case 1 -> filter.put("type", "regexp").put("filter", "h1.*");
        case 2 -> filter.put("type", "literal_or").put("filter", "live|h4");
        default -> filter.put("type", "literal_or").put("filter", "h" + random.nextInt(HOSTS));
      }
    }
    if (dense && random.nextBoolean()) {
      ObjectNode filter = filters.addObject().put("tagk", "sensor").put("groupBy", true);
      filter.put("type", "literal_or").put("filter", "s" + "%03d".formatted(random.nextInt(5)));
    }
    return query;
  }

  private static String oneOf(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  /** Twenty minutes between points; some hosts have doubles, some have gaps of days. */
  private Path lines(Random random, int fromDay, int toDay, int from, int to) throws Exception {
    return lines(SPARSE, random, fromDay, toDay, from, to);
  }

  private Path lines(String metric, Random random, int fromDay, int toDay, int from, int to)
      throws Exception {
    StringBuilder lines = new StringBuilder();
    int offset = 60 * random.nextInt(20);
    for (long time = START_S + 86_400L * fromDay; time < START_S + 86_400L * toDay; time += 1200) {
      long day = (time - START_S) / 86_400;
      for (int host = from; host < to; host++) {
        if (metric.equals(SPARSE) && host % 5 == 2 && day % 9 > 4) {
          continue;
        }
        long value = (time / 60 * 7919 + host * 104_729L) % 1000;
        lines.append(metric).append(' ').append(time + offset).append(' ');
        lines.append(host % 4 == 1 ? "" + value / 8. : "" + value);
        lines.append(" host=h").append(host).append(" dc=d").append(host % 3).append('\n');
      }
    }
    Path file = Files.createTempFile(folder, "lines", ".txt");
    return Files.writeString(file, lines);
  }

  /** Points beside packed cells, and of a series that no loader knows. */
  private void putLive(Random random) throws Exception {
    ArrayNode points = json.createArrayNode();
    for (int i = 0; i < 40; i++) {
      ObjectNode point = points.addObject().put("metric", SPARSE);
      point.put("timestamp", START_S + random.nextInt(DAYS * 86_400)).put("value", 5000 + i);
      String host = oneOf(random, "live", "h4", "h5", "h9");
      int dc = host.equals("live") ? 0 : (host.charAt(1) - '0') % 3;
      point.putObject("tags").put("host", host).put("dc", "d" + dc);
    }
    tsd.post("/api/put?sync&details", points);
  }

  private void load(String sink, Path file) {
    run("load --dir %s --sink %s %s".formatted(server.store().root(), sink, file));
  }

  private static String run(String options) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = Packhorse.commandLine().setOut(writer).setErr(writer).execute(options.split(" "));
    assertEquals(ExitCode.OK.code(), code, said.toString());
    return said.toString();
  }

  private long summaries(String result) throws Exception {
    return tsd.statistic("tsd.query.summaries", "result", result);
  }
}
