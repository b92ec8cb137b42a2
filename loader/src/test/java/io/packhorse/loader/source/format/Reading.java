package io.packhorse.loader.source.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.text.FormatChooser;
import io.packhorse.loader.source.text.TextSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Everything that came of some inputs. */
public record Reading(
    List<Point> points,
    SeriesNames names,
    long rejected,
    Map<Reason, Long> reasons,
    List<String> rejectLines,
    long leftOut) {
  /** A point with its series. */
  public record Point(SeriesName series, long timestampMs, long bits, boolean isDouble) {}

  /** What the user says who says only which format it is. */
  public static SourceSpec in(Format format) {
    return new SourceSpec(Optional.of(format), Optional.empty(), SeriesRules.NONE);
  }

  /** What the user says who gives a mapping. */
  public static SourceSpec mapped(TableMapping mapping) {
    return new SourceSpec(
        Optional.empty(),
        Optional.empty(),
        SeriesRules.NONE,
        new TableOptions(Optional.of(mapping), Optional.empty(), "UTC", Dst.REJECT));
  }

  /** Reads one input. */
  public static Reading of(SourceSpec spec, String text) throws Exception {
    return of(spec, text.getBytes(UTF_8));
  }

  /** Reads one input. */
  public static Reading of(SourceSpec spec, byte[] bytes) throws Exception {
    return of(spec, List.of(input("in", bytes)));
  }

  /** Reads all inputs. */
  public static Reading of(SourceSpec spec, List<Input> inputs) throws Exception {
    return read(
        (names, points) -> new InputSource(inputs, new Formats(spec, names), points), spec.rules());
  }

  /** Reads all inputs in given formats. */
  public static Reading of(
      Function<SeriesNames, FormatChooser> formats, SeriesRules rules, List<Input> inputs)
      throws Exception {
    return read((names, points) -> new TextSource(inputs, formats.apply(names), points), rules);
  }

  private static Reading read(
      BiFunction<SeriesNames, Points, PointSource> sources, SeriesRules rules) throws Exception {
    Path file = Files.createTempFile("packhorse", ".tsv");
    try {
      SeriesNames names = new SeriesNames();
      List<Point> points = new ArrayList<>();
      Rejects rejects = new Rejects(file);
      Points to = new Points(rules, rejects);
      try (rejects;
          PointSource source = sources.apply(names, to)) {
        for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
          addAll(batch, names, points);
        }
      }
      return new Reading(
          points, names, rejects.total(), rejects.byReason(), lines(file), to.leftOut());
    } finally {
      Files.delete(file);
    }
  }

  private static void addAll(PointBatch batch, SeriesNames names, List<Point> points) {
    for (int run = 0; run < batch.runs(); run++) {
      for (int i = batch.start(run); i < batch.end(run); i++) {
        points.add(
            new Point(
                names.get(batch.series(run)),
                batch.timestampsMs()[i],
                batch.bits()[i],
                batch.isDouble()[i]));
      }
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file);
  }

  public static Input input(String name, String text) {
    return input(name, text.getBytes(UTF_8));
  }

  public static Input input(String name, byte[] bytes) {
    return new Input(name, bytes.length, () -> new ByteArrayInputStream(bytes));
  }

  /** An input that gives at most {@code step} bytes a read. */
  public static Input slow(byte[] bytes, int step) {
    InputStream in =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] into, int from, int length) {
            return super.read(into, from, Math.min(length, step));
          }
        };
    return new Input("in", () -> in);
  }
}
