package io.packhorse.loader.loadtest;

import io.packhorse.loader.source.generated.WorkloadSeries;

/** How points are sent. */
public enum Protocol {
  /** OpenTSDB's {@code POST /api/put}. */
  PUT("[", ",", "]") {
    @Override
    void append(StringBuilder out, WorkloadSeries of, int series, long timeMs, CharSequence value) {
      out.append("{\"metric\":\"").append(of.metric(series));
      out.append("\",\"timestamp\":").append(shortest(timeMs));
      out.append(",\"value\":").append(value).append(",\"tags\":{\"");
      int from = out.length();
      of.forEachTag(
          series,
          (key, number) -> {
            out.append(out.length() == from ? "" : ",\"");
            out.append(key).append("\":\"").append(key).append(number).append('"');
          });
      out.append("}}");
    }
  },

  /** InfluxDB's line protocol, {@code POST /write}; a metric is measurement and field. */
  LINE("", "\n", "\n") {
    @Override
    void append(StringBuilder out, WorkloadSeries of, int series, long timeMs, CharSequence value) {
      String metric = of.metric(series);
      int dot = metric.lastIndexOf('.');
      out.append(metric, 0, dot < 0 ? metric.length() : dot);
      of.forEachTag(
          series,
          (key, number) -> out.append(',').append(key).append('=').append(key).append(number));
      out.append(' ').append(dot < 0 ? "value" : metric.substring(dot + 1));
      out.append('=').append(value);
      if (value.toString().indexOf('.') < 0) {
        out.append('i');
      }
      out.append(' ').append(timeMs).append("000000");
    }
  },

  /** OpenTSDB's lines over TCP; a {@code version} at the end of each batch asks for an answer. */
  TELNET("", "\n", "\nversion\n") {
    @Override
    void append(StringBuilder out, WorkloadSeries of, int series, long timeMs, CharSequence value) {
      out.append("put ").append(of.metric(series)).append(' ').append(shortest(timeMs));
      out.append(' ').append(value);
      of.forEachTag(
          series,
          (key, number) -> out.append(' ').append(key).append('=').append(key).append(number));
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

  /** Appends a point. */
  abstract void append(
      StringBuilder out, WorkloadSeries of, int series, long timeMs, CharSequence value);

  /** OpenTSDB stores points of full seconds in fewer bytes if it is told seconds. */
  private static long shortest(long timeMs) {
    return timeMs % 1000 == 0 ? timeMs / 1000 : timeMs;
  }
}
