package io.packhorse.loader.loadtest;

import java.util.Map;
import java.util.stream.Collectors;

/** How points are sent. */
public enum Protocol {
  /** OpenTSDB's {@code POST /api/put}. */
  PUT("/api/put?summary") {
    @Override
    String point(String metric, Map<String, String> tags, long timeMs, String value) {
      String named =
          tags.entrySet().stream()
              .map(tag -> '"' + tag.getKey() + "\":\"" + tag.getValue() + '"')
              .collect(Collectors.joining(","));
      long time = timeMs % 1000 == 0 ? timeMs / 1000 : timeMs;
      return "{\"metric\":\""
          + metric
          + "\",\"timestamp\":"
          + time
          + ",\"value\":"
          + value
          + ",\"tags\":{"
          + named
          + "}}";
    }

    @Override
    String body(Iterable<String> points) {
      return "[" + String.join(",", points) + "]";
    }
  },

  /** InfluxDB's line protocol, {@code POST /write}; a metric is measurement and field. */
  LINE("/write?db=loadtest") {
    @Override
    String point(String metric, Map<String, String> tags, long timeMs, String value) {
      int dot = metric.lastIndexOf('.');
      String named =
          tags.entrySet().stream()
              .map(tag -> "," + tag.getKey() + "=" + tag.getValue())
              .collect(Collectors.joining());
      return (dot < 0 ? metric : metric.substring(0, dot))
          + named
          + " "
          + (dot < 0 ? "value" : metric.substring(dot + 1))
          + "="
          + value
          + (value.indexOf('.') < 0 ? "i" : "")
          + " "
          + timeMs
          + "000000";
    }

    @Override
    String body(Iterable<String> points) {
      return String.join("\n", points) + "\n";
    }
  };

  private final String path;

  Protocol(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  abstract String point(String metric, Map<String, String> tags, long timeMs, String value);

  abstract String body(Iterable<String> points);
}
