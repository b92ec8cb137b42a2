package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Requests to a TSD that must be answered. */
final class TsdRequests {
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI tsd;

  TsdRequests(URI tsd) {
    this.tsd = tsd;
  }

  /** The series of an answer, without their statistics, sorted by their tags. */
  JsonNode query(JsonNode query) throws Exception {
    List<JsonNode> series = new ArrayList<>();
    for (JsonNode each : post("/api/query", query)) {
      if (each.has("dps")) {
        ((ObjectNode) each).remove("stats");
        series.add(each);
      }
    }
    series.sort(Comparator.comparing(each -> each.get("tags").toString()));
    return json.createArrayNode().addAll(series);
  }

  JsonNode post(String path, JsonNode body) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(tsd + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString())),
        body.toString());
  }

  /** A counter of {@code /api/stats}, by its name and one of its tags. */
  long statistic(String metric, String tag, String value) throws Exception {
    JsonNode all = send(HttpRequest.newBuilder(URI.create(tsd + "/api/stats")), "");
    for (JsonNode each : all) {
      if (each.get("metric").asText().equals(metric)
          && each.get("tags").path(tag).asText().equals(value)) {
        return each.get("value").asLong();
      }
    }
    throw new AssertionError(metric + " is not in " + all);
  }

  private JsonNode send(HttpRequest.Builder request, String asked) throws Exception {
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), asked + "\n" + answer.body());
    return json.readTree(answer.body());
  }
}
