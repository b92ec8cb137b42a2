package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import java.nio.charset.StandardCharsets;

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
  public SeriesLines of(SeriesName series) throws UnwritableNameException {
    StringBuilder after = new StringBuilder();
    Tags tags = series.tags();
    for (int i = 0; i < tags.size(); i++) {
      after.append(' ').append(word(tags.key(i))).append('=').append(word(tags.value(i)));
    }
    return new Lines(
        (word(series.metric()) + " ").getBytes(StandardCharsets.UTF_8),
        after.append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String word(String name) throws UnwritableNameException {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c == '=' || Character.isWhitespace(c)) {
        throw new UnwritableNameException(
            "import lines cannot hold the name '"
                + name
                + "': it has the character U+"
                + String.format("%04X", (int) c));
      }
    }
    return name;
  }

  /** What is before the time and after the value. */
  private record Lines(byte[] before, byte[] after) implements SeriesLines {
    @Override
    public void write(long baseMs, PointBlock points, int from, int to, ByteWriter into) {
      int lineMax = before.length + 2 * NumberText.LENGTH_MAX + 1 + after.length;
      into.ensureRoom(lineMax * (to - from));
      byte[] text = into.array();
      int[] offsets = points.offsetsMs();
      long[] values = points.values();
      boolean[] isDouble = points.isDouble();
      int at = into.length();
      for (int i = from; i < to; i++) {
        System.arraycopy(before, 0, text, at, before.length);
        at = time(baseMs + offsets[i], text, at + before.length);
        text[at++] = ' ';
        at =
            isDouble[i]
                ? NumberText.putDouble(values[i], text, at)
                : NumberText.put(values[i], text, at);
        System.arraycopy(after, 0, text, at, after.length);
        at += after.length;
      }
      into.advance(at - into.length());
    }

    private static int time(long ms, byte[] text, int at) {
      long seconds = ms / 1000;
      if (seconds * 1000 == ms) {
        return NumberText.put(seconds, text, at);
      }
      return BaseTime.isMillis(ms)
          ? NumberText.put(ms, text, at)
          : NumberText.putDecimal(ms, 3, text, at);
    }
  }
}
