package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Writes points as lines. One thread. */
public final class TextPart extends LinesPart {
  private static final int POINTS_A_CALL = 1 << 12;

  /** Series whose names are kept as bytes; the next one begins anew. */
  private static final int SERIES_MAX = 10_000;

  private final TextFormat format;
  private final Map<SeriesName, SeriesLines> known = new HashMap<>();

  /** Where chunks go. */
  public interface Output {
    /** Takes whole lines. */
    void write(byte[] bytes, int length) throws IOException;

    /** All lines were taken. */
    void finish() throws IOException;

    /** Lets go of it, finished or not. */
    void close() throws IOException;
  }

  public TextPart(TextFormat format, Output output) {
    super(output);
    this.format = format;
  }

  /** Writes a line that is no point, such as a header. */
  void write(byte[] line) {
    chunk.writeBytes(line, 0, line.length);
  }

  @Override
  public void take(SeriesName series, long baseSeconds, PointBlock points, int from, int to)
      throws IOException, UnwritableException {
    SeriesLines lines = known.get(series);
    if (lines == null) {
      if (known.size() == SERIES_MAX) {
        known.clear();
      }
      lines = format.of(series);
      known.put(series, lines);
    }
    for (int next = from; next < to; next += POINTS_A_CALL) {
      lines.write(baseSeconds * 1000, points, next, Math.min(to, next + POINTS_A_CALL), chunk);
      flushIfFull();
    }
  }
}
