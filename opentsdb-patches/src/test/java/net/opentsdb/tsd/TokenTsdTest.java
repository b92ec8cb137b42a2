package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import net.opentsdb.tsd.RunningTsd.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A TSD with a token file, over HTTP and telnet. */
@Timeout(60)
final class TokenTsdTest {
  private static final String READ = "grafana-reads-0123456789";
  private static final String WRITE = "collector-writes-0123456789";
  private static final String ADMIN = "operator-rules-0123456789";

  @TempDir private static Path home = Path.of("");
  private static RunningTsd tsd;

  @BeforeAll
  static void start() throws Exception {
    Path file =
        TokenFileTest.write(
            home.resolve("tokens"),
            "grafana read " + READ,
            "collector write " + WRITE,
            "operator admin " + ADMIN);
    tsd =
        RunningTsd.start(
            home,
            Map.of(
                RequestGuard.TOKEN_FILE,
                file.toString(),
                "tsd.core.enable_admin",
                "true",
                "tsd.http.query.allow_delete",
                "true",
                "tsd.http.allow_uid_assign",
                "true"));
  }

  @AfterAll
  static void stop() {
    tsd.close();
  }

  private static Answer get(String target, String... headers) throws IOException {
    return tsd.send("GET", target, headers);
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  private static String basic(String name, String token) {
    byte[] pair = (name + ":" + token).getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair);
  }

  @Test
  void answersNobodyWithoutAToken() throws IOException {
    for (String target :
        new String[] {"/", "/api/version", "/api/query?start=1h-ago&m=sum:x", "/s/x", "/logs"}) {
      Answer answer = get(target);
      assertEquals(401, answer.status(), target);
      assertEquals("Basic realm=\"OpenTSDB\"", answer.headers().get("www-authenticate"));
    }
    assertEquals(401, get("/api/version", bearer("wrong-0123456789abcdef")).status());
    assertEquals(401, get("/api/version", "Authorization: " + READ).status());
    assertEquals(401, get("/api/version", "Authorization: Basic %%%").status());
    assertEquals(401, get("/api/version", basic("operator", READ)).status());
  }

  @Test
  void acceptsBearerAndBasic() throws IOException {
    assertEquals(200, get("/api/version", bearer(READ)).status());
    assertEquals(200, get("/api/version", basic("grafana", READ)).status());
    assertEquals(200, get("/", basic("grafana", READ)).status());
  }

  @Test
  void keepsRolesApart() throws IOException {
    byte[] none = TsdAttackTest.bytes("[]");
    String json = "Content-Type: application/json";
    assertEquals(403, tsd.send("POST", "/api/put", none, json, bearer(READ)).status());
    assertTrue(tsd.send("POST", "/api/put", none, json, bearer(WRITE)).status() != 403);
    byte[] delete = TsdAttackTest.bytes(TsdAttackTest.DELETE);
    assertEquals(403, tsd.send("POST", "/api/query", delete, json, bearer(WRITE)).status());
    assertEquals(403, tsd.send("POST", "/api/uid/assign", none, json, bearer(WRITE)).status());
    assertEquals(403, tsd.send("DELETE", "/api/dropcaches", bearer(WRITE)).status());
    assertEquals(200, tsd.send("DELETE", "/api/dropcaches", bearer(ADMIN)).status());
    assertEquals(403, tsd.send("POST", "/logs?level=INFO&logger=x", bearer(WRITE)).status());
  }

  @Test
  void asksTelnetClientsToLogInFirst() throws IOException {
    assertEquals("error: log in first with: auth NAME TOKEN\n", telnet("version\nversion\n"));
    assertEquals("error: log in first with: auth NAME TOKEN\n", telnet("auth wrong\nversion\n"));
    assertEquals(
        "error: log in first with: auth NAME TOKEN\n",
        telnet("auth operator " + READ + "\nversion\n"));
    assertTrue(telnet("auth grafana " + READ + "\nversion\nexit\n").startsWith("ok\nnet.opentsdb"));
    assertEquals(
        "ok\nerror: writing points needs the role write\n",
        telnet("auth " + READ + "\nput a 1700000000 1 b=c\nexit\n"));
    assertTrue(telnet("auth " + ADMIN + "\ndropcaches\nexit\n").contains("Caches dropped"));
  }

  private static String telnet(String lines) throws IOException {
    return tsd.exchange(lines.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void doesNotShowWhereItsTokensAre() throws IOException {
    String settings = get("/api/config", bearer(READ)).body();
    assertTrue(settings.contains("\"tsd.core.token_file\":\"********\""), settings);
    assertTrue(Files.exists(home.resolve("tokens")));
  }
}
