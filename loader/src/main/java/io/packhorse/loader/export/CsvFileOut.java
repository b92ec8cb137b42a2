package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes one file of comma-separated values, quoted as RFC 4180 says. One thread. */
final class CsvFileOut implements TableFile {
  private final List<String> tagKeys;
  private final boolean inFolder;
  private final OutputStream out;
  private final TextPart text;

  CsvFileOut(Path file, Set<String> tagKeys, boolean inFolder) throws IOException {
    this.tagKeys = List.copyOf(tagKeys);
    this.inFolder = inFolder;
    out = Files.newOutputStream(file);
    text = new TextPart(new Format(), new Stream());
    List<String> header = new ArrayList<>(List.of("time", "value"));
    if (!inFolder) {
      header.add(0, "metric");
    }
    this.tagKeys.forEach(key -> header.add(quoted(TableFile.columnOf(key, inFolder))));
    byte[] line = (String.join(",", header) + "\n").getBytes(StandardCharsets.UTF_8);
    text.write(line);
  }

  @Override
  public void take(SeriesName series, long baseMs, PointBlock points, int from, int to)
      throws IOException {
    try {
      text.take(series, baseMs / 1000, points, from, to);
    } catch (UnwritableException e) {
      throw new IllegalStateException("any name can be quoted", e);
    }
  }

  @Override
  public void end() throws IOException {
    text.finish();
  }

  @Override
  public long bytes() {
    return text.bytes();
  }

  @Override
  public long rounded() {
    return 0;
  }

  @Override
  public void close() throws IOException {
    text.close();
  }

  static String quoted(String field) {
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == ',' || c == '"' || c == '\n' || c == '\r') {
        return '"' + field.replace("\"", "\"\"") + '"';
      }
    }
    return field;
  }

  private final class Stream implements TextPart.Output {
    @Override
    public void write(byte[] bytes, int length) throws IOException {
      out.write(bytes, 0, length);
    }

    @Override
    public void finish() {}

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private final class Format implements TextFormat {
    @Override
    public SeriesLines of(SeriesName series) {
      StringBuilder after = new StringBuilder();
      for (String key : tagKeys) {
        after.append(',');
        Tags tags = series.tags();
        for (int i = 0; i < tags.size(); i++) {
          after.append(tags.key(i).equals(key) ? quoted(tags.value(i)) : "");
        }
      }
      return new Lines(
          (inFolder ? "" : quoted(series.metric()) + ",").getBytes(StandardCharsets.UTF_8),
          after.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String suffix() {
      return "csv";
    }
  }

  /** What is before the time and after the value. */
  private record Lines(byte[] before, byte[] after) implements SeriesLines {
    @Override
    public void write(long baseMs, PointBlock points, int from, int to, ByteWriter into) {
      into.ensureRoom((before.length + 2 * NumberText.LENGTH_MAX + 1 + after.length) * (to - from));
      byte[] text = into.array();
      int at = into.length();
      for (int i = from; i < to; i++) {
        System.arraycopy(before, 0, text, at, before.length);
        at = NumberText.put(baseMs + points.offsetsMs()[i], text, at + before.length);
        text[at++] = ',';
        long bits = points.values()[i];
        at =
            points.isDouble()[i]
                ? NumberText.putDouble(bits, text, at)
                : NumberText.put(bits, text, at);
        System.arraycopy(after, 0, text, at, after.length);
        at += after.length;
      }
      into.advance(at - into.length());
    }
  }
}
