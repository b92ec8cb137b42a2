package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import net.opentsdb.tsd.RunningTsd.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * What an attacker sends to a TSD with the settings it has out of the box, and what comes of it.
 */
@Timeout(60)
final class TsdAttackTest {
  static final String DELETE =
      "{\"start\":1,\"delete\":true,\"queries\":[{\"metric\":\"walk\",\"aggregator\":\"sum\"}]}";
  private static final String SCRIPT = "<script>alert(1)</script>";

  @TempDir private static Path home = Path.of("");
  private static RunningTsd tsd;
  private static Path loot = Path.of("");

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectories(home.resolve("static/sub"));
    Files.writeString(home.resolve("static/hello.txt"), "hello");
    Files.writeString(home.resolve("static/.hidden"), "hidden");
    Files.writeString(home.resolve("secret.txt"), "secret");
    Files.createSymbolicLink(home.resolve("static/way-out.txt"), home.resolve("secret.txt"));
    Files.createSymbolicLink(home.resolve("static/dir-out"), home);
    Files.createSymbolicLink(home.resolve("static/inside.txt"), home.resolve("static/hello.txt"));
    loot = home.resolve("loot");
    tsd = RunningTsd.start(home, Map.of());
  }

  @AfterAll
  static void stop() {
    tsd.close();
  }

  @BeforeEach
  void stillAnswers() throws IOException {
    assertEquals(200, tsd.send("GET", "/api/version").status());
  }

  @AfterEach
  void nothingWasRun() {
    assertFalse(Files.exists(loot), "a command was run");
  }

  @Test
  void timeZonesInUrlsAreHeeded() throws IOException {
    Answer answer = tsd.send("GET", "/api/query?start=1h-ago&m=sum:1dc-avg:walk&timezone=Atlantis");
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("timezone"), answer.body());
  }

  /** Each got a 500 from upstream, or, where the query string is malformed, no answer at all. */
  static Stream<String> unreadable() {
    return Stream.of(
        "/api/query?%s%n%x",
        "/?%s%n%x%00%2f",
        "/api/query?start=1h-ago&m=sum::walk",
        "/api/query?start=1h-ago&m=sum:walk%7Bsensor=nosuch(%7D",
        "/api/query?start=1h-ago&tsuid=sum:0000",
        "/api/query/gexp?start=1h-ago&exp=nosuch(sum:walk)",
        "/api/query/gexp?start=1h-ago&exp=sum:walk",
        "/api/annotation?start_time=1&tsuid=zz",
        "/api/annotation?start_time=tomorrow",
        "/api/uid/tsmeta?tsuid=",
        "/api/query/last?tsuids=zz");
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void whatCannotBeReadIsRefused(String target) throws IOException {
    Answer answer = tsd.send("GET", target);
    assertEquals(400, answer.status(), answer.body());
    for (String word : List.of("java.lang", "Exception", "null")) {
      assertFalse(answer.body().contains(word), answer.body());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/query", "/api/suggest", "/api/query/last", "/api/search/lookup"})
  void deeplyNestedJsonIsRefused(String target) throws IOException {
    for (String body :
        List.of("{\"a\":".repeat(20_000), "[".repeat(100_000), "{\"x\"", "7", "null")) {
      Answer answer =
          tsd.send(
              "POST",
              target,
              body.getBytes(StandardCharsets.US_ASCII),
              "Content-Type: application/json");
      assertEquals(400, answer.status(), answer.body());
    }
  }

  @Test
  void aQueryWithoutQueriesIsRefused() throws IOException {
    Answer answer =
        tsd.send(
            "POST",
            "/api/query",
            "{\"start\":1}".getBytes(StandardCharsets.US_ASCII),
            "Content-Type: application/json");
    assertEquals(400, answer.status(), answer.body());
    assertTrue(answer.body().contains("missing or null"), answer.body());
  }

  static Stream<String> gnuplotParameters() {
    return Stream.of(
        "o",
        "key",
        "style",
        "smooth",
        "yrange",
        "y2range",
        "ylabel",
        "y2label",
        "yformat",
        "y2format",
        "xformat",
        "ylog",
        "y2log",
        "title",
        "bgcolor",
        "fgcolor",
        "nokey",
        "wxh",
        "xrange",
        "png",
        "grid");
  }

  /** CVE-2018-12972, CVE-2020-35476, CVE-2023-25826, CVE-2023-36812. */
  @ParameterizedTest
  @MethodSource("gnuplotParameters")
  void runsNoCommandFromAParameterOfTheGraph(String parameter) throws IOException {
    for (String payload :
        List.of(
            "[33:system('touch " + loot + "')]",
            "[0:1]\nsystem('touch " + loot + "')",
            "out\nset output \"| touch " + loot + "\"",
            "`touch " + loot + "`",
            "%60touch " + loot + "%60")) {
      Answer answer =
          tsd.send(
              "GET",
              "/q?start=2000/10/21-00:00:00&m=sum:sys.cpu.nice&json&"
                  + parameter
                  + "="
                  + URLEncoder.encode(payload, StandardCharsets.UTF_8));
      assertEquals(400, answer.status());
      assertTrue(answer.body().contains("no gnuplot"), answer.body());
    }
    try (Stream<Path> cached = Files.list(home.resolve("cache"))) {
      assertEquals(0, cached.count(), "files written by a request");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2000000000", "8785"})
  void searchesNotTooFarBack(String hours) throws IOException {
    Answer answer = tsd.send("GET", "/api/query/last?tsuids=000001000001000001&back_scan=" + hours);
    assertEquals(400, answer.status(), answer.body());
    assertTrue(answer.body().contains("8784 hours"), answer.body());
  }

  @Test
  void drawsNothingOnTheServer() throws IOException {
    assertInstanceOf(AsciiGraph.class, RpcManager.instance(tsd.tsdb()).lookupHttpRpc("q"));
    Answer answer = tsd.send("GET", "/q?start=1h-ago&m=sum:sys.cpu.nice");
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("ascii or json"), answer.body());
  }

  @Test
  void tellsWhatIsWrongWithAQueryOfTheGraph() throws IOException {
    Answer answer = tsd.send("GET", "/q?start=1h-ago&ascii&m=sum:x%7Bhost=nothing(a)%7D");
    assertEquals(400, answer.status(), answer.body());
    assertTrue(answer.body().contains("filter of the type: nothing"), answer.body());
  }

  /** CVE-2018-12973, CVE-2018-13003, CVE-2023-25827. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/q?json&start=@&m=sum:x",
        "/q?ascii&start=1h-ago&m=@",
        "/q?@=1&ascii",
        "/q.html?start=@",
        "/suggest?type=@",
        "/suggest/x.html?type=@",
        "/logs?level=@",
        "/logs/@.html",
        "/logs/x.html",
        "/@",
        "/s/@",
        "/api/suggest?type=@",
        "/api/@",
        "/api/v@/query",
        "/api/query?start=@&m=sum:x",
        "/api/query?start=1h-ago&m=@:x",
        "/api/suggest?type=metrics&serializer=@",
        "/aggregators/x.html?json=@",
        "/version/x.html?json=@"
      })
  void neverAnswersWithTheRequestsOwnScript(String target) throws IOException {
    for (String script :
        List.of(SCRIPT, URLEncoder.encode(SCRIPT, StandardCharsets.UTF_8).replace("+", "%20"))) {
      Answer answer = tsd.send("GET", target.replace("@", script));
      if (answer.type().startsWith("text/html")) {
        assertFalse(answer.body().contains("<script"), answer.body());
      } else {
        assertTrue(
            answer.type().startsWith("application/json") || answer.type().startsWith("text/plain"),
            answer.type());
      }
      assertEquals("nosniff", answer.headers().get("x-content-type-options"));
      assertTrue(
          answer.headers().get("content-security-policy").startsWith("default-src 'none'"),
          answer.headers().toString());
    }
  }

  @Test
  void showsNoLogAsAPage() throws IOException {
    tsd.send("GET", "/nowhere" + SCRIPT);
    Answer answer = tsd.send("GET", "/logs/x.html");
    assertEquals(200, answer.status());
    assertTrue(answer.type().startsWith("text/plain"), answer.type());
  }

  @Test
  void tellsNoStackTraces() throws IOException {
    Answer answer = tsd.send("GET", "/api/suggest?type=nothing");
    assertEquals(400, answer.status());
    assertFalse(answer.body().contains("trace"), answer.body());
    assertFalse(answer.body().contains("net.opentsdb"), answer.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"alert(1)//", "ok", "a%0d%0aX:y"})
  void wrapsNoAnswerInACallback(String callback) throws IOException {
    Answer answer = tsd.send("GET", "/api/aggregators?jsonp=" + callback);
    assertEquals(400, answer.status());
    assertTrue(answer.body().startsWith("{\"error\""), answer.body());
  }

  @Test
  void evaluatesNoExpression() throws IOException {
    Answer answer = tsd.send("POST", "/api/query/exp", hostileExpression("a + 1"));
    assertEquals(403, answer.status());
    assertTrue(answer.body().contains("tsd.http.query.allow_exp"), answer.body());
  }

  @Test
  void dropsNoCaches() throws IOException {
    for (String method : List.of("GET", "DELETE", "POST")) {
      Answer answer = tsd.send(method, "/api/dropcaches");
      assertEquals(403, answer.status());
      assertTrue(answer.body().contains("tsd.core.enable_admin"), answer.body());
    }
    assertTrue(telnet("dropcaches\nexit\n").contains("unknown command"));
    assertEquals(404, tsd.send("GET", "/dropcaches").status());
  }

  @Test
  void endsForNobody() throws IOException {
    assertEquals(404, tsd.send("GET", "/diediedie").status());
    assertEquals(404, tsd.send("POST", "/diediedie").status());
    assertTrue(telnet("diediedie\nexit\n").contains("unknown command"));
    assertEquals(200, tsd.send("GET", "/api/version").status());
  }

  @Test
  void changesNoLogLevel() throws IOException {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Level before = root.getLevel();
    for (String method : List.of("GET", "POST")) {
      assertEquals(403, tsd.send(method, "/logs?level=TRACE").status());
    }
    assertEquals(before, root.getLevel());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/s/../secret.txt",
        "/s/%2e%2e/secret.txt",
        "/s/%2e%2e%2fsecret.txt",
        "/s/..%2fsecret.txt",
        "/s/.%2e/secret.txt",
        "/s/%252e%252e/secret.txt",
        "/s/sub/../../secret.txt",
        "/s/..\\secret.txt",
        "/s/%5c..%5csecret.txt",
        "/s/way-out.txt",
        "/s/dir-out/secret.txt",
        "/s//etc/passwd",
        "/s/%2fetc/passwd",
        "/s/hello.txt%00.png",
        "/s/.hidden",
        "/s/sub",
        "/s/",
        "/s",
        "/favicon.ico/../../secret.txt"
      })
  void servesNoFileOutsideItsRoot(String target) throws IOException {
    Answer answer = tsd.send("GET", target);
    assertTrue(answer.status() == 404 || answer.status() == 400, target + ": " + answer);
    assertFalse(answer.body().contains("secret") && !answer.body().contains("secret.txt"));
  }

  @Test
  void servesFilesInsideItsRoot() throws IOException {
    assertEquals("hello", tsd.send("GET", "/s/hello.txt").body());
    assertEquals("hello", tsd.send("GET", "/s/inside.txt?x=1").body());
  }

  @Test
  void refusesABodyThatInflatesTooFar() throws IOException {
    byte[] bomb = gzip(new byte[4 << 20]);
    assertTrue(bomb.length < 8192, "in one piece");
    Answer answer = tsd.send("POST", "/api/version", bomb, "Content-Encoding: gzip");
    assertEquals(413, answer.status());
    assertTrue(answer.body().contains("1048576"), answer.body());
  }

  @Test
  void takesABodyThatInflatesModestly() throws IOException {
    byte[] body = gzip(new byte[1 << 20]);
    assertEquals(200, tsd.send("POST", "/api/version", body, "Content-Encoding: gzip").status());
  }

  @Test
  void refusesChunksUnlessConfigured() throws IOException {
    Answer answer = tsd.send("POST", "/api/version", chunks(10, 100), "Transfer-Encoding: chunked");
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("enable_chunked"), answer.body());
    assertEquals(400, tsd.send("POST", "/api/version", new byte[10_000]).status());
  }

  @Test
  void refusesABodyThatIsNotCompressedAsItSays() throws IOException {
    Answer answer = tsd.send("POST", "/api/version", new byte[100], "Content-Encoding: gzip");
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("Content-Encoding"), answer.body());
  }

  @ParameterizedTest
  @ValueSource(ints = {5_000, 200_000})
  void refusesHeadsThatAreTooLong(int bytes) throws IOException {
    Answer line = tsd.send("GET", "/api/version?x=" + "y".repeat(bytes));
    assertEquals(414, line.status());
    assertTrue(line.body().contains("4096 bytes"), line.body());
    Answer headers = tsd.send("GET", "/api/version", "X-Long: " + "y".repeat(2 * bytes));
    assertEquals(431, headers.status());
    assertTrue(headers.body().contains("8192 bytes"), headers.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /\r\n\r\n", "GET / HTTP/x\r\n\r\n", "G\0T / SPDY/3\r\n\r\n"})
  void refusesWhatIsNoHttp(String request) throws IOException {
    String answer = tsd.exchange(request.getBytes(StandardCharsets.US_ASCII));
    assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
  }

  @Test
  void refusesAnExpressionThatCannotBeRead() throws IOException {
    Answer answer = tsd.send("GET", "/api/query/gexp?start=1h-ago&exp=sum(%F0%9F%9A%80)");
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("expression cannot be read"), answer.body());
  }

  /** A query that fails while it begins does not stay among the running ones. */
  @Test
  void forgetsAQueryThatFails() throws IOException {
    byte[] query =
        "{\"start\":1,\"queries\":[{\"aggregator\":\"sum\",\"tsuids\":[\"zz\"]}]}"
            .getBytes(StandardCharsets.US_ASCII);
    Answer answer = tsd.send("POST", "/api/query", query, "Content-Type: application/json");
    assertTrue(answer.status() >= 400, answer.body());
    String stats = tsd.send("GET", "/api/stats/query").body();
    JsonNode running = new ObjectMapper().readTree(stats).get("running");
    assertFalse(running.toString().contains("\"zz\""), stats);
  }

  @Test
  void refusesAmbiguousLengths() throws IOException {
    for (String[] headers :
        List.of(
            new String[] {"Content-Length: 4", "Content-Length: 6"},
            new String[] {"Content-Length: 4", "Transfer-Encoding: chunked"},
            new String[] {"Transfer-Encoding: chunked", "Transfer-Encoding: identity"},
            new String[] {"Transfer-Encoding: xchunked", "Content-Length: 4"})) {
      String raw =
          "POST /api/version HTTP/1.1\r\nHost: x\r\n"
              + String.join("\r\n", headers)
              + "\r\n\r\n0\r\n\r\nGET /api/aggregators HTTP/1.1\r\nHost: x\r\n\r\n";
      String answer = tsd.exchange(raw.getBytes(StandardCharsets.US_ASCII));
      assertTrue(answer.startsWith("HTTP/1.1 400"), String.join(", ", headers) + ": " + answer);
      assertFalse(answer.contains("zimsum"), "the hidden request was answered");
    }
  }

  @Test
  void endsAConnectionThatSendsAnEndlessLine() throws IOException {
    String line = "put " + "x".repeat(9_000);
    assertEquals("error: a line may have at most 8192 bytes\n", telnet(line + "\nversion\n"));
    assertEquals(
        "error: a line may have at most 8192 bytes\n", telnet("put " + "x".repeat(50_000)));
  }

  @Test
  void takesALineOfFullLength() throws IOException {
    String answer = telnet("x".repeat(8_192) + "\r\nversion\nexit\n");
    assertTrue(answer.startsWith("unknown command: xxx"), answer);
    assertTrue(answer.contains("Built on"), answer);
  }

  @Test
  void takesNoOrdersFromPagesOfOtherSites() throws IOException {
    for (String mode : List.of("no-cors", "cors")) {
      Answer answer =
          tsd.send(
              "POST",
              "/api/put",
              "[]".getBytes(StandardCharsets.US_ASCII),
              "Sec-Fetch-Site: cross-site",
              "Sec-Fetch-Mode: " + mode,
              "Origin: http://evil.test");
      assertEquals(403, answer.status());
    }
    assertEquals(
        403,
        tsd.send("GET", "/api/aggregators", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors")
            .status());
    assertEquals(
        405,
        tsd.send(
                "GET",
                "/api/uid/tsmeta?tsuid=000001&method_override=delete",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: navigate")
            .status());
    assertEquals(
        200,
        tsd.send("GET", "/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate").status());
    assertEquals(200, tsd.send("GET", "/api/aggregators", "Sec-Fetch-Site: same-origin").status());
  }

  /** What a page gets to send over plain HTTP, where browsers leave out Sec-Fetch-Site. */
  @Test
  void takesNoOrdersFromOtherOriginsOverPlainHttp() throws IOException {
    for (String origin : List.of("http://evil.test", "http://localhost:8080", "null")) {
      Answer answer =
          tsd.send(
              "POST", "/api/query", bytes(DELETE), "Content-Type: text/plain", "Origin: " + origin);
      assertEquals(403, answer.status());
      assertTrue(answer.body().contains("cors_domains"), answer.body());
    }
    assertEquals(
        403,
        tsd.send("GET", "/api/aggregators", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors")
            .status());
    assertEquals(200, tsd.send("GET", "/api/aggregators", "Origin: http://localhost").status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.test", "evil.test:4242", "localhost.evil.test"})
  void isNotAddressedByForeignNames(String host) throws IOException {
    Answer answer = tsd.send("GET", "/api/aggregators", "Host: " + host);
    assertEquals(421, answer.status());
    assertTrue(answer.body().contains(HostNames.SETTING), answer.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:4242", "127.0.0.1:1", "[::1]:4242"})
  void isAddressedByItsOwnNames(String host) throws IOException {
    assertEquals(200, tsd.send("GET", "/api/aggregators", "Host: " + host).status());
  }

  @Test
  void deletesNothingThatABodyAsksFor() throws IOException {
    Answer answer = tsd.send("POST", "/api/query", bytes(DELETE), "Content-Type: application/json");
    assertEquals(403, answer.status(), answer.body());
    assertTrue(answer.body().contains("tsd.http.query.allow_delete"), answer.body());
    assertEquals(403, tsd.send("DELETE", "/api/query?start=1h-ago&m=sum:walk").status());
  }

  static Stream<String> switchedOff() {
    return Stream.of(
        "POST /api/uid/assign?metric=x tsd.http.allow_uid_assign",
        "GET /api/uid/assign?metric=x tsd.http.allow_uid_assign",
        "POST /api/v1/uid/rename?metric=x&name=y tsd.http.allow_uid_rename",
        "POST /api/uid/uidmeta?uid=000001&type=metric tsd.http.allow_meta_writes",
        "DELETE /api/uid/tsmeta?tsuid=000001 tsd.http.allow_meta_writes",
        "POST /api/annotation?start_time=1 tsd.http.allow_annotation_writes",
        "DELETE /api/annotation/bulk?start_time=1&global=true tsd.http.allow_annotation_writes",
        "POST /api/tree?name=x tsd.http.allow_tree_writes",
        "DELETE /api/tree/rule?treeid=1 tsd.http.allow_tree_writes");
  }

  @ParameterizedTest
  @MethodSource("switchedOff")
  void changesNothingUnlessConfigured(String request) throws IOException {
    String[] words = request.split(" ", -1);
    Answer answer = tsd.send(words[0], words[1]);
    assertEquals(403, answer.status(), answer.body());
    assertTrue(answer.body().contains(words[2] + "=true"), answer.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"post", "put", "DELETE", "x"})
  void takesNoMethodFromAParameter(String method) throws IOException {
    Answer answer = tsd.send("GET", "/api/annotation?start_time=1&method_override=" + method);
    assertEquals(405, answer.status(), answer.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/plain", "application/x-www-form-urlencoded", "text/json;x=application/json"})
  void takesOnlyJsonAsPoints(String type) throws IOException {
    assertEquals(415, tsd.send("POST", "/api/put", bytes("[]"), "Content-Type: " + type).status());
    assertEquals(415, tsd.send("POST", "/api/put", bytes("[]")).status());
  }

  @Test
  void hidesCredentialsAmongRunningQueries() {
    assertTrue(net.opentsdb.utils.Secrets.isSecretHeader("Authorization"));
    assertTrue(net.opentsdb.utils.Secrets.isSecretHeader("Proxy-Authorization"));
    assertTrue(net.opentsdb.utils.Secrets.isSecretHeader("Cookie"));
    assertTrue(net.opentsdb.utils.Secrets.isSecretHeader("X-Auth-Token"));
    assertFalse(net.opentsdb.utils.Secrets.isSecretHeader("Accept"));
  }

  @Test
  void hidesSecretsAmongTheSettings() throws IOException {
    tsd.tsdb().getConfig().overrideConfig("plugin.access_token", "hunter2");
    tsd.tsdb().getConfig().overrideConfig("plugin.client.secret", "hunter2");
    String settings = tsd.send("GET", "/api/config").body();
    assertFalse(settings.contains("hunter2"), settings);
    assertTrue(settings.contains("\"plugin.access_token\":\"********\""), settings);
    assertFalse(tsd.tsdb().getConfig().dumpConfiguration().contains("hunter2"));
  }

  @Test
  void detailsOfARefusedQueryAreSentences() throws IOException {
    for (String body :
        List.of(
            "{\"queries\":[{\"metric\":\"walk\",\"aggregator\":\"sum\"}]}",
            "{\"start\":1,\"queries\":[{\"metric\":\"walk\",\"aggregator\":\"nosuch\"}]}",
            "{\"start\":1,\"queries\":[null]}")) {
      Answer answer = tsd.send("POST", "/api/query", bytes(body), "Content-Type: application/json");
      assertEquals(400, answer.status(), answer.body());
      assertTrue(answer.body().contains("\"details\":\"Nothing was read"), answer.body());
      assertFalse(answer.body().contains("Query("), answer.body());
    }
  }

  @Test
  void asksForNoMoreNamesThanTheLimit() {
    assertEquals(25, Suggestions.atMost(25));
    assertEquals(10_000, Suggestions.atMost(Integer.MAX_VALUE));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String telnet(String lines) throws IOException {
    return tsd.exchange(lines.getBytes(StandardCharsets.ISO_8859_1));
  }

  static byte[] hostileExpression(String expression) {
    return ("{\"time\":{\"start\":\"1h-ago\",\"aggregator\":\"sum\"},\"metrics\":[{\"id\":\"a\","
            + "\"metric\":\"sys.cpu.user\"}],\"expressions\":[{\"id\":\"e\",\"expr\":\""
            + expression.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
            + "\"}],\"outputs\":[{\"id\":\"e\"}]}")
        .getBytes(StandardCharsets.UTF_8);
  }

  static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    }
    return out.toByteArray();
  }

  static byte[] chunks(int count, int size) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(Integer.toHexString(size)).append("\r\n").append("x".repeat(size)).append("\r\n");
    }
    return text.append("0\r\n\r\n").toString().getBytes(StandardCharsets.US_ASCII);
  }
}
