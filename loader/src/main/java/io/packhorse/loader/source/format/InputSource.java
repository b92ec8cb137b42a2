package io.packhorse.loader.source.format;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.parquet.ParquetSource;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.text.TextSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Points of inputs of all kinds, one after the other. One thread. */
public final class InputSource implements PointSource {
  private final List<Input> inputs;
  private final InputFormats formats;
  private final Points points;
  private final TextSource.ParserPool parsers;

  /** Reads some of the inputs, from number {@link #first} on. */
  private @Nullable PointSource source;

  private int first;

  /** Everything before this position was returned. */
  private SourcePosition reached;

  private LongSupplier offset = () -> 0;

  /** Reads from the first input on, and parses on the reading thread. */
  public InputSource(List<Input> inputs, InputFormats formats, Points points) {
    this(inputs, formats, points, SourcePosition.START, TextSource.ParserPool.NONE);
  }

  /**
   * @param formats asked for each input
   * @param points gets what is read
   * @param from a position that a source of the same inputs gave
   * @param parsers threads that parse text
   */
  public InputSource(
      List<Input> inputs,
      InputFormats formats,
      Points points,
      SourcePosition from,
      TextSource.ParserPool parsers) {
    this.inputs = List.copyOf(inputs);
    this.formats = formats;
    this.points = points;
    this.parsers = parsers;
    this.reached = from;
  }

  /**
   * Decides how an input that can be opened again will be read.
   *
   * @throws io.packhorse.loader.source.input.InputException if it cannot be read, or that cannot be
   *     decided
   */
  public static void inspect(Input input, InputFormats formats, Points points)
      throws IOException, InterruptedException {
    if (formats.isParquet(input)) {
      ParquetSource.inspect(input, formats);
    } else {
      TextSource.inspect(input, formats, points);
    }
  }

  /** Uncompressed bytes of the current or last input whose points were returned. */
  public long offset() {
    return offset.getAsLong();
  }

  @Override
  public @Nullable PointBatch next() throws IOException, InterruptedException {
    while (true) {
      PointSource open = source == null ? open() : source;
      if (open == null) {
        return null;
      }
      PointBatch batch = open.next();
      if (batch != null) {
        return batch;
      }
      position().ifPresent(end -> reached = end);
      close();
    }
  }

  /** The source of the next inputs; null if there are no more. */
  private @Nullable PointSource open() throws IOException {
    first = reached.input();
    if (first >= inputs.size()) {
      return null;
    }
    SourcePosition from = new SourcePosition(0, reached.offset(), reached.line());
    if (formats.isParquet(inputs.get(first))) {
      ParquetSource opened = new ParquetSource(inputs.get(first), formats, points, from);
      offset = opened::offset;
      source = opened;
    } else {
      int end = first + 1;
      while (end < inputs.size() && !formats.isParquet(inputs.get(end))) {
        end++;
      }
      TextSource opened =
          new TextSource(inputs.subList(first, end), formats, points, from, parsers);
      offset = opened::offset;
      source = opened;
    }
    return source;
  }

  @Override
  public Optional<SourcePosition> position() {
    return source == null
        ? Optional.of(reached)
        : source
            .position()
            .map(at -> new SourcePosition(first + at.input(), at.offset(), at.line()));
  }

  @Override
  public void close() throws IOException {
    PointSource open = source;
    source = null;
    if (open != null) {
      open.close();
    }
  }
}
