package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;

/**
 * OpenTSDB's import lines: {@code metric timestamp value key=value ...}. Timestamps are seconds
 * where they are whole, else milliseconds. Before 20 February 1970, where OpenTSDB reads a number
 * as seconds, they are seconds with three decimals.
 */
public final class ImportLines implements TextFormat {
  @Override
  public String suffix() {
    return "txt";
  }

  @Override
  public SeriesLines of(SeriesName series) throws UnwritableException {
    StringBuilder after = new StringBuilder();
    Tags tags = series.tags();
    for (int i = 0; i < tags.size(); i++) {
      after.append(' ').append(word(tags.key(i))).append('=').append(word(tags.value(i)));
    }
    return TimeFirstLines.of(word(series.metric()) + " ", " ", after.append('\n').toString());
  }

  private static String word(String name) throws UnwritableException {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c == '=' || Character.isWhitespace(c)) {
        throw new UnwritableException(
            "import lines cannot hold the name '"
                + name
                + "': it has the character U+"
                + String.format("%04X", (int) c));
      }
    }
    return name;
  }
}
