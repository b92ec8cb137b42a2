package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.packhorse.loader.page.Chromium;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of a load test in a browser, while it runs and when it has ended.
 *
 * <p>Leaves {@code target/load-test.png}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LivePageIT {
  private static final String WORKLOAD =
      """
      name: live
      metrics: [a]
      tags: {host: 100}
      batch: 1
      connections: 4
      phases: {hold: 12s}
      limits: [write.done >= 1%]
      """;

  /** How many points the first line of each chart has. */
  private static final String LINES =
      "[...document.querySelectorAll('figure svg')].map((chart) =>"
          + " [...chart.querySelectorAll('polyline.l0')].reduce((sum, line) =>"
          + " sum + line.getAttribute('points').trim().split(' ').length, 0)).join(' ')";

  private static final String STATE =
      "(document.querySelector('h1 + p') || document.body).textContent";

  @TempDir private static Path folder = Path.of("");

  @Test
  void figuresChangeAndTheVerdictIsShown() throws Exception {
    Optional<Path> found = Chromium.find();
    String reason =
        "live page not tested, no Chromium: apt-get install chromium, or name one in "
            + Chromium.VARIABLE;
    if (found.isEmpty()) {
      System.out.println(reason);
    }
    assumeTrue(found.isPresent(), reason);
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer target =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    target.setExecutor(threads);
    target.createContext(
        "/api/put",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    target.start();
    try (Chromium browser = Chromium.start(found.get(), 1180, 980)) {
      int port = freePort();
      Future<Integer> test = threads.submit(() -> run(target.getAddress().getPort(), port));
      watch(browser, URI.create("http://127.0.0.1:" + port + "/"));
      int code = test.get();
      assertTrue(code == ExitCode.OK.code() || code == ExitCode.INVALID.code(), "code " + code);
    } finally {
      target.stop(0);
      threads.shutdownNow();
    }
  }

  private static void watch(Chromium browser, URI page) throws Exception {
    while (!text(browser, STATE).contains("The test begins") && text(browser, LINES).isEmpty()) {
      browser.open(page);
    }
    // From here on the page reads itself again.
    String lines = await(browser, LINES, "[1-9]\\d* [1-9]\\d*");
    String state = await(browser, STATE, "Running: .*");
    await(browser, STATE, "(?!" + Pattern.quote(state) + ").*: .*");
    await(browser, STATE, "(Passed|Invalid): .*");
    String ended = text(browser, LINES);
    assertTrue(
        Integer.parseInt(ended.split(" ", -1)[0]) > Integer.parseInt(lines.split(" ", -1)[0]),
        lines + " then " + ended);
    assertEquals(
        "0",
        text(browser, "String(document.querySelectorAll('meta[http-equiv=refresh]').length)"),
        "the last page stays");
    Files.write(Path.of("target", "load-test.png"), browser.screenshot());
  }

  /** Waits for a text; the test's own limit ends it. */
  private static String await(Chromium browser, String expression, String wanted) throws Exception {
    String text = text(browser, expression);
    while (!text.matches("(?s)" + wanted)) {
      TimeUnit.MILLISECONDS.sleep(25);
      text = text(browser, expression);
    }
    return text;
  }

  private static String text(Chromium browser, String expression) throws Exception {
    while (true) {
      try {
        return browser.evaluate(expression).asText();
      } catch (IllegalStateException e) {
        // The page was about to read itself again.
        TimeUnit.MILLISECONDS.sleep(25);
      }
    }
  }

  private static int run(int target, int live) throws Exception {
    Path file = Files.writeString(folder.resolve("w.yaml"), WORKLOAD);
    StringWriter said = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(
                "loadtest",
                "run",
                file.toString(),
                "--target",
                "http://127.0.0.1:" + target,
                "--live",
                Integer.toString(live),
                "--out",
                folder.resolve("out").toString());
    System.out.println(said);
    return code;
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
