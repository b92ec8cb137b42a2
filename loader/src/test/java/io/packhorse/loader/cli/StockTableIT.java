package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdFixture;
import io.packhorse.loader.store.TsdKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table as OpenTSDB itself writes it, by TSDs of the published jar: live puts, compactions,
 * appends, points put twice, annotations, seconds and milliseconds. It is repacked while a TSD
 * writes into the same hours and a checker repeats queries whose answers are known: none differs.
 *
 * <p>{@code -Dpackhorse.stock.points=20000000 -Dpackhorse.stock.queries=10000} for a large table.
 */
@Timeout(value = 180, unit = TimeUnit.MINUTES)
final class StockTableIT {
  private static final long POINTS = Long.getLong("packhorse.stock.points", 8_000);
  private static final int QUERIES = Integer.getInteger("packhorse.stock.queries", 40);
  private static final String METRIC = "it.repack.stock";
  private static final long START_S = MixedRows.START_S;
  private static final int HOSTS = 10;
  private static final int POINTS_A_PUT = 2_000;
  private static final int PUTS_AT_A_TIME = 4;
  private static final int POINTS_AN_HOUR = (int) Math.min(1_000, POINTS / HOSTS / 4);

  /** A put that is answered when it is stored would wait a second for it. */
  private static final String STORED_AT_ONCE = "tsd.storage.flush_interval = 20\n";

  private static final String PLAIN = STORED_AT_ONCE + "tsd.storage.enable_compaction = false\n";
  private static final String APPENDS = PLAIN + "tsd.storage.enable_appends = true\n";

  /** Rows are compacted within seconds, and not in the next hour. */
  private static final String COMPACTIONS =
      STORED_AT_ONCE
          + """
      tsd.storage.enable_compaction = true
      tsd.storage.compaction.flush_interval = 1
      tsd.storage.compaction.flush_speed = 10000
      tsd.storage.compaction.min_flush_threshold = 0
      """;

  /** So a stage takes about as long as the checker needs for all queries, or some seconds. */
  private static final long POINTS_A_SECOND = POINTS * 1_000 / Math.max(3_000L, QUERIES * 8L);

  /**
   * The writer beside the repack puts points into the end of each hour, which no query asks for.
   */
  private static final int ASKED_S = 3_000;

  private static final int HOURS = (int) (POINTS / HOSTS / POINTS_AN_HOUR);

  /** Hours from the first on that are compacted. */
  private static final int COMPACTED = HOURS / 2;

  /** Hours after them that are appended to; an append takes the longest of all. */
  private static final int APPENDED = Math.max(1, HOURS / 20);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SplittableRandom random = new SplittableRandom(35);
  private final HttpClient client = HttpClient.newHttpClient();

  private record Query(long fromMs, long toMs, String expression) {}

  @Test
  void noAnswerDiffersBeforeWhileAndAfter() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    String common =
        Files.readString(server.store().tsdConfig(TsdKind.STOCK))
            .lines()
            .filter(line -> !line.matches("tsd\\.(network|http\\.(staticroot|cachedir)).*"))
            .filter(line -> !line.startsWith("tsd.storage.enable_compaction"))
            .collect(Collectors.joining("\n", "", "\n"));
    try (TsdFixture plain = TsdFixture.start(TsdKind.STOCK, folder, common + PLAIN);
        TsdFixture compacting = TsdFixture.start(TsdKind.STOCK, folder, common + COMPACTIONS)) {
      long annotations = write(common, plain.url(), compacting.url());
      compare(server, plain.url(), compacting.url(), annotations);
    }
  }

  private void compare(EmbeddedServer server, URI plain, URI compacting, long annotations)
      throws Exception {
    TsdClient tsd = new TsdClient(server.tsd(TsdKind.PATCHED).orElseThrow().url());
    Map<Query, Object> expected = new ConcurrentHashMap<>();
    while (expected.size() < QUERIES) {
      Query query = query();
      expected.put(query, answer(tsd, query));
    }
    assertTrue(expected.values().stream().anyMatch(each -> each.toString().length() > 100));

    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<String> wrong = new AtomicReference<>("");
    AtomicLong asked = new AtomicLong();
    Map<Long, Double> overwritten = new ConcurrentHashMap<>();
    Map<Long, Double> added = new ConcurrentHashMap<>();
    Thread writer =
        new Thread(() -> putBeside(plain, compacting, overwritten, added, stop, wrong), "writer");
    Thread checker =
        new Thread(
            () -> {
              while (!stop.get() && wrong.get().isEmpty()) {
                check(tsd, expected, stop, asked, wrong);
              }
            },
            "checker");
    writer.start();
    checker.start();
    JsonNode result = repack(server);
    long whileRepacking = asked.get();
    stop.set(true);
    writer.join();
    checker.join();
    assertEquals("", wrong.get());
    assertTrue(whileRepacking > 0 && overwritten.size() + added.size() > 0, "" + whileRepacking);
    checkAll(tsd, expected, overwritten, added);

    assertEquals("repacked", result.get("state").asText());
    assertEquals(0, result.get("left").asLong(), result.toString());
    assertEquals(annotations, result.get("annotations").asLong());
    // Rows of the second host that were compacted with points written meanwhile are newer than it.
    long rows = result.get("rows").asLong();
    assertTrue(rows >= (HOSTS - 1L) * HOURS && rows <= (long) HOSTS * HOURS, result.toString());
    // Some rows were compacted or appended, and some were not.
    long columns = result.get("columns").asLong();
    assertTrue(
        columns > (long) HOSTS * HOURS && columns < result.get("points").asLong(),
        () -> "" + result);
    // A second one packs what was newer than the first.
    repack(server);
    checkAll(tsd, expected, overwritten, added);
    System.out.printf(
        "stock     %,d points in %,d columns: %,d bytes before, %,d after; %,d answers while it"
            + " ran, %,d points written beside%n",
        result.get("points").asLong(),
        result.get("columns").asLong(),
        result.get("column_bytes").asLong(),
        result.get("cell_bytes").asLong(),
        whileRepacking,
        overwritten.size() + added.size());
  }

  /** Every answer once more, and all points that were written beside. */
  private static void checkAll(
      TsdClient tsd,
      Map<Query, Object> expected,
      Map<Long, Double> overwritten,
      Map<Long, Double> added)
      throws Exception {
    AtomicReference<String> wrong = new AtomicReference<>("");
    check(tsd, expected, new AtomicBoolean(), new AtomicLong(), wrong);
    assertEquals("", wrong.get());
    assertStored(tsd, "h0", overwritten);
    assertStored(tsd, "h1", added);
  }

  private static void assertStored(TsdClient tsd, String host, Map<Long, Double> points)
      throws Exception {
    Query all = new Query(start(0), start(HOURS), "none:" + METRIC + "{host=" + host + "}");
    Map<Long, Double> found = new TreeMap<>();
    for (TsdClient.Series series : series(tsd, all)) {
      found.putAll(series.points());
    }
    points.forEach((time, value) -> assertEquals(value, found.get(time), host + " at " + time));
  }

  /**
   * Fills the table by compactions, appends and points, each also into an hour of the one before.
   *
   * @param plain a TSD that neither compacts nor appends
   * @param compacting a TSD that compacts
   * @return how many annotations there are
   */
  private long write(String common, URI plain, URI compacting) throws Exception {
    putAll(compacting, 0, COMPACTED, false);
    // The same times once more, with other values and as milliseconds: the later ones count.
    putAll(compacting, 0, 1, true);
    long annotations = annotate(compacting);
    awaitCompactions(compacting, (long) HOSTS * COMPACTED);
    try (TsdFixture appending = TsdFixture.start(TsdKind.STOCK, folder, common + APPENDS)) {
      putAll(appending.url(), COMPACTED - 1, COMPACTED + APPENDED, false);
    }
    putAll(plain, COMPACTED + APPENDED - 1, HOURS, false);
    putAll(plain, 0, 1, true);
    return annotations;
  }

  private void putAll(URI tsd, int fromHour, int toHour, boolean again) throws Exception {
    ExecutorService puts = Executors.newFixedThreadPool(PUTS_AT_A_TIME);
    try {
      List<Future<Void>> hours = new ArrayList<>();
      for (int hour = fromHour; hour < toHour; hour++) {
        int number = hour;
        SplittableRandom values = random.split();
        hours.add(
            puts.submit(
                () -> {
                  putHour(tsd, number, values, again);
                  return null;
                }));
      }
      for (Future<Void> hour : hours) {
        hour.get();
      }
      System.out.printf("written   hours %d to %d%n", fromHour, toHour - 1);
    } finally {
      puts.shutdownNow();
    }
  }

  private void putHour(URI tsd, int hour, SplittableRandom values, boolean again) throws Exception {
    List<String> points = new ArrayList<>(POINTS_A_PUT);
    for (int host = 0; host < HOSTS; host++) {
      for (int i = 0; i < POINTS_AN_HOUR; i += again ? 7 : 1) {
        long time = START_S + hour * 3600L + i * 3600L / POINTS_AN_HOUR;
        boolean millis = again || i % 50 == 49;
        points.add(point(millis ? time * 1000 + (again ? 0 : 7) : time, value(values), "h" + host));
        if (points.size() == POINTS_A_PUT) {
          put(tsd, points);
          points.clear();
        }
      }
    }
    put(tsd, points);
  }

  /** Floats of 4 and of 8 bytes, and integers of all widths. */
  private static String value(SplittableRandom values) {
    return switch (values.nextInt(6)) {
      case 0 -> Double.toString(values.nextInt(100_000) / 16.0);
      case 1 -> Double.toString(values.nextInt(100_000) / 10.0);
      default -> Long.toString(values.nextLong() >> values.nextInt(16, 63));
    };
  }

  /** Until no row waits; not every row that was written to becomes one compacted column. */
  private void awaitCompactions(URI tsd, long rows) throws Exception {
    Map<String, Long> stats = Map.of();
    for (int i = 0; i < 1_200; i++) {
      stats = stats(tsd);
      if (stats.getOrDefault("tsd.compaction.queue.size", 1L) == 0
          && stats.getOrDefault("tsd.compaction.count", 0L) > rows / 2) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
    throw new AssertionError("the TSD has not compacted " + rows + " rows: " + stats);
  }

  private Map<String, Long> stats(URI tsd) throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(tsd.resolve("/api/stats")).build(),
            HttpResponse.BodyHandlers.ofString());
    Map<String, Long> stats = new TreeMap<>();
    for (JsonNode each : new ObjectMapper().readTree(answer.body())) {
      String metric = each.get("metric").asText();
      if (metric.startsWith("tsd.compaction.")) {
        stats.put(metric, each.get("value").asLong());
      }
    }
    return stats;
  }

  private long annotate(URI tsd) throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(
                    tsd.resolve(
                        "/api/query?show_tsuids&start="
                            + START_S
                            + "&end="
                            + (START_S + 60)
                            + "&m=none:"
                            + METRIC))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    long annotations = 0;
    for (JsonNode series : new ObjectMapper().readTree(answer.body())) {
      String note =
          "{\"startTime\":%d,\"tsuid\":\"%s\",\"description\":\"a\"}"
              .formatted(START_S + 30, series.get("tsuids").get(0).asText());
      post(tsd.resolve("/api/annotation"), note);
      annotations++;
    }
    assertEquals(HOSTS, annotations, answer.body());
    return annotations;
  }

  /**
   * One TSD puts new values at times that the first host has, and the one that compacts puts points
   * at new times of the second host. A compacted column has the time of its writing, so it wins
   * over a new value that was put while the row was compacted. Two stock TSDs without a repack lost
   * 9 of 94 overwritten points so; therefore nothing is overwritten here in rows that are being
   * compacted.
   */
  private void putBeside(
      URI plain,
      URI compacting,
      Map<Long, Double> overwritten,
      Map<Long, Double> added,
      AtomicBoolean stop,
      AtomicReference<String> wrong) {
    SplittableRandom times = new SplittableRandom(36);
    try {
      while (!stop.get()) {
        long second = START_S + times.nextInt(HOURS) * 3600L + times.nextInt(ASKED_S + 10, 3600);
        long millis = second * 1000 + 1 + added.size() % 999;
        double value = times.nextInt(1_000_000);
        if (times.nextBoolean()) {
          put(plain, List.of(point(second, Double.toString(value), "h0")));
          overwritten.put(second * 1000, value);
        } else if (!added.containsKey(millis)) {
          put(compacting, List.of(point(millis, Double.toString(value), "h1")));
          added.put(millis, value);
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
    } catch (Exception e) {
      wrong.compareAndSet("", "writer: " + e);
    }
  }

  private static void check(
      TsdClient tsd,
      Map<Query, Object> expected,
      AtomicBoolean stop,
      AtomicLong asked,
      AtomicReference<String> wrong) {
    try {
      for (Map.Entry<Query, Object> each : expected.entrySet()) {
        if (stop.get()) {
          return;
        }
        Object found = answer(tsd, each.getKey());
        asked.incrementAndGet();
        if (!found.equals(each.getValue())) {
          wrong.compareAndSet("", each + ", found " + found);
        }
      }
    } catch (Exception e) {
      wrong.compareAndSet("", "checker: " + e);
    }
  }

  private Query query() {
    long from = start(random.nextInt(HOURS)) + random.nextInt(ASKED_S / 2) * 1000L;
    String what =
        switch (random.nextInt(4)) {
          case 0 -> "none:" + METRIC;
          case 1 -> "sum:1m-avg:" + METRIC;
          case 2 -> "max:" + METRIC + "{host=*}";
          default -> "sum:10s-count:" + METRIC + "{host=literal_or(h0|h3)}";
        };
    return new Query(from, from + random.nextInt(1, ASKED_S / 2) * 1000L, what);
  }

  private static long start(int hour) {
    return (START_S + hour * 3600L) * 1000;
  }

  private static Object answer(TsdClient tsd, Query query) throws Exception {
    Map<String, Object> answer = new TreeMap<>();
    for (TsdClient.Series series : series(tsd, query)) {
      answer.put(new TreeMap<>(series.tags()).toString(), new TreeMap<>(series.points()));
    }
    return answer;
  }

  private static List<TsdClient.Series> series(TsdClient tsd, Query query) throws Exception {
    return tsd.parse(tsd.raw(query.fromMs(), query.toMs(), query.expression()));
  }

  private static String point(long time, String value, String host) {
    return "{\"metric\":\"%s\",\"timestamp\":%d,\"value\":%s,\"tags\":{\"host\":\"%s\"}}"
        .formatted(METRIC, time, value, host);
  }

  private void put(URI tsd, List<String> points) throws Exception {
    if (!points.isEmpty()) {
      post(tsd.resolve("/api/put?sync"), "[" + String.join(",", points) + "]");
    }
  }

  private void post(URI to, String json) throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(to)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(2, answer.statusCode() / 100, answer.body());
  }

  private static JsonNode repack(EmbeddedServer server) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(
                "repack",
                "--metric",
                METRIC,
                "--margin",
                "0s",
                "--query-timeout",
                "2s",
                "--rate",
                Long.toString(POINTS_A_SECOND),
                "--delete",
                "--json",
                "--dir",
                server.store().root().toString());
    assertEquals(0, code, () -> out + " " + err);
    return new ObjectMapper().readTree(out.toString()).get("result");
  }
}
