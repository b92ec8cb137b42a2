package io.packhorse.loader.loadtest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Sends points and queries. Any number of threads. */
final class HttpTarget implements WriteTarget {
  private final URI writes;
  private final URI queries;
  private final Protocol protocol;
  private final Duration timeout;
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient client;

  /**
   * An answer to a query.
   *
   * @param error kind of it; empty for none
   */
  record Answer(String error, List<Check.Line> lines) {}

  /**
   * @param writes where points go, {@code http://HOST:PORT}
   * @param queries the TSD that is asked
   */
  HttpTarget(URI writes, URI queries, Protocol protocol, Duration timeout) {
    this.writes =
        writes.resolve(protocol == Protocol.LINE ? "/write?db=loadtest" : "/api/put?summary");
    this.queries = queries;
    this.protocol = protocol;
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
  }

  @Override
  public String send(String body) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(writes)
            .timeout(timeout)
            .header("Content-Type", protocol == Protocol.PUT ? "application/json" : "text/plain")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() / 100 == 2 && failed(answer.body()) == 0
          ? ""
          : "status " + answer.statusCode();
    } catch (IOException e) {
      return kind(e);
    }
  }

  private int failed(String summary) throws JsonProcessingException {
    return summary.startsWith("{") ? json.readTree(summary).path("failed").asInt() : 0;
  }

  /** Asks a query from one time to another, both included, milliseconds. */
  Answer ask(String expression, long fromMs, long toMs) throws InterruptedException {
    URI uri =
        queries.resolve(
            "/api/query?ms=true&start="
                + fromMs
                + "&end="
                + toMs
                + "&m="
                + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(timeout).build();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == 400 && answer.body().contains("No such name")) {
        // Nothing was written under this name yet.
        return new Answer("", List.of());
      }
      return answer.statusCode() == 200
          ? new Answer("", lines(json.readTree(answer.body())))
          : new Answer("status " + answer.statusCode(), List.of());
    } catch (IOException e) {
      return new Answer(kind(e), List.of());
    }
  }

  @Override
  public void close() {}

  private static List<Check.Line> lines(JsonNode answer) {
    List<Check.Line> lines = new ArrayList<>();
    for (JsonNode series : answer) {
      Map<String, String> tags = new TreeMap<>();
      series
          .path("tags")
          .properties()
          .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
      NavigableMap<Long, Double> points = new TreeMap<>();
      series
          .path("dps")
          .properties()
          .forEach(point -> points.put(Long.valueOf(point.getKey()), point.getValue().asDouble()));
      lines.add(new Check.Line(tags, points));
    }
    return lines;
  }

  private static String kind(IOException e) {
    if (e instanceof HttpTimeoutException) {
      return "timeout";
    }
    return e instanceof ConnectException ? "connection refused" : "connection lost";
  }
}
