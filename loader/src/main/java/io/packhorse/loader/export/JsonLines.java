package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;

/** OpenTSDB's JSON, an object a line, as {@code /api/put} takes them in an array. */
public final class JsonLines implements TextFormat {
  @Override
  public String suffix() {
    return "jsonl";
  }

  @Override
  public SeriesLines of(SeriesName series) {
    StringBuilder after = new StringBuilder(",\"tags\":{");
    Tags tags = series.tags();
    for (int i = 0; i < tags.size(); i++) {
      after.append(i == 0 ? "" : ",").append(string(tags.key(i))).append(':');
      after.append(string(tags.value(i)));
    }
    return TimeFirstLines.of(
        "{\"metric\":" + string(series.metric()) + ",\"timestamp\":",
        ",\"value\":",
        after.append("}}\n").toString());
  }

  private static String string(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ') {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return json.append('"').toString();
  }
}
