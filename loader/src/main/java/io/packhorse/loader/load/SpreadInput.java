package io.packhorse.loader.load;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.format.InputSource;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.parquet.ParquetSource;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.text.TextCuts;
import io.packhorse.loader.source.text.TextSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A file, or a part of one, that another process reads. Immutable.
 *
 * @param number among the inputs of the load, from 0; the parts of a file follow each other
 * @param name of the file, for messages and rejects
 * @param path absolute; the file is the same for every process
 * @param bytes size of the file
 * @param unit what {@code from} and {@code to} count
 * @param from where the part begins
 * @param to where it ends
 */
public record SpreadInput(
    int number, String name, String path, long bytes, Unit unit, long from, long to)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** What a file is divided by. */
  public enum Unit {
    /** It is not divided. */
    FILE,
    /** Rows of a Parquet file. */
    ROWS,
    /** Bytes of a text. */
    BYTES
  }

  /** Points of a part, and the lines of the part that were read. */
  public static final class Source implements PointSource {
    private final PointSource points;
    private final LongSupplier lines;

    private Source(PointSource points, LongSupplier lines) {
      this.points = points;
      this.lines = lines;
    }

    /** Lines of the part so far; 0 if nothing needs to know them. */
    public long lines() {
      return lines.getAsLong();
    }

    @Override
    public @Nullable PointBatch next() throws IOException, InterruptedException {
      return points.next();
    }

    @Override
    public Optional<SourcePosition> position() {
      return points.position();
    }

    @Override
    public void close() throws IOException {
      points.close();
    }
  }

  /** A whole file. */
  static SpreadInput ofFile(int number, Input input) {
    return part(number, input, Unit.FILE, 0, Long.MAX_VALUE);
  }

  /**
   * The parts of a file that can be read by several processes, in their order; all of it where it
   * cannot be divided.
   *
   * @param number of the first
   * @param partBytes about the size of a part
   */
  static List<SpreadInput> parts(
      int number, Input input, InputFormats formats, Points points, long partBytes)
      throws IOException, InterruptedException {
    boolean rows = formats.isParquet(input);
    List<Long> cuts;
    if (rows) {
      ParquetSource.inspect(input, formats);
      cuts = ParquetSource.cuts(input, partBytes);
    } else {
      cuts = TextCuts.of(input, formats, points, partBytes);
    }
    if (cuts.isEmpty()) {
      return List.of(ofFile(number, input));
    }
    List<SpreadInput> parts = new ArrayList<>();
    long from = 0;
    for (int i = 0; i <= cuts.size(); i++) {
      long to = i < cuts.size() ? cuts.get(i) : Long.MAX_VALUE;
      parts.add(part(number + i, input, rows ? Unit.ROWS : Unit.BYTES, from, to));
      from = to;
    }
    return parts;
  }

  private static SpreadInput part(int number, Input input, Unit unit, long from, long to) {
    Path file = input.opener().file().orElseThrow();
    return new SpreadInput(
        number, input.name(), file.toAbsolutePath().toString(), input.size(), unit, from, to);
  }

  /** Whether it is the rest of a file whose beginning is another input. */
  boolean isContinued() {
    return from > 0;
  }

  /**
   * Opens it here.
   *
   * @throws IOException if this process does not see the file, or another one of that name
   */
  public Source open(InputFormats formats, Points points) throws IOException {
    Input file = Input.ofFile(name, Path.of(path));
    if (file.size() != bytes) {
      throw new IOException(
          path
              + " has "
              + file.size()
              + " bytes here and "
              + bytes
              + " where the load began: every process must see the same files");
    }
    SourcePosition start = new SourcePosition(0, from, unit == Unit.ROWS ? from + 1 : 1);
    switch (unit) {
      case ROWS -> {
        return new Source(new ParquetSource(file, formats, points, start, to), () -> 0);
      }
      case BYTES -> {
        TextSource text =
            new TextSource(
                List.of(until(file, to)), formats, points, start, TextSource.ParserPool.NONE);
        return new Source(text, text::lines);
      }
      default -> {
        return new Source(new InputSource(List.of(file), formats, points), () -> 0);
      }
    }
  }

  /** A file that seems to end earlier. */
  private static Input until(Input file, long end) {
    return new Input(
        file.name(),
        Math.min(end, file.size()),
        new Input.Opener() {
          @Override
          public InputStream open() throws IOException {
            return new LimitedStream(file.opener().open(), end);
          }

          @Override
          public Optional<Path> file() {
            return file.opener().file();
          }
        });
  }
}
