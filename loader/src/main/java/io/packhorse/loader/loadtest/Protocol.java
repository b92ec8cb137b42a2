package io.packhorse.loader.loadtest;

/**
 * How points are sent: the texts around what differs from point to point, which are the values of
 * its tags, a number behind the tag's own key each, and its value.
 */
public enum Protocol {
  /** OpenTSDB's {@code POST /api/put}. */
  PUT("[", ",", "]") {
    @Override
    String head(String metric, long timeMs) {
      return "{\"metric\":\"" + metric + "\",\"timestamp\":" + shortest(timeMs) + ",\"value\":";
    }

    @Override
    String middle(String metric) {
      return ",\"tags\":{";
    }

    @Override
    String tag(String key, boolean first) {
      return (first ? "" : "\",") + "\"" + key + "\":\"" + key;
    }

    @Override
    String tail(long timeMs, boolean ofIntegers) {
      return "\"}}";
    }
  },

  /** InfluxDB's line protocol, {@code POST /write}; a metric is measurement and field. */
  LINE("", "\n", "\n") {
    @Override
    String head(String metric, long timeMs) {
      int dot = metric.lastIndexOf('.');
      return dot < 0 ? metric : metric.substring(0, dot);
    }

    @Override
    String middle(String metric) {
      int dot = metric.lastIndexOf('.');
      return " " + (dot < 0 ? "value" : metric.substring(dot + 1)) + "=";
    }

    @Override
    String tag(String key, boolean first) {
      return "," + key + "=" + key;
    }

    @Override
    String tail(long timeMs, boolean ofIntegers) {
      return (ofIntegers ? "i " : " ") + timeMs + "000000";
    }
  },

  /** OpenTSDB's lines over TCP; a {@code version} at the end of each batch asks for an answer. */
  TELNET("", "\n", "\nversion\n") {
    @Override
    String head(String metric, long timeMs) {
      return "put " + metric + " " + shortest(timeMs) + " ";
    }

    @Override
    String middle(String metric) {
      return "";
    }

    @Override
    String tag(String key, boolean first) {
      return " " + key + "=" + key;
    }

    @Override
    String tail(long timeMs, boolean ofIntegers) {
      return "";
    }
  };

  private final String begin;
  private final String between;
  private final String end;

  Protocol(String begin, String between, String end) {
    this.begin = begin;
    this.between = between;
    this.end = end;
  }

  /** What is sent before the points of a batch. */
  String begin() {
    return begin;
  }

  /** What is sent between two points. */
  String between() {
    return between;
  }

  /** What is sent after the points. */
  String end() {
    return end;
  }

  /** Whether the tags of a point come before its value. */
  boolean hasTagsFirst() {
    return this == LINE;
  }

  /** What a point begins with. */
  abstract String head(String metric, long timeMs);

  /** What stands between value and tags. */
  abstract String middle(String metric);

  /** What stands before the number in the value of a tag. */
  abstract String tag(String key, boolean first);

  /** What a point ends with. */
  abstract String tail(long timeMs, boolean ofIntegers);

  /** OpenTSDB stores points of full seconds in fewer bytes if it is told seconds. */
  private static long shortest(long timeMs) {
    return timeMs % 1000 == 0 ? timeMs / 1000 : timeMs;
  }
}
