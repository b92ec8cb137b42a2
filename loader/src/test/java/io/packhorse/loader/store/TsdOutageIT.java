package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packhorse.loader.hbase.Cluster;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A TSD whose HBase moves regions, is slow, hangs, dies and comes back: each answer is whole or an
 * error in plain words, nobody waits for ever, and afterwards all is whole again without a restart
 * of the TSD. What was acknowledged is stored.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class TsdOutageIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TableName DATA = TableName.valueOf("tsdb");
  private static final TableName UIDS = TableName.valueOf("tsdb-uid");

  /** A client that waits so long counts as never answered: ten times what the TSD may take. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(40);

  private static final int SERIES = 40;

  /** So that the last points lie a few hours before now. */
  private static final long BASE = System.currentTimeMillis() / 3_600_000 * 3_600 - 7_200;

  /** The whole answer of each kind of query. */
  private static final Map<String, String> WHOLE = new LinkedHashMap<>();

  /** Times of the points whose put was acknowledged. */
  private static final Set<Long> STORED = new ConcurrentSkipListSet<>();

  private static final AtomicLong NEXT_TIME = new AtomicLong(BASE);
  private static final AtomicInteger NEXT_NAME = new AtomicInteger();

  @TempDir private static Path folder = Path.of("");
  private static EmbeddedServer hbase;
  private static TsdFixture tsd;

  @BeforeAll
  static void start() throws Exception {
    StoreDirectory store = StoreDirectory.open(folder.resolve("store"));
    hbase = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    String settings =
        Files.readString(store.tsdConfig(TsdKind.PATCHED))
            + """

            tsd.query.timeout = 2000
            tsd.http.query.allow_exp = true
            tsd.core.enable_admin = true
            # Each scan takes many calls, each of which may meet a region that moves.
            tsd.storage.hbase.scanner.maxNumRows = 2
            hbase.ipc.client.connection.idle_read_timeout = 3
            # A point that is lost on the way to HBase counts for ever: a hundred would be seen.
            tsd.core.points_in_flight = 100
            """;
    tsd = TsdFixture.start(TsdKind.PATCHED, folder, settings);
    StringBuilder batch = new StringBuilder();
    for (int i = 0; i < SERIES; i++) {
      for (int at = 0; at < 7_200; at += 600) {
        batch.append(batch.isEmpty() ? '[' : ',').append(point("it.outage", BASE + at, "h" + i));
      }
    }
    batch.append(']');
    // A machine with much else to do may take longer than the short limits above.
    while (put(batch.toString()).statusCode() != 204) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    for (Map.Entry<String, HttpRequest> kind : kinds().entrySet()) {
      HttpResponse<String> answer = ask(kind.getValue());
      while (answer.statusCode() != 200) {
        answer = ask(kind.getValue());
      }
      WHOLE.put(kind.getKey(), normal(answer.body()));
    }
    String lookup = String.valueOf(WHOLE.get("lookup"));
    assertTrue(lookup.split("tsuid", -1).length > SERIES, lookup);
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      tsd.close();
    } finally {
      EmbeddedServer.stop(hbase.store());
    }
  }

  @Test
  void regionsThatMove() throws Exception {
    try (Cluster cluster = Cluster.connect(hbase.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      List<byte[]> regions = new ArrayList<>();
      for (TableName table : List.of(UIDS, DATA)) {
        for (RegionInfo region : admin.getRegions(table)) {
          regions.add(region.getRegionName());
        }
      }
      CompletableFuture<Void> rounds =
          inBackground(
              () -> {
                round();
                round();
                round();
                return null;
              });
      for (Iterator<byte[]> next = regions.iterator(); !rounds.isDone() && next.hasNext(); ) {
        byte[] region = next.next();
        admin.unassign(region);
        admin.assign(region);
      }
      rounds.join();
    }
    awaitWhole();
  }

  @Test
  void aDataRegionThatIsAway() throws Exception {
    try (Cluster cluster = Cluster.connect(hbase.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      byte[] region = admin.getRegions(DATA).get(0).getRegionName();
      admin.unassign(region);
      Map<String, Integer> statuses = round();
      for (String kind : List.of("query", "sum", "gexp", "exp", "q", "lookup")) {
        assertNotEquals(200, statuses.get(kind), kind);
      }
      admin.assign(region);
    }
    awaitWhole();
  }

  @Test
  void theUidTableThatIsAway() throws Exception {
    String metric = "it.outage.telnet";
    try (Cluster cluster = Cluster.connect(hbase.zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin();
        Socket socket = new Socket(tsd.url().getHost(), tsd.url().getPort())) {
      byte[] region = admin.getRegions(UIDS).get(0).getRegionName();
      admin.unassign(region);
      forgetNames();
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 200; i++) {
        lines.append("put " + metric + " " + (BASE + i) + " " + i + " host=h1\n");
      }
      socket.getOutputStream().write(lines.toString().getBytes(StandardCharsets.US_ASCII));
      Map<String, Integer> statuses = round();
      assertFalse(statuses.containsValue(200), statuses.toString());
      assertFalse(statuses.containsValue(204), statuses.toString());
      admin.assign(region);
      awaitWhole();
      // The lines have waited in order; none was lost.
      while (timesOf(metric).size() < 200) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  @Test
  void anHBaseThatIsSlow() throws Exception {
    CompletableFuture<Map<String, Integer>> round = inBackground(TsdOutageIT::round);
    try {
      while (!round.isDone()) {
        signal("STOP");
        TimeUnit.MILLISECONDS.sleep(200);
        signal("CONT");
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } finally {
      signal("CONT");
    }
    round.join();
    awaitWhole();
  }

  @Test
  void anHBaseThatHangs() throws Exception {
    signal("STOP");
    try {
      Map<String, Integer> statuses = round();
      assertFalse(statuses.containsValue(200), statuses.toString());
      assertFalse(statuses.containsValue(204), statuses.toString());
    } finally {
      signal("CONT");
    }
    awaitWhole();
  }

  @Test
  void anHBaseThatDies() throws Exception {
    hbase.hbase().kill();
    Map<String, Integer> statuses = round();
    assertFalse(statuses.containsValue(200), statuses.toString());
    assertFalse(statuses.containsValue(204), statuses.toString());
    hbase = EmbeddedStoreFixture.start(hbase.store(), EnumSet.noneOf(TsdKind.class));
    awaitWhole();
  }

  /** Asks everything at once, and puts two points; returns the statuses. */
  private static Map<String, Integer> round() {
    Map<String, CompletableFuture<Integer>> answers = new TreeMap<>();
    kinds().forEach((kind, request) -> answers.put(kind, inBackground(() -> check(kind, request))));
    answers.put("put", inBackground(() -> checkPut("h1")));
    answers.put(
        "put of a new name", inBackground(() -> checkPut("new" + NEXT_NAME.incrementAndGet())));
    answers.put("put with details", inBackground(TsdOutageIT::checkPutWithDetails));
    Map<String, Integer> statuses = new HashMap<>();
    answers.forEach((kind, answer) -> statuses.put(kind, answer.join()));
    return statuses;
  }

  private static int check(String kind, HttpRequest request) throws Exception {
    HttpResponse<String> answer = ask(request);
    if (answer.statusCode() == 200) {
      assertEquals(WHOLE.get(kind), normal(answer.body()), kind);
    } else {
      assertError(answer);
    }
    return answer.statusCode();
  }

  private static int checkPut(String host) throws Exception {
    long time = NEXT_TIME.getAndIncrement();
    HttpResponse<String> answer = put("[" + point("it.outage.puts", time, host) + "]");
    if (answer.statusCode() == 204) {
      STORED.add(time);
    } else {
      assertError(answer);
    }
    return answer.statusCode();
  }

  /** With status 200 every point is stored, and the answer says so. */
  private static int checkPutWithDetails() throws Exception {
    long time = NEXT_TIME.getAndIncrement();
    String body = "[" + point("it.outage.puts", time, "h1") + "]";
    HttpResponse<String> answer = ask(post("/api/put?sync&details", body));
    if (answer.statusCode() == 200) {
      JsonNode counts = JSON.readTree(answer.body());
      assertEquals(0, counts.get("failed").asInt(), answer.body());
      assertEquals(1, counts.get("success").asInt(), answer.body());
      STORED.add(time);
    } else {
      assertError(answer);
    }
    return answer.statusCode();
  }

  private static void assertError(HttpResponse<String> answer) {
    int status = answer.statusCode();
    // 400 is a batch of which some points were not stored.
    assertTrue(status >= 500 || status == 408 || status == 400, status + ": " + answer.body());
    for (String word : List.of("RegionClient", "RPC", "Exception", "never be here")) {
      assertFalse(answer.body().contains(word), answer.body());
    }
  }

  /** Waits until each kind of query is answered, and checks that nothing is missing. */
  private static void awaitWhole() throws Exception {
    for (Map.Entry<String, HttpRequest> kind : kinds().entrySet()) {
      while (check(kind.getKey(), kind.getValue()) != 200) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
    while (checkPut("h1") != 204 || checkPut("new" + NEXT_NAME.incrementAndGet()) != 204) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    Set<Long> lost = new TreeSet<>(STORED);
    lost.removeAll(timesOf("it.outage.puts"));
    assertEquals(Set.of(), lost, "acknowledged, but not stored");
  }

  /** The times of all points of a metric; none if it cannot be asked now. */
  private static Set<Long> timesOf(String metric) throws Exception {
    HttpResponse<String> answer =
        ask(get("/api/query?start=" + (BASE - 1) + "&m=" + encoded("none:" + metric)));
    Set<Long> times = new TreeSet<>();
    if (answer.statusCode() == 200) {
      for (JsonNode series : JSON.readTree(answer.body())) {
        series.get("dps").fieldNames().forEachRemaining(time -> times.add(Long.valueOf(time)));
      }
    }
    return times;
  }

  private static void forgetNames() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(tsd.url().resolve("/api/dropcaches"))
            .method("DELETE", HttpRequest.BodyPublishers.noBody())
            .build();
    assertEquals(200, ask(request).statusCode());
  }

  private static Map<String, HttpRequest> kinds() {
    Map<String, HttpRequest> kinds = new LinkedHashMap<>();
    String range = "start=" + BASE + "&end=" + (BASE + 7_200);
    String each = encoded("sum:it.outage{host=*}");
    kinds.put("query", get("/api/query?" + range + "&m=" + each));
    kinds.put("sum", get("/api/query?" + range + "&m=" + encoded("sum:10m-avg:it.outage")));
    kinds.put(
        "last", get("/api/query/last?back_scan=10&timeseries=" + encoded("it.outage{host=h3}")));
    kinds.put("suggest", get("/api/suggest?type=tagv&q=h&max=100"));
    kinds.put(
        "gexp",
        get("/api/query/gexp?" + range + "&exp=" + encoded("scale(sum:it.outage{host=*},2)")));
    kinds.put(
        "exp",
        post(
            "/api/query/exp",
            """
            {"time":{"start":"%d","end":"%d","aggregator":"sum"},
             "filters":[{"id":"f","tags":[
               {"type":"wildcard","tagk":"host","filter":"*","groupBy":true}]}],
             "metrics":[{"id":"a","metric":"it.outage","filter":"f"}],
             "expressions":[{"id":"e","expr":"a * 2"}],"outputs":[{"id":"e"}]}
            """
                .formatted(BASE, BASE + 7_200)));
    kinds.put(
        "lookup",
        post(
            "/api/search/lookup",
            """
            {"metric":"it.outage","tags":[{"key":"host","value":"*"}],"limit":1000,"useMeta":false}
            """));
    kinds.put("q", get("/q?" + range + "&ascii&m=" + each));
    return kinds;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static HttpRequest get(String path) {
    return HttpRequest.newBuilder(URI.create(tsd.url() + path)).timeout(ANSWER_MAX).build();
  }

  private static HttpRequest post(String path, String body) {
    return HttpRequest.newBuilder(URI.create(tsd.url() + path))
        .timeout(ANSWER_MAX)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static HttpResponse<String> put(String points) throws Exception {
    return ask(post("/api/put?sync", points));
  }

  private static HttpResponse<String> ask(HttpRequest request)
      throws IOException, InterruptedException {
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static <T> CompletableFuture<T> inBackground(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                result.complete(work.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            })
        .start();
    return result;
  }

  private static String point(String metric, long time, String host) {
    return """
    {"metric":"%s","timestamp":%d,"value":%d,"tags":{"host":"%s"}}\
    """
        .formatted(metric, time, time % 1_000, host);
  }

  /** The answer without what differs from one time to the next: the order and the time it took. */
  private static String normal(String body) throws IOException {
    if (!body.startsWith("{") && !body.startsWith("[")) {
      return String.join("\n", new TreeSet<>(body.lines().toList()));
    }
    JsonNode json = JSON.readTree(body);
    if (!(json instanceof ObjectNode object)) {
      return sorted(json);
    }
    object.remove("time");
    if (object.has("results")) {
      object.put("results", sorted(object.get("results")));
    }
    return object.toString();
  }

  private static String sorted(JsonNode array) {
    List<String> parts = new ArrayList<>();
    array.forEach(part -> parts.add(part.toString()));
    parts.sort(null);
    return parts.toString();
  }

  private static void signal(String name) throws Exception {
    String pid = Long.toString(hbase.hbase().pid());
    assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
  }
}
