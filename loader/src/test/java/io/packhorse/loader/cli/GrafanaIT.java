package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdFixture;
import io.packhorse.loader.store.TsdKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The requests of Grafana's OpenTSDB data source: a stock TSD answers them over compacted cells,
 * the patched one over packed cells of the same points; they must say the same.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class GrafanaIT {
  private static final String STOCK_METRIC = "it.grafana.compacted";
  private static final String OUR_METRIC = "it.grafana.packed";
  private static final long START_S = 1_704_067_200;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder = Path.of("");

  @BeforeAll
  static void load() throws Exception {
    load(STOCK_METRIC, "compacted", "--meta");
    load(OUR_METRIC, "packed", "--meta");
  }

  private static void load(String metric, String cells, String meta) throws Exception {
    load("--metric %s --cells %s %s --sensors 4 --span 3h".formatted(metric, cells, meta));
  }

  private static void load(String what) throws Exception {
    String store = EmbeddedStoreFixture.shared().store().root().toString();
    String options = "loadtest fill --dir " + store + " " + what;
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = Packhorse.commandLine().setOut(writer).setErr(writer).execute(options.split(" "));
    assertEquals(ExitCode.OK.code(), code, said.toString());
  }

  /** Saving the data source, and filling its editor. */
  @Test
  void editorRequests() throws Exception {
    String version = get(TsdKind.PATCHED, "/api/version");
    assertEquals("eb125a342", json(version).get("short_revision").asText());
    for (String request :
        List.of(
            "/api/suggest?type=metrics&q=cpu&max=1000",
            "/api/suggest?type=metrics&q=it.grafana.&max=1000",
            "/api/suggest?type=tagk&q=sen&max=1000",
            "/api/suggest?type=tagv&q=s00&max=1000",
            "/api/aggregators")) {
      assertEquals(
          sorted(get(TsdKind.STOCK, request)), sorted(get(TsdKind.PATCHED, request)), request);
    }
    assertEquals(filters(TsdKind.STOCK), filters(TsdKind.PATCHED));
    assertTrue(
        get(TsdKind.PATCHED, "/api/suggest?type=metrics&q=it.grafana.&max=1000")
            .contains(OUR_METRIC));
  }

  /** The filters a TSD offers, without the description of regexp, whose engine differs. */
  private static JsonNode filters(TsdKind tsd) throws Exception {
    JsonNode filters = json(get(tsd, "/api/config/filters"));
    ((ObjectNode) filters.get("regexp")).remove("description");
    return filters;
  }

  /** Template variables: {@code tag_values(metric, sensor)}. */
  @Test
  void lookup() throws Exception {
    String request =
        "/api/search/lookup?limit=1000&m="
            + URLEncoder.encode("METRIC{sensor=*}", StandardCharsets.UTF_8);
    JsonNode stock = json(get(TsdKind.STOCK, request.replace("METRIC", STOCK_METRIC)));
    JsonNode ours = json(get(TsdKind.PATCHED, request.replace("METRIC", OUR_METRIC)));
    assertEquals(4, ours.get("totalResults").asInt(), ours.toString());
    assertEquals(tags(stock), tags(ours));
  }

  /** OpenTSDB's own tool, where a load left the rows out; last, as it rewrites those of others. */
  @Test
  @Order(Integer.MAX_VALUE)
  void metasyncFindsPackedSeries() throws Exception {
    load("it.grafana.bare", "packed", "--no-meta");
    String request = "/api/search/lookup?m=it.grafana.bare%7Bsensor=*%7D";
    assertEquals(0, json(get(TsdKind.PATCHED, request)).get("totalResults").asInt());
    TsdFixture.runTool(EmbeddedStoreFixture.shared().store(), folder, "UidManager", "metasync");
    assertEquals(4, json(get(TsdKind.PATCHED, request)).get("totalResults").asInt());
  }

  /** The newest point of each series, found by the stamp of its counter. */
  @Test
  void lastPoints() throws Exception {
    String request = "/api/query/last?resolve=true&timeseries=METRIC";
    JsonNode stock = json(get(TsdKind.STOCK, request.replace("METRIC", STOCK_METRIC)));
    JsonNode ours = json(get(TsdKind.PATCHED, request.replace("METRIC", OUR_METRIC)));
    assertEquals(4, ours.size(), ours.toString());
    ours.forEach(
        point -> assertEquals((START_S + 3 * 3600 - 1) * 1000, point.get("timestamp").asLong()));
    assertEquals(lastValues(stock), lastValues(ours));
  }

  /** So many series that an HFile makes them known. */
  @Test
  void manySeries() throws Exception {
    load(
        "--metric it.grafana.many --sink hfiles --meta --sensors 10000 --interval 1h --span 2h"
            + " --start 2024-01-01");
    for (String sensor : List.of("s000", "s5000", "s9999")) {
      String series = "it.grafana.many%7Bsensor=" + sensor + "%7D";
      JsonNode found = json(get(TsdKind.STOCK, "/api/search/lookup?m=" + series)).get("results");
      assertEquals(1, found.size(), found.toString());
      JsonNode last = json(get(TsdKind.PATCHED, "/api/query/last?timeseries=" + series));
      assertEquals((START_S + 3600) * 1000, last.get(0).get("timestamp").asLong(), last.toString());
      String tsuid = found.get(0).get("tsuid").asText();
      JsonNode object = json(get(TsdKind.STOCK, "/api/uid/tsmeta?tsuid=" + tsuid));
      assertEquals("it.grafana.many", object.get("metric").get("name").asText());
    }
  }

  private static Map<String, String> lastValues(JsonNode last) {
    Map<String, String> values = new TreeMap<>();
    last.forEach(point -> values.put(point.get("tags").toString(), point.get("value").toString()));
    return values;
  }

  /** What a user says of a series stays when it is loaded again. */
  @Test
  void metaObjects() throws Exception {
    JsonNode untouched = metaObject("s002");
    JsonNode fresh = metaObject("s003");
    assertEquals(STOCK_METRIC, fresh.get("metric").get("name").asText());
    assertTrue(fresh.get("created").asLong() > START_S, fresh.toString());
    String edit = "{\"tsuid\":\"%s\",\"units\":\"bar\"}".formatted(fresh.get("tsuid").asText());
    assertEquals("bar", json(post(TsdKind.STOCK, "/api/uid/tsmeta", edit)).get("units").asText());
    load();
    assertEquals("bar", metaObject("s003").get("units").asText());
    assertEquals(untouched.get("created"), metaObject("s002").get("created"));
  }

  private static JsonNode metaObject(String sensor) throws Exception {
    JsonNode series =
        json(
            get(
                TsdKind.STOCK,
                "/api/search/lookup?m=" + STOCK_METRIC + "%7Bsensor=" + sensor + "%7D"));
    String tsuid = series.get("results").get(0).get("tsuid").asText();
    return json(get(TsdKind.STOCK, "/api/uid/tsmeta?tsuid=" + tsuid));
  }

  private static Set<String> tags(JsonNode lookup) {
    Set<String> tags = new TreeSet<>();
    lookup.get("results").forEach(series -> tags.add(series.get("tags").toString()));
    return tags;
  }

  @Test
  void panels() throws Exception {
    String filter =
        """
        "filters":[{"type":"%s","tagk":"sensor","filter":"%s","groupBy":%s}]""";
    for (String query :
        List.of(
            "\"aggregator\":\"sum\"",
            "\"aggregator\":\"sum\",\"downsample\":\"1m-avg\","
                + filter.formatted("wildcard", "*", true),
            "\"aggregator\":\"max\",\"downsample\":\"5m-max-zero\"",
            "\"aggregator\":\"max\",\"downsample\":\"10m-min-null\","
                + filter.formatted("literal_or", "s001|s002", true),
            "\"aggregator\":\"none\",\"downsample\":\"1h-sum-nan\"",
            "\"aggregator\":\"max\",\"downsample\":\"0all-max\"",
            "\"aggregator\":\"none\",\"rate\":true,\"rateOptions\":{\"counter\":true,"
                + "\"dropResets\":true},\"downsample\":\"1m-max\","
                + filter.formatted("regexp", "s00[12]", false),
            "\"aggregator\":\"p95\",\"downsample\":\"1m-p99\",\"explicitTags\":true,"
                + filter.formatted("not_literal_or", "s003", false))) {
      for (boolean milliseconds : new boolean[] {false, true}) {
        for (String path : List.of("/api/query", "/api/query?arrays=true")) {
          String stock = panel(TsdKind.STOCK, path, query, milliseconds);
          String ours = panel(TsdKind.PATCHED, path, query, milliseconds);
          assertEquals(groups(stock), groups(ours), path + " " + query);
        }
      }
    }
  }

  /** By their tags: their order is that of the salt. */
  private static Map<String, String> groups(String answer) throws Exception {
    Map<String, String> groups = new TreeMap<>();
    for (JsonNode group : json(answer)) {
      assertTrue(group.get("dps").size() > 0, answer);
      groups.put(group.get("tags").toString(), group.toString());
    }
    return groups;
  }

  private static String panel(TsdKind kind, String path, String query, boolean milliseconds)
      throws Exception {
    String metric = kind == TsdKind.STOCK ? STOCK_METRIC : OUR_METRIC;
    String body =
        """
        {"start":%d,"end":%d,"msResolution":%s,"globalAnnotations":true,
         "queries":[{"metric":"%s",%s}]}"""
            .formatted(
                START_S * 1000 + 300_000, START_S * 1000 + 9_000_000, milliseconds, metric, query);
    return post(kind, path, body).replace(metric, "METRIC");
  }

  /** Annotations of the rows of packed cells, and global ones. */
  @Test
  void annotations() throws Exception {
    String one = "/api/query?show_tsuids&start=%d&m=none:%s%%7Bsensor=s002%%7D";
    String tsuid =
        json(get(TsdKind.PATCHED, one.formatted(START_S, OUR_METRIC)))
            .get(0)
            .get("tsuids")
            .get(0)
            .asText();
    post(
        TsdKind.STOCK,
        "/api/annotation",
        "{\"startTime\":%d,\"tsuid\":\"%s\",\"description\":\"pump off\"}"
            .formatted(START_S + 600, tsuid));
    post(
        TsdKind.STOCK,
        "/api/annotation",
        "{\"startTime\":%d,\"description\":\"storm\"}".formatted(START_S + 700));
    JsonNode answer =
        json(panel(TsdKind.PATCHED, "/api/query", "\"aggregator\":\"sum\"", false)).get(0);
    assertEquals("pump off", answer.get("annotations").get(0).get("description").asText());
    assertEquals("storm", answer.get("globalAnnotations").get(0).get("description").asText());
    assertEquals(8_701, answer.get("dps").size(), "points of the annotated row too");
  }

  private static String get(TsdKind kind, String target) throws Exception {
    return send(HttpRequest.newBuilder(address(kind, target)));
  }

  private static String post(TsdKind kind, String target, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(address(kind, target))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static URI address(TsdKind kind, String target) throws Exception {
    return URI.create(EmbeddedStoreFixture.shared().tsd(kind).orElseThrow().url() + target);
  }

  private static String send(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response =
        HTTP.send(
            request.timeout(Duration.ofMinutes(1)).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.uri() + " " + response.body());
    return response.body();
  }

  private static JsonNode json(String text) throws Exception {
    return JSON.readTree(text);
  }

  /** Lists have no order of their own. */
  private static Object sorted(String json) throws Exception {
    JsonNode parsed = json(json);
    if (!parsed.isArray()) {
      return parsed;
    }
    Set<String> names = new TreeSet<>();
    parsed.forEach(name -> names.add(name.asText()));
    return names;
  }
}
