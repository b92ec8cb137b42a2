package io.packhorse.loader.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two load tests side by side, by what they left in their directories.
 *
 * @param figures of writes and readers that both tests have
 * @param differences of the tests themselves, in sentences; what they measured is comparable only
 *     if there are none
 */
public record Comparison(List<Figure> figures, List<String> differences) {
  private static final List<String> SAME =
      List.of("workload", "series", "loop", "points_per_s_intended", "seconds");
  private static final List<String> TIMES = List.of("p50", "p99", "p99.9", "max");

  /**
   * A figure of both tests.
   *
   * @param of {@code write} or the name of a reader
   * @param name of the figure, with its unit
   */
  public record Figure(String of, String name, double first, double second) {
    /** The second one over the first one; NaN if that is zero. */
    public double ratio() {
      return first == 0 ? Double.NaN : second / first;
    }
  }

  /**
   * Reads both.
   *
   * @param first directory of a load test
   * @throws IOException if there is no result
   */
  public static Comparison of(Path first, Path second) throws IOException {
    JsonNode one = result(first);
    JsonNode other = result(second);
    List<String> differences = new ArrayList<>();
    for (String name : SAME) {
      if (!one.path(name).equals(other.path(name))) {
        differences.add(
            name + ": " + one.path(name).asText() + " and " + other.path(name).asText());
      }
    }
    List<Figure> figures = new ArrayList<>();
    for (JsonNode of : one.path("calls")) {
      for (JsonNode with : other.path("calls")) {
        if (of.path("name").equals(with.path("name"))) {
          add(figures, of, with);
        }
      }
    }
    return new Comparison(figures, differences);
  }

  private static JsonNode result(Path folder) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(TestFiles.RESULT).toFile());
  }

  private static void add(List<Figure> figures, JsonNode of, JsonNode with) {
    String name = of.path("name").asText();
    figures.add(
        new Figure(
            name, "done/s", of.path("done_per_s").asDouble(), with.path("done_per_s").asDouble()));
    figures.add(new Figure(name, "failed or dropped", notDone(of), notDone(with)));
    for (String time : TIMES) {
      figures.add(
          new Figure(
              name,
              "response " + time + " ms",
              of.path("response_ms").path(time).asDouble(),
              with.path("response_ms").path(time).asDouble()));
    }
  }

  private static double notDone(JsonNode calls) {
    return calls.path("intended").asDouble() - calls.path("done").asDouble();
  }

  /** For programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("differences", differences);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Figure figure : figures) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("of", figure.of());
      row.put("figure", figure.name());
      row.put("first", figure.first());
      row.put("second", figure.second());
      row.put("ratio", Double.isNaN(figure.ratio()) ? null : figure.ratio());
      rows.add(row);
    }
    json.put("figures", rows);
    return json;
  }
}
