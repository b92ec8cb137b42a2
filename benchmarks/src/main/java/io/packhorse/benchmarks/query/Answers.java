package io.packhorse.benchmarks.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether two answers say the same. Sums over series may differ in the last digit: the salt, and
 * with it the order in which series are added, depends on the metric's UID.
 */
final class Answers {
  private static final double TOLERANCE = 1e-9;

  private static final int SHOWN = 400;

  private final ObjectMapper json = new ObjectMapper();

  /** How the answers compare. */
  enum Outcome {
    EQUAL,
    ROUNDED,
    DIFFERENT
  }

  /**
   * Asks both sides.
   *
   * @throws IOException if they answer differently, or nothing
   */
  Outcome ask(Question question, Side stock, Side ours) throws IOException, InterruptedException {
    String expected = stock.answer(question);
    String found = ours.answer(question);
    Outcome outcome = compare(expected, found);
    if (outcome == Outcome.DIFFERENT || expected.equals("[]")) {
      throw new IOException(
          "answers differ: " + question + "\nstock: " + head(expected) + "\nours:  " + head(found));
    }
    return outcome;
  }

  private static String head(String answer) {
    return answer.length() > SHOWN ? answer.substring(0, SHOWN) + "..." : answer;
  }

  Outcome compare(String one, String other) throws IOException {
    if (one.equals(other)) {
      return Outcome.EQUAL;
    }
    Map<String, JsonNode> left = byTags(one);
    Map<String, JsonNode> right = byTags(other);
    if (!left.keySet().equals(right.keySet())) {
      return Outcome.DIFFERENT;
    }
    for (Map.Entry<String, JsonNode> group : left.entrySet()) {
      JsonNode match = right.get(group.getKey());
      if (match == null || !isClose(group.getValue(), match)) {
        return Outcome.DIFFERENT;
      }
    }
    return Outcome.ROUNDED;
  }

  private Map<String, JsonNode> byTags(String answer) throws IOException {
    Map<String, JsonNode> groups = new TreeMap<>();
    for (JsonNode group : json.readTree(answer)) {
      // A TSD writes tags in the order in which it came to know their names.
      Map<String, String> tags = new TreeMap<>();
      group
          .get("tags")
          .properties()
          .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
      String name = group.path("metric").asText() + tags;
      JsonNode points = group.get("dps");
      groups.put(name, points == null ? lastPoint(group) : points);
    }
    return groups;
  }

  /** The point of an answer of {@code /api/query/last}. */
  private JsonNode lastPoint(JsonNode group) {
    return json.createObjectNode()
        .put(group.get("timestamp").asText(), group.get("value").asDouble());
  }

  private static boolean isClose(JsonNode one, JsonNode other) {
    Iterator<Map.Entry<String, JsonNode>> points = one.properties().iterator();
    while (points.hasNext()) {
      Map.Entry<String, JsonNode> point = points.next();
      JsonNode match = other.get(point.getKey());
      if (match == null) {
        return false;
      }
      double a = point.getValue().asDouble();
      double b = match.asDouble();
      if (Math.abs(a - b) > TOLERANCE * Math.max(1, Math.max(Math.abs(a), Math.abs(b)))) {
        return false;
      }
    }
    return one.size() == other.size();
  }
}
