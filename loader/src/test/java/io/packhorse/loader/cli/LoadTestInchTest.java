package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that takes lines, and one that does not. */
@SuppressWarnings("NullAway.Init")
final class LoadTestInchTest {
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger failures = new AtomicInteger();
  private int failureStatus = 503;
  private ExecutorService threads;
  private HttpServer server;
  private String host;

  private record Ended(int code, String said) {}

  @BeforeEach
  void start() throws IOException {
    threads = Executors.newCachedThreadPool();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    host = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().entrySet());
      byte[] body = exchange.getRequestBody().readAllBytes();
      boolean write = exchange.getRequestURI().getPath().endsWith("/write");
      int status = write ? 204 : 200;
      if (write && failures.getAndDecrement() > 0) {
        status = failureStatus;
      } else if (write) {
        text(exchange, body).lines().forEach(lines::add);
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private static String text(HttpExchange exchange, byte[] body) throws IOException {
    InputStream in = new ByteArrayInputStream(body);
    if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
      in = new GZIPInputStream(in);
    }
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private Ended inch(String options) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    String line = "loadtest inch -host " + host + " " + options;
    int code =
        Packhorse.commandLine().setOut(writer).setErr(writer).execute(line.strip().split(" +"));
    return new Ended(code, said.toString());
  }

  @Test
  void allLinesAreWrittenThoughSomeRequestsFail() {
    failures.set(2);
    Ended ended = inch("-v -t 10,5 -p 20 -m 2 -f 2 -time -1h -b 300 -c 3 -gzip -precision ms");
    assertEquals(ExitCode.OK.code(), ended.code(), ended.said());
    assertEquals(2000, lines.size());
    assertEquals(2000, new HashSet<>(lines).size());
    assertTrue(requests.get(0).startsWith("/ping"), requests.get(0));
    assertTrue(requests.get(1).startsWith("/query"), requests.get(1));
    assertTrue(
        requests.get(2).startsWith("/write?db=stress&precision=ms&consistency=any"),
        requests.get(2));
    assertTrue(ended.said().contains("Total series: 100"), ended.said());
    assertTrue(
        ended.said().matches("(?s).*Tag cardinalities: \\[[0-9]+( [0-9]+)*].*"), ended.said());
    assertTrue(
        ended
            .said()
            .matches(
                "(?s).*T=\\d{8} 2000 points written \\(100%\\). Total throughput: [0-9.]+ pt/sec \\|"
                    + " [0-9.]+ val/sec. Current throughput: [0-9]+ val/sec. Errors: 2 \\| μ: .*"),
        ended.said());
    assertTrue(ended.said().contains("Total time: "), ended.said());
  }

  @Test
  void aRequestThatIsRefusedForGoodEndsTheRun() {
    failures.set(1000);
    failureStatus = 400;
    Ended ended = inch("-no-setup -t 10 -p 10 -b 20");
    assertEquals(ExitCode.CLUSTER.code(), ended.code(), ended.said());
    assertTrue(ended.said().contains("request 1 of 5 was refused: status 400"), ended.said());
    assertTrue(requests.stream().noneMatch(each -> each.startsWith("/query")));
  }

  @Test
  void soDoTooManyErrors() {
    failures.set(1000);
    Ended ended = inch("-t 10 -p 10 -max-errors 1");
    assertEquals(ExitCode.CLUSTER.code(), ended.code(), ended.said());
    assertTrue(ended.said().contains("-max-errors 1 is reached"), ended.said());
  }

  @Test
  void nobodyIsThere() {
    server.stop(0);
    Ended ended = inch("-t 10 -p 10");
    assertEquals(ExitCode.CLUSTER.code(), ended.code(), ended.said());
    assertTrue(ended.said().contains("-host " + host + " cannot be used"), ended.said());
  }

  @Test
  void figuresAreReported() {
    Ended ended =
        inch("-v2 -token secret -db b -t 10 -p 10 -report-host " + host + " -report-tags run=a b");
    assertEquals(ExitCode.USAGE.code(), ended.code(), ended.said());
    ended = inch("-v2 -token secret -db b -t 10 -p 10 -report-tags run=7 -report-host " + host);
    assertEquals(ExitCode.OK.code(), ended.code(), ended.said());
    String last = lines.get(lines.size() - 1);
    assertTrue(last.matches("summary,.*run=7.* T=0i,points_written=100i,.*"), last);
    assertTrue(
        requests.stream()
            .anyMatch(
                each ->
                    each.startsWith("/api/v2/write?bucket=b&precision=ns")
                        && each.contains("Token secret")),
        requests.toString());
  }

  @Test
  void errorsAreReportedOnce() {
    failures.set(1);
    Ended ended = inch("-no-setup -t 10 -p 10 -report-host " + host);
    assertEquals(ExitCode.OK.code(), ended.code(), ended.said());
    assertTrue(ended.said().contains("Errors: 1"), ended.said());
    long reported =
        lines.stream()
            .filter(line -> line.contains("write_error="))
            .mapToLong(line -> Long.parseLong(line.replaceAll(".*write_error=(\\d+)i.*", "$1")))
            .sum();
    assertEquals(1, reported, lines.toString());
  }

  @Test
  void nothingIsSentWhenDry() {
    Ended ended = inch("-dry -t 100 -p 100");
    assertEquals(ExitCode.OK.code(), ended.code(), ended.said());
    assertEquals(List.of(), requests);
    assertTrue(ended.said().contains("10000 points written (100%)"), ended.said());
  }

  @Test
  void timesThatWouldReplaceEachOtherAreSaid() {
    Ended ended = inch("-dry -t 10 -p 100 -time 1ms");
    assertTrue(ended.said().contains("points of a series are 10000 ns apart"), ended.said());
    assertEquals(ExitCode.USAGE.code(), inch("-dry -t 10 -p 100 -time 1ns").code());
    assertEquals(ExitCode.USAGE.code(), inch("-dry -start-time 2025-01-01T00:00:00Z").code());
    assertEquals(ExitCode.USAGE.code(), inch("-dry -t 0").code());
    assertEquals(ExitCode.USAGE.code(), inch("-dry -c 0").code());
  }
}
