package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdFixture;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A patched TSD with the options of the embedded store and a heap of 512 MiB, attacked by {@link
 * HostileClients} over packed and plain points: the process lives on, others are answered all the
 * time and get whole answers or errors, and nothing changes in the tables that the attackers may
 * not change.
 *
 * <p>{@code -Dpackhorse.attack.seconds=3600} attacks for an hour, in which others may wait for ten
 * seconds at most; {@code -Dpackhorse.seed=N} with other requests.
 */
@Timeout(value = 90, unit = TimeUnit.MINUTES)
final class TsdAttackIT {
  private static final int SECONDS = Integer.getInteger("packhorse.attack.seconds", 30);
  private static final long SEED = Long.getLong("packhorse.seed", 20_240_101);
  private static final int CLIENTS = 8;
  private static final int HEAP_MIB = 512;

  /**
   * How long others may wait; in each build longer, as its machine may be busy with other tests.
   */
  private static final Duration STALL = Duration.ofSeconds(SECONDS > 60 ? 10 : 60);

  private static final long START_S = HostileRequests.START_S;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A metric with points of now, which last-point queries find. */
  private static final String RECENT = "guarded.recent";

  /** One hour of one plain series. */
  private static final String WATCHED =
      "/api/query?start="
          + START_S
          + "&end="
          + (START_S + 3_600)
          + "&m=sum:0all-count:"
          + HostileRequests.PLAIN
          + "%7Bhost=h0%7D";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** What went wrong for those who ask in good faith. */
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  private final AtomicInteger known = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final List<Long> watchedMs = new ArrayList<>();

  @TempDir private Path folder = Path.of("");

  @Test
  void holdsAgainstHostileRequests() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    load(server);
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        TsdFixture tsd = TsdFixture.startAsShipped(server, folder, HEAP_MIB)) {
      putPlainPoints(tsd.url());
      Map<String, JsonNode> answers = new LinkedHashMap<>();
      for (String target : knownQueries()) {
        HttpResponse<String> answer = ask(tsd.url(), target, Duration.ofMinutes(2));
        assertTrue(answer.statusCode() == 200 && answer.body().length() > 50, answer.body());
        answers.put(target, normalised(answer.body()));
      }
      StoredContent before = StoredContent.read(cluster);

      System.out.println("attack of " + SECONDS + " s, seed " + SEED);
      HostileClients clients = new HostileClients(tsd.url());
      attack(tsd.url(), clients, answers);
      clients.awaitLate();
      report(clients);

      assertTrue(tsd.isAlive(), "the TSD ended");
      awaitQuiet(tsd.url());
      for (Map.Entry<String, JsonNode> query : answers.entrySet()) {
        HttpResponse<String> answer = ask(tsd.url(), query.getKey(), Duration.ofMinutes(2));
        assertEquals(200, answer.statusCode(), query.getKey() + ": " + answer.body());
        assertEquals(query.getValue(), normalised(answer.body()), query.getKey());
      }
      assertEquals(
          Set.of(), before.changes(StoredContent.read(cluster), HostileRequests.OWN), "changed");
      assertEquals(List.of(), List.copyOf(faults));
      assertEquals(List.of(), List.copyOf(clients.bad()));
    }
  }

  private void attack(URI tsd, HostileClients clients, Map<String, JsonNode> answers)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    SplittableRandom seeds = new SplittableRandom(SEED);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      long seed = seeds.nextLong();
      threads.add(new Thread(() -> clients.attack(seed, end), "attacker " + i));
    }
    long seed = seeds.nextLong();
    JsonNode watched = answers.getOrDefault(WATCHED, JSON.nullNode());
    threads.add(new Thread(() -> askKnown(tsd, answers, seed, end), "known answers"));
    threads.add(new Thread(() -> watch(tsd, watched, end), "watcher"));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Asks a cheap query again and again; it has to be answered within ten seconds, retries too. */
  private void watch(URI tsd, JsonNode expected, long end) {
    while (System.nanoTime() < end) {
      long began = System.nanoTime();
      String last = "no answer";
      boolean answered = false;
      while (!answered && System.nanoTime() - began < STALL.toNanos()) {
        try {
          HttpResponse<String> answer = ask(tsd, WATCHED, STALL);
          answered = answer.statusCode() == 200 && expected.equals(normalised(answer.body()));
          last = answer.statusCode() + " " + answer.body();
          if (!answered) {
            refused.incrementAndGet();
          }
        } catch (IOException e) {
          last = e.toString();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
        pause(200);
      }
      long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) - 200;
      watchedMs.add(ms);
      if (!answered) {
        fault("the watcher waited " + ms + " ms; last: " + last);
      }
    }
  }

  /** Asks queries whose answers are known: an answer with status 200 has to be the whole one. */
  private void askKnown(URI tsd, Map<String, JsonNode> answers, long seed, long end) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Map.Entry<String, JsonNode>> all = List.copyOf(answers.entrySet());
    while (System.nanoTime() < end) {
      Map.Entry<String, JsonNode> query = all.get(random.nextInt(all.size()));
      try {
        HttpResponse<String> answer = ask(tsd, query.getKey(), Duration.ofSeconds(60));
        known.incrementAndGet();
        if (answer.statusCode() != 200) {
          refused.incrementAndGet();
        } else if (!query.getValue().equals(normalised(answer.body()))) {
          fault("another answer than before: " + query.getKey() + ": " + shortened(answer.body()));
        }
      } catch (HttpTimeoutException e) {
        fault("no answer in 60 s: " + query.getKey());
      } catch (IOException e) {
        // Broken off, and seen to be.
        refused.incrementAndGet();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      pause(50);
    }
  }

  private void fault(String what) {
    if (faults.size() < 20) {
      faults.add(what);
    }
  }

  private static List<String> knownQueries() {
    String range = "start=" + START_S + "&end=" + (START_S + 21_599);
    String packed = HostileRequests.PACKED;
    String plain = HostileRequests.PLAIN;
    List<String> queries = new ArrayList<>(List.of(WATCHED));
    for (String m :
        List.of(
            "sum:10m-avg:" + packed + "{sensor=*}",
            "none:" + packed + "{sensor=s001}",
            "sum:" + packed + "{sensor=s002|s003}",
            "p95:5m-max:" + packed,
            "avg:rate:1m-avg:" + packed + "{sensor=regexp(s00[1-5])}",
            "sum:1m-sum-zero:" + plain + "{host=*}",
            "none:" + plain,
            "count:1h-count:" + plain,
            "dev:" + plain + "{host=h1|h2|h3}")) {
      queries.add("/api/query?" + range + "&m=" + encoded(m));
    }
    // Longer than a MiB, so that it is sent in parts.
    queries.add(
        "/api/query?start="
            + START_S
            + "&end="
            + (START_S + 86_399)
            + "&m="
            + encoded("none:" + packed + "{sensor=s004}"));
    queries.add("/api/query?ms=true&show_tsuids=true&" + range + "&m=" + encoded("max:" + plain));
    queries.add(
        "/api/query/gexp?" + range + "&exp=" + encoded("scale(sum:1m-avg:" + packed + ",2)"));
    queries.add(
        "/api/query/last?back_scan=24&resolve=true&timeseries=" + encoded(RECENT + "{host=h0}"));
    queries.add("/api/suggest?type=metrics&q=guarded");
    queries.add("/api/search/lookup?limit=100&m=" + encoded(plain + "{host=*}"));
    return queries;
  }

  /** JSON that is equal for equal answers: the order of series and aggregated tags is not said. */
  private static JsonNode normalised(String body) throws IOException {
    JsonNode json = JSON.readTree(body);
    for (JsonNode node : json) {
      if (node instanceof ObjectNode series && series.get("aggregateTags") instanceof ArrayNode a) {
        sort(a);
      }
    }
    if (json instanceof ArrayNode array) {
      sort(array);
    } else if (json instanceof ObjectNode object) {
      object.remove("time"); // How long a lookup took.
      if (object.get("results") instanceof ArrayNode results) {
        sort(results);
      }
    }
    return json;
  }

  private static void sort(ArrayNode array) {
    List<JsonNode> sorted = new ArrayList<>();
    array.forEach(sorted::add);
    sorted.sort(Comparator.comparing(JsonNode::toString));
    array.removeAll().addAll(sorted);
  }

  /** Waits until no query runs: the time limit of queries ends those that nobody waits for. */
  private void awaitQuiet(URI tsd) throws Exception {
    long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    String target = "/api/stats/query";
    JsonNode running = JSON.readTree(ask(tsd, target, Duration.ofMinutes(1)).body()).get("running");
    while (!running.isEmpty()) {
      assertTrue(System.nanoTime() < giveUp, "still running: " + shortened(running.toString()));
      pause(500);
      running = JSON.readTree(ask(tsd, target, Duration.ofMinutes(1)).body()).get("running");
    }
  }

  private void report(HostileClients clients) {
    clients.outcomes().forEach((kind, times) -> System.out.println(times + "\t" + kind));
    watchedMs.sort(null);
    System.out.println(
        "watcher: "
            + watchedMs.size()
            + " answers, median "
            + watchedMs.get(watchedMs.size() / 2)
            + " ms, p99 "
            + watchedMs.get(watchedMs.size() * 99 / 100)
            + " ms, longest "
            + watchedMs.get(watchedMs.size() - 1)
            + " ms; known answers "
            + known
            + "; refused of both "
            + refused);
    faults.forEach(System.out::println);
    clients.bad().forEach(System.out::println);
    assertFalse(watchedMs.isEmpty());
  }

  private static void load(EmbeddedServer server) {
    String options =
        "loadtest fill --dir %s --metric %s --sensors 32 --span 1d"
            .formatted(server.store().root(), HostileRequests.PACKED);
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = Packhorse.commandLine().setOut(writer).setErr(writer).execute(options.split(" "));
    assertEquals(ExitCode.OK.code(), code, said.toString());
  }

  private void putPlainPoints(URI tsd) throws IOException, InterruptedException {
    for (int host = 0; host < 10; host++) {
      List<String> points = new ArrayList<>();
      for (int i = 0; i < 3_600; i++) {
        points.add(point(HostileRequests.PLAIN, START_S + i, i * (host + 1), "h" + host));
      }
      put(tsd, points);
    }
    long now = System.currentTimeMillis() / 1_000;
    put(tsd, List.of(point(RECENT, now - 60, 1, "h0"), point(RECENT, now, 2, "h0")));
  }

  private static String point(String metric, long time, int value, String host) {
    return """
    {"metric":"%s","timestamp":%d,"value":%d,"tags":{"host":"%s"}}
    """
        .formatted(metric, time, value, host);
  }

  private void put(URI tsd, List<String> points) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(tsd.resolve("/api/put?sync"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(points.toString()))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(204, answer.statusCode(), answer.body());
  }

  /** The answer; the timeout holds for its last byte. */
  private HttpResponse<String> ask(URI tsd, String target, Duration timeout)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<String>> answer =
        http.sendAsync(
            HttpRequest.newBuilder(URI.create(tsd + target)).build(),
            HttpResponse.BodyHandlers.ofString());
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new HttpTimeoutException("no answer in " + timeout.toSeconds() + " s: " + target);
    } catch (ExecutionException e) {
      throw new IOException(target, e);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String shortened(String text) {
    return text.length() <= 500 ? text : text.substring(0, 500) + "...";
  }

  private static void pause(int ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
