package io.packhorse.loader.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.packhorse.loader.loadtest.LoadTestResult.Calls;
import io.packhorse.loader.loadtest.LoadTestResult.Verdict;
import io.packhorse.loader.table.FoundServer;
import io.packhorse.loader.table.RegionLoad;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The driver against a server that misbehaves on purpose. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LoadTestTest {
  private static final String WORKLOAD =
      """
      metrics: [a]
      tags: {host: 100}
      batch: 1
      connections: 4
      timeout: 5s
      phases: {hold: 4s}
      limits: [write.done >= 99%, write.p50 < 4s]
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Optional<LoadTest.Store> store = Optional.empty();
  private final AtomicInteger asked = new AtomicInteger();

  @SuppressWarnings("NullAway.Init")
  private HttpServer server;

  private interface Behaviour {
    int answer(int number) throws InterruptedException;
  }

  @BeforeEach
  void begin() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void end() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void behave(Behaviour behaviour) {
    server.createContext(
        "/api/put",
        exchange -> {
          try {
            answer(exchange, behaviour.answer(asked.getAndIncrement()));
          } catch (InterruptedException e) {
            exchange.close();
          }
        });
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private LoadTestResult run(String text) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new LoadTest(
            WorkloadFile.parse(text, "w.yaml"),
            address,
            address,
            Protocol.PUT,
            store,
            Optional.empty())
        .run(folder, (share, points, p99) -> {});
  }

  /**
   * A target that stands still for two seconds: most calls were intended meanwhile, though few were
   * sent. The service times of the others know nothing of it.
   */
  @Test
  void aStallCountsForAllThatWereIntendedMeanwhile() throws Exception {
    AtomicBoolean stalled = new AtomicBoolean();
    Object stall = new Object();
    behave(
        number -> {
          if (number == 500) {
            stalled.set(true);
          }
          synchronized (stall) {
            if (stalled.getAndSet(false)) {
              TimeUnit.SECONDS.sleep(2);
            }
          }
          return 204;
        });
    LoadTestResult result =
        run(WORKLOAD.replace("host: 100", "host: 500").replace("timeout: 5s", "timeout: 60s"));
    Calls writes = result.calls().get(0);
    assertEquals(2000, writes.intended());
    assertEquals(2000, writes.done());
    assertTrue(writes.responses().getValueAtPercentile(99.9) >= 1_000_000, "response p99.9");
    assertTrue(writes.responses().getValueAtPercentile(90) >= 1_000_000, "response p90");
    assertTrue(writes.services().getValueAtPercentile(99) < 1_000_000, "service p99");
    long stuck = writes.services().getCountBetweenValues(1_000_000, 10_000_000);
    assertTrue(stuck >= 1 && stuck <= 4, "sent while it stood still: " + stuck);

    // The files are those that tools read.
    try (HistogramLogReader log =
        new HistogramLogReader(folder.resolve("write-response.hlog").toFile())) {
      long count = 0;
      for (var each = log.nextIntervalHistogram();
          each != null;
          each = log.nextIntervalHistogram()) {
        count += ((Histogram) each).getTotalCount();
      }
      assertEquals(2000, count);
    }
    assertTrue(Files.readAllLines(folder.resolve("seconds.csv")).size() >= 5);
    assertTrue(Files.readString(folder.resolve("result.json")).contains("\"verdict\""));
    String report = Files.readString(folder.resolve("report.html"));
    assertTrue(
        report.contains("<caption>Limits</caption>") && report.contains("<polyline"), report);
    assertTrue(
        Files.readString(folder.resolve("junit.xml")).contains("tests=\"3\" failures=\"0\""));
  }

  @Test
  void errorsAreCountedByKindAndMissALimit() throws Exception {
    behave(number -> number % 4 == 0 ? 503 : 204);
    LoadTestResult result = run(WORKLOAD.replace("4s}", "2s}"));
    Calls writes = result.calls().get(0);
    assertEquals(200, writes.intended());
    assertEquals(50, writes.errors().get("status 503"));
    assertEquals(150, writes.done());
    assertTrue(
        result.verdict() == Verdict.MISSED || result.verdict() == Verdict.INVALID,
        result.verdict().toString());
    assertTrue(
        Files.readString(folder.resolve("junit.xml")).contains("<failure message=\"found 75"));
  }

  /** The same stall: a closed loop asks for less, and does not see it. */
  @Test
  void aClosedLoopKeepsToTheTarget() throws Exception {
    behave(
        number -> {
          TimeUnit.MILLISECONDS.sleep(number == 10 ? 1500 : 10);
          return number == 5 ? 503 : 204;
        });
    LoadTestResult result =
        run(
            WORKLOAD
                .replace("4s}", "3s}")
                .replace("connections: 4", "connections: 1\nloop: closed"));
    Calls writes = result.calls().get(0);
    assertTrue(writes.intended() > 10 && writes.intended() < 300, "sent " + writes.intended());
    assertEquals(0, writes.dropped());
    assertEquals(1, writes.errors().get("status 503"));
    long stuck = writes.responses().getCountBetweenValues(1_400_000, 10_000_000);
    assertTrue(stuck >= 1 && stuck <= 3, "waited for the stall: " + stuck);
    assertTrue(result.json().containsKey("points_per_s_intended"));
    assertNull(result.json().get("points_per_s_intended"));
    assertTrue(Files.readString(folder.resolve("report.html")).contains("the loop is closed"));
  }

  @Test
  void regionsAreShown() throws Exception {
    behave(number -> 204);
    server.createContext(
        "/jmx",
        exchange -> {
          long flushes = asked.get() == 0 ? 7 : 9;
          byte[] said =
              ("{\"beans\":[{\"FlushTime_num_ops\":"
                      + flushes
                      + ",\"CompactionTime_num_ops\":4,\"updatesBlockedTime\":0,"
                      + "\"blockedRequestCount\":5}]}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, said.length);
          exchange.getResponseBody().write(said);
          exchange.close();
        });
    int port = server.getAddress().getPort();
    store =
        store(
            List.of(
                new FoundServer("127.0.0.1:16020", 0, 0, port),
                new FoundServer("rs2:16020", 0, 0, -1)),
            () ->
                asked.get() == 0
                    ? List.of(
                        new RegionLoad("127.0.0.1:16020", "aa", 1000, 5000, 10, 3, 3_000_000),
                        new RegionLoad("127.0.0.1:16020", "bb", 0, 200, 0, 1, 10),
                        new RegionLoad("rs2:16020", "cc", 70, 70, 0, 1, 10))
                    : List.of(
                        new RegionLoad("127.0.0.1:16020", "aa", 1010, 5090, 10, 1, 1_000_000),
                        new RegionLoad("127.0.0.1:16020", "bb", 20, 200, 9_000_000, 2, 20),
                        new RegionLoad("rs2:16020", "dd", 30, 0, 0, 4, 40)));
    LoadTestResult result = run(WORKLOAD.replace("4s}", "1s}"));
    StoreLoad seen = result.store();
    assertEquals(
        List.of("aa 10 90 false 3", "dd 30 0 true 0", "bb 20 0 false 1"),
        seen.regions().stream()
            .map(
                of ->
                    String.join(
                        " ",
                        of.name(),
                        "" + of.did().reads(),
                        "" + of.did().writes(),
                        "" + of.isNew(),
                        "" + of.did().filesBefore()))
            .toList());
    assertEquals(2.0, seen.regionSkew());
    assertEquals(-1_999_990, seen.servers().get(0).did().moreFileBytes());
    String report = Files.readString(folder.resolve("report.html"));
    String row = "<th scope=\"row\">127.0.0.1:16020</th>";
    assertTrue(report.contains(row + "<td>2</td><td>30</td>"), report);
    assertTrue(report.contains(row + "<td>2</td><td>0</td><td>0</td><td>0</td>"), report);
    assertTrue(report.contains("<th scope=\"row\">rs2:16020</th><td>page not read</td>"), report);
    assertTrue(report.contains("2.0 times the requests of the average one; 1 were"), report);
  }

  private interface Regions {
    List<RegionLoad> get() throws IOException;
  }

  private static Optional<LoadTest.Store> store(List<FoundServer> servers, Regions regions) {
    return Optional.of(
        new LoadTest.Store() {
          @Override
          public List<FoundServer> servers() {
            return servers;
          }

          @Override
          public List<RegionLoad> regions() throws IOException {
            return regions.get();
          }
        });
  }

  /** Counters are no reason to lose a test. */
  @Test
  void aStoreThatDoesNotTellIsSaid() throws Exception {
    behave(number -> 204);
    store =
        store(
            List.of(),
            () -> {
              throw new IOException("no such quorum");
            });
    LoadTestResult result = run(WORKLOAD.replace("4s}", "1s}"));
    assertEquals(100, result.calls().get(0).done());
    assertEquals("HBase did not tell: no such quorum", result.store().missing());
    assertTrue(Files.readString(folder.resolve("report.html")).contains("no such quorum"));
  }

  @Test
  void callsThatAreTooLateAreDropped() throws Exception {
    behave(
        number -> {
          TimeUnit.MILLISECONDS.sleep(200);
          return 204;
        });
    LoadTestResult result =
        run(WORKLOAD.replace("4s}", "3s}").replace("timeout: 5s", "timeout: 1s"));
    Calls writes = result.calls().get(0);
    assertEquals(300, writes.intended());
    assertTrue(writes.dropped() > 50, "dropped " + writes.dropped());
    assertEquals(300, writes.done() + writes.dropped());
  }

  @Test
  void aTargetThatIsNotThereIsAnErrorOfEachCall() throws Exception {
    server.stop(0);
    LoadTestResult result = run(WORKLOAD.replace("4s}", "1s}"));
    assertEquals(100, result.calls().get(0).errors().get("connection refused"));
  }

  /** Otherwise a test would pass whose calls were never made. */
  @Test
  void aFaultOfTheGeneratorIsNoPass() {
    OpenLoop loop =
        new OpenLoop(
            "faulty",
            System.nanoTime(),
            number -> number,
            10,
            1,
            number -> {
              throw new IllegalArgumentException("call " + number);
            });
    loop.start(2, offset -> new CallStats("faulty"));
    IllegalStateException e = assertThrows(IllegalStateException.class, loop::join);
    assertTrue(String.valueOf(e.getCause()).contains("call "), e.toString());
  }
}
