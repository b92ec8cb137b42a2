package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.opentsdb.tsd.RunningTsd.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** A TSD whose operator has turned on what is off: it works, and stays within its bounds. */
@Timeout(60)
final class OpenedTsdTest {
  @TempDir private static Path home = Path.of("");
  private static RunningTsd tsd;

  @BeforeAll
  static void start() throws IOException {
    tsd =
        RunningTsd.start(
            home,
            Map.ofEntries(
                Map.entry("tsd.core.enable_admin", "true"),
                Map.entry("tsd.no_diediedie", "false"),
                Map.entry("tsd.http.query.allow_exp", "true"),
                Map.entry("tsd.http.show_stack_trace", "true"),
                Map.entry("tsd.http.request.enable_chunked", "true"),
                Map.entry("tsd.http.request.max_chunk", "65536"),
                Map.entry("tsd.http.request.cors_domains", "http://dashboards.test"),
                Map.entry("tsd.http.host_names", "tsd.corp, localhost"),
                Map.entry("tsd.http.allow_uid_assign", "true"),
                Map.entry("tsd.http.allow_uid_rename", "true"),
                Map.entry("tsd.http.query.allow_delete", "true")));
  }

  @AfterAll
  static void stop() {
    tsd.close();
  }

  @ParameterizedTest
  @MethodSource("net.opentsdb.query.expression.ArithmeticJexlTest#attacks")
  void evaluatesNoJava(String expression) throws IOException {
    Answer answer = tsd.send("POST", "/api/query/exp", TsdAttackTest.hostileExpression(expression));
    assertEquals(400, answer.status(), answer.body());
    assertFalse(Files.exists(Path.of("/tmp/packhorse-loot")), "a command was run");
  }

  @Test
  void dropsCachesByDeleteAndTelnet() throws IOException {
    assertEquals(405, tsd.send("GET", "/api/dropcaches").status());
    assertEquals(200, tsd.send("DELETE", "/api/dropcaches").status());
    String answer = tsd.exchange("dropcaches\nexit\n".getBytes(StandardCharsets.US_ASCII));
    assertTrue(answer.contains("Caches dropped"), answer);
  }

  @Test
  void endsForNoGet() throws IOException {
    assertEquals(405, tsd.send("GET", "/diediedie").status());
    assertEquals(200, tsd.send("GET", "/api/version").status());
  }

  @Test
  void changesALogLevelByPost() throws IOException {
    Logger logger = (Logger) LoggerFactory.getLogger("net.opentsdb.tsd.OpenedTsdTest");
    assertEquals(405, tsd.send("GET", "/logs?level=ERROR&logger=" + logger.getName()).status());
    assertEquals(200, tsd.send("POST", "/logs?level=ERROR&logger=" + logger.getName()).status());
    assertEquals(Level.ERROR, logger.getLevel());
  }

  @Test
  void collectsChunksUpToTheLimit() throws IOException {
    String chunked = "Transfer-Encoding: chunked";
    assertEquals(
        200, tsd.send("POST", "/api/version", TsdAttackTest.chunks(64, 1024), chunked).status());
    assertEquals(
        413, tsd.send("POST", "/api/version", TsdAttackTest.chunks(65, 1024), chunked).status());
    assertEquals(
        413, tsd.send("POST", "/api/version", TsdAttackTest.chunks(1024, 1024), chunked).status());
    assertEquals(200, tsd.send("POST", "/api/version", new byte[65_536]).status());
    assertEquals(413, tsd.send("POST", "/api/version", new byte[65_537]).status());
  }

  @Test
  void refusesALargeBodyThatInflatesTooFar() throws IOException {
    byte[] bomb = TsdAttackTest.gzip(new byte[64 << 20]);
    assertTrue(bomb.length > 8192, "in several pieces");
    assertTrue(bomb.length < 65_536 + 8192, "compressed, within the limit");
    Answer answer = tsd.send("POST", "/api/version", bomb, "Content-Encoding: gzip");
    assertEquals(413, answer.status());
  }

  @Test
  void saysWhetherToGoOnBeforeTheBody() throws IOException {
    String head =
        "POST /api/version HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ";
    String small = tsd.exchange((head + "20000\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    assertTrue(small.startsWith("HTTP/1.1 100"), small);
    String large = tsd.exchange((head + "9999999\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    assertTrue(large.startsWith("HTTP/1.1 413"), large);
  }

  @Test
  void changesNothingByGetEvenIfConfigured() throws IOException {
    assertEquals(405, tsd.send("GET", "/api/uid/assign?metric=x").status());
    assertEquals(405, tsd.send("GET", "/api/uid/rename?metric=x&name=y").status());
    assertEquals(415, tsd.send("POST", "/api/uid/assign", TsdAttackTest.bytes("{}")).status());
  }

  @Test
  void deletesOnlyByJson() throws IOException {
    Answer answer =
        tsd.send(
            "POST",
            "/api/query",
            TsdAttackTest.bytes(TsdAttackTest.DELETE),
            "Content-Type: text/plain");
    assertEquals(415, answer.status());
  }

  @Test
  void isAddressedByListedNames() throws IOException {
    assertEquals(200, tsd.send("GET", "/api/aggregators", "Host: TSD.corp:4242").status());
    assertEquals(421, tsd.send("GET", "/api/aggregators", "Host: evil.test").status());
  }

  @Test
  void answersPagesThatCorsAllows() throws IOException {
    Answer answer =
        tsd.send(
            "GET",
            "/api/aggregators",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Mode: cors",
            "Origin: http://dashboards.test");
    assertEquals(200, answer.status());
    assertEquals("http://dashboards.test", answer.headers().get("access-control-allow-origin"));
    assertEquals(
        403,
        tsd.send(
                "GET",
                "/api/aggregators",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: cors",
                "Origin: http://evil.test")
            .status());
  }
}
