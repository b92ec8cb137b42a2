package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import java.nio.charset.StandardCharsets;

/**
 * InfluxDB's line protocol, a field a line, times in nanoseconds. The last word of a metric's name
 * is the field: {@code sys.cpu.user} is field {@code user} of measurement {@code sys.cpu}; a metric
 * of one word is field {@code value}.
 */
public final class LineProtocol implements TextFormat {
  @Override
  public String suffix() {
    return "lp";
  }

  @Override
  public SeriesLines of(SeriesName series) throws UnwritableException {
    String metric = series.metric();
    int dot = metric.lastIndexOf('.');
    boolean split = dot > 0 && dot < metric.length() - 1;
    StringBuilder before = new StringBuilder();
    before.append(escaped(split ? metric.substring(0, dot) : metric));
    Tags tags = series.tags();
    for (int i = 0; i < tags.size(); i++) {
      before.append(',').append(escaped(tags.key(i))).append('=').append(escaped(tags.value(i)));
    }
    before.append(' ').append(escaped(split ? metric.substring(dot + 1) : "value")).append('=');
    return new Lines(before.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String escaped(String name) throws UnwritableException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < ' ' || c == '\\') {
        throw new UnwritableException(
            "line protocol cannot hold the name '"
                + name
                + "': it has the character U+"
                + String.format("%04X", (int) c));
      }
      text.append(c == ' ' || c == ',' || c == '=' ? "\\" : "").append(c);
    }
    return text.toString();
  }

  /** What is before the value. */
  private record Lines(byte[] before) implements SeriesLines {
    private static final int MORE = 10;

    @Override
    public void write(long baseMs, PointBlock points, int from, int to, ByteWriter into) {
      into.ensureRoom((before.length + 2 * NumberText.LENGTH_MAX + MORE) * (to - from));
      byte[] text = into.array();
      int at = into.length();
      for (int i = from; i < to; i++) {
        System.arraycopy(before, 0, text, at, before.length);
        at += before.length;
        long bits = points.values()[i];
        if (points.isDouble()[i]) {
          at = NumberText.putDouble(bits, text, at);
        } else {
          at = NumberText.put(bits, text, at);
          text[at++] = 'i';
        }
        text[at++] = ' ';
        at = NumberText.put((baseMs + points.offsetsMs()[i]) * 1_000_000, text, at);
        text[at++] = '\n';
      }
      into.advance(at - into.length());
    }
  }
}
