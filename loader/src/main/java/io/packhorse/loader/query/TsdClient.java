package io.packhorse.loader.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.TreeMap;

/** Client of the parts of a TSD's HTTP API that checks need. Any number of threads. */
public final class TsdClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration QUERY_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration STATE_TIMEOUT = Duration.ofSeconds(15);

  private final URI base;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_TIMEOUT)
          .build();
  private final ObjectMapper json = new ObjectMapper();

  /**
   * One series of an answer.
   *
   * @param tags that all aggregated series have in common
   * @param points value by time in milliseconds since the epoch
   */
  public record Series(Map<String, String> tags, NavigableMap<Long, Double> points) {}

  /**
   * @param base as {@code http://127.0.0.1:4242}
   */
  public TsdClient(URI base) {
    this.base = base;
  }

  /** The address of a query; a user can paste it into curl. */
  public URI queryUri(long startMs, long endMs, String expression) {
    return base.resolve(
        "/api/query?ms=true&start="
            + startMs
            + "&end="
            + endMs
            + "&m="
            + URLEncoder.encode(expression, StandardCharsets.UTF_8));
  }

  /**
   * Sends a query and returns the answer as the TSD sent it.
   *
   * @param endMs inclusive, as in OpenTSDB
   * @throws IOException if the TSD does not answer, or answers with an error
   */
  @CanIgnoreReturnValue
  public byte[] raw(long startMs, long endMs, String expression)
      throws IOException, InterruptedException {
    return get(queryUri(startMs, endMs, expression), QUERY_TIMEOUT);
  }

  /**
   * Reads version, settings and clock of the TSD.
   *
   * @throws IOException if it does not answer, or not as a TSD does
   */
  public TsdState state() throws IOException, InterruptedException {
    JsonNode version = json.readTree(get(base.resolve("/api/version"), STATE_TIMEOUT));
    Properties config = new Properties();
    json.readTree(get(base.resolve("/api/config"), STATE_TIMEOUT))
        .properties()
        .forEach(setting -> config.setProperty(setting.getKey(), setting.getValue().asText()));
    long asked = System.currentTimeMillis();
    JsonNode stats = json.readTree(get(base.resolve("/api/stats"), STATE_TIMEOUT));
    if (!version.path("version").isTextual() || !stats.path(0).path("timestamp").isNumber()) {
      throw new IOException("the server at " + base + " is not a TSD");
    }
    return new TsdState(
        base,
        version.path("packed_cells").asText(""),
        config,
        stats.path(0).path("timestamp").asLong() * 1000,
        asked);
  }

  private byte[] get(URI uri, Duration timeout) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        http.send(
            HttpRequest.newBuilder(uri).timeout(timeout).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      String body = new String(response.body(), StandardCharsets.UTF_8);
      throw new IOException(
          "TSD answered "
              + response.statusCode()
              + " to "
              + uri
              + ": "
              + body.substring(0, Math.min(500, body.length())));
    }
    return response.body();
  }

  /** Parses an answer of {@link #raw}. */
  public List<Series> parse(byte[] answer) throws JsonProcessingException, IOException {
    List<Series> all = new ArrayList<>();
    for (JsonNode node : json.readTree(answer)) {
      NavigableMap<Long, Double> points = new TreeMap<>();
      node.path("dps")
          .properties()
          .forEach(point -> points.put(Long.valueOf(point.getKey()), point.getValue().asDouble()));
      Map<String, String> tags = new TreeMap<>();
      node.path("tags")
          .properties()
          .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
      all.add(new Series(tags, points));
    }
    return all;
  }
}
