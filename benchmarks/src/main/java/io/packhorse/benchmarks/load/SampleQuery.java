package io.packhorse.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Asks a TSD for points that are known. */
final class SampleQuery {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private SampleQuery() {}

  /**
   * Asks for each sample.
   *
   * @param tolerance how far a value may be off
   * @throws IOException if an answer is not those points and no others
   */
  static void check(Store store, List<KnownSeries> samples, double tolerance)
      throws IOException, InterruptedException {
    for (KnownSeries sample : samples) {
      URI request =
          URI.create(
              store.tsd()
                  + "/api/query?start="
                  + sample.points().firstKey()
                  + "&end="
                  + sample.points().lastKey()
                  + "&m="
                  + URLEncoder.encode("none:" + sample.series(), StandardCharsets.UTF_8));
      HttpResponse<String> response =
          CLIENT.send(
              HttpRequest.newBuilder(request).build(), HttpResponse.BodyHandlers.ofString());
      Map<Long, Double> found = new TreeMap<>();
      if (response.statusCode() == 200) {
        for (JsonNode series : new ObjectMapper().readTree(response.body())) {
          series
              .get("dps")
              .properties()
              .forEach(
                  point -> found.put(Long.parseLong(point.getKey()), point.getValue().asDouble()));
        }
      }
      if (!isClose(found, sample.points(), tolerance)) {
        throw new IOException(
            "the TSD answers "
                + sample.series()
                + " with "
                + response.body()
                + "; expected "
                + sample.points());
      }
    }
  }

  private static boolean isClose(
      Map<Long, Double> found, Map<Long, Double> expected, double tolerance) {
    return found.keySet().equals(expected.keySet())
        && expected.entrySet().stream()
            .allMatch(
                point ->
                    Math.abs(found.getOrDefault(point.getKey(), Double.NaN) - point.getValue())
                        <= tolerance);
  }
}
