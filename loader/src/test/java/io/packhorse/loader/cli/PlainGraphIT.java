package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** What the endpoints that changed for safety's sake still answer, on a real store. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PlainGraphIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final long START = 1_704_067_200;

  @Test
  void asciiIsAsStockGivesItAndJsonCountsTheSame() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    StringWriter said = new StringWriter();
    CommandLine command = Packhorse.commandLine().setOut(new PrintWriter(said, true));
    String dir = server.store().root().toString();
    assertEquals(
        0,
        command.execute(
            "loadtest",
            "fill",
            "--dir",
            dir,
            "--metric",
            "it.plain",
            "--sensors",
            "3",
            "--span",
            "2h",
            "--cells",
            "compacted"),
        said.toString());
    for (String m :
        List.of(
            "sum:it.plain",
            "avg:1m-avg:it.plain{sensor=*}",
            "sum:rate:it.plain{sensor=s001}",
            "none:10m-p95:it.plain")) {
      String query =
          "/q?start=2024/01/01-01:10:00&end=2024/01/01-02:50:00&tz=Europe/Berlin&m="
              + URLEncoder.encode(m, StandardCharsets.UTF_8);
      HttpResponse<String> stock = get(server, TsdKind.STOCK, query + "&ascii");
      HttpResponse<String> ours = get(server, TsdKind.PATCHED, query + "&ascii");
      assertEquals(200, ours.statusCode(), ours.body());
      assertEquals(sorted(stock.body()), sorted(ours.body()), m);
      assertTrue(ours.body().startsWith("it.plain 17040"), ours.body());

      HttpResponse<String> counted = get(server, TsdKind.PATCHED, query + "&json");
      JsonNode counts = new ObjectMapper().readTree(counted.body());
      assertTrue(counts.get("plotted").asInt() > 0, counted.body());
      assertTrue(counts.get("plotted").asLong() <= ours.body().lines().count(), counted.body());
      assertEquals(1, counts.get("etags").size());
    }
    assertEquals(
        400, get(server, TsdKind.PATCHED, "/q?start=1h-ago&m=sum:no.such&ascii").statusCode());
  }

  @Test
  void gexpAnswersAndExpDoesNot() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    assertEquals(204, put("it.gexp", START, 10, server).get().statusCode());
    String exp = URLEncoder.encode("scale(sum:it.gexp,10)", StandardCharsets.UTF_8);
    HttpResponse<String> answer =
        get(
            server,
            TsdKind.PATCHED,
            "/api/query/gexp?start=" + START + "&end=" + (START + 60) + "&exp=" + exp);
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"" + START + "\":0"), answer.body());
    assertEquals(403, get(server, TsdKind.PATCHED, "/api/query/exp").statusCode());
  }

  /** Stock counts an hour of single points as 200 MB, thirty of them as over the default limit. */
  @Test
  void rowsOfSinglePointsStayWithinTheDefaultLimits() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    int hours = 30;
    List<CompletableFuture<HttpResponse<String>>> puts = new ArrayList<>();
    for (int hour = 0; hour < hours; hour++) {
      puts.add(put("it.limits", START + hour * 3600L, 3600, server));
    }
    for (CompletableFuture<HttpResponse<String>> put : puts) {
      assertEquals(204, put.get().statusCode(), put.get().body());
    }
    HttpResponse<String> answer =
        get(
            server,
            TsdKind.PATCHED,
            "/api/query?start="
                + START
                + "&end="
                + (START + hours * 3600L)
                + "&m=sum:0all-count:it.limits");
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains(":108000"), answer.body());
  }

  /** Stores points of one series, a second apart; done when HBase has them. */
  private static CompletableFuture<HttpResponse<String>> put(
      String metric, long start, int points, EmbeddedServer server) {
    StringBuilder body = new StringBuilder("[");
    for (int i = 0; i < points; i++) {
      body.append(i == 0 ? "" : ",")
          .append("{\"metric\":\"")
          .append(metric)
          .append("\",\"timestamp\":")
          .append(start + i)
          .append(",\"value\":")
          .append(i)
          .append(",\"tags\":{\"host\":\"a\"}}");
    }
    HttpRequest request =
        HttpRequest.newBuilder(server.tsdUrl().resolve("/api/put?sync"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.append(']').toString()))
            .timeout(Duration.ofMinutes(1))
            .build();
    return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(EmbeddedServer server, TsdKind kind, String target)
      throws Exception {
    URI address = URI.create(server.tsd(kind).orElseThrow().url() + target);
    return HTTP.send(
        HttpRequest.newBuilder(address).timeout(Duration.ofMinutes(1)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static List<String> sorted(String text) {
    return text.lines().sorted().toList();
  }
}
