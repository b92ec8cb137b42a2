package io.packhorse.loader.cli;

import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.ImportLinesException;
import io.packhorse.loader.source.ImportLinesSource;
import io.packhorse.loader.source.ImportLinesSource.Input;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.Rejects;
import io.packhorse.loader.source.TimestampUnit;
import io.packhorse.loader.source.TwoColumnSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code estimate}: how small a user's own files become, before there is any store. */
@Command(
    name = "estimate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Pack files as a load would, check that every bit comes back, and print how small they"
          + " become beside OpenTSDB's own compacted cells. Nothing is stored; no server is needed.",
      "Files hold import lines (metric timestamp value tag=value ...), or one series as lines of"
          + " timestamp and value, separated by blanks, a comma or a semicolon.",
    },
    footer = {
      "",
      "Bytes are those of qualifiers and values. Row keys and HBase's framing come on top: some 40",
      "bytes an hour and series before HBase compresses its blocks, the same for all three.",
      "Exit code 6 if a single bit does not come back.",
      "",
      "Examples:",
      "  packhorse estimate january.txt february.txt.gz",
      "      two files of import lines",
      "  packhorse estimate --timestamp-unit ms engine.csv",
      "      lines such as 1356998400123,21.5",
      "  packhorse estimate --interval 1s values.txt",
      "      what the values would take with a point each second",
    })
final class EstimateCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files, plain or gzip.")
  @SuppressWarnings("NullAway.Init")
  private List<String> files;

  @Option(
      names = "--timestamp-unit",
      paramLabel = "s|ms",
      converter = UnitConverter.class,
      description =
          "Unit of the timestamps in files of two columns (default: by their size, as OpenTSDB"
              + " does: from 2^32 on they are milliseconds).")
  private @Nullable TimestampUnit unit;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description =
          "In files of two columns put the points so far apart, in the order of the lines,"
              + " whatever their timestamps; lines may then be values alone.")
  private @Nullable Duration interval;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    if (unit != null && interval != null) {
      throw refused("With --interval no timestamps are read: leave out --timestamp-unit");
    }
    if (interval != null && interval.toMillis() < 1) {
      throw refused("--interval must be 1ms at least");
    }
    List<Input> inputs = new ArrayList<>();
    for (String file : files) {
      inputs.add(readable(file));
    }
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    for (Input input : inputs) {
      Rejects rejects = Rejects.counted();
      Estimate estimate = estimate(input, rejects);
      warn(input.name(), rejects, err);
      if (estimate.points() == 0) {
        throw refused(
            input.name()
                + " has no points: lines must be 'timestamp value', import lines, or with"
                + " --interval values alone");
      }
      estimates.put(input.name(), estimate);
    }
    json.print(out, "estimate", settings(), result(estimates), () -> print(estimates, out));
    return ExitCode.OK.code();
  }

  private Estimate estimate(Input input, Rejects rejects) throws InterruptedException, IOException {
    SeriesNames names = new SeriesNames();
    try (PointSource source = open(input, names, rejects)) {
      Estimate estimate = new Estimate(input.name(), names);
      HourPacker packer = estimate.packer();
      for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
        packer.accept(batch);
      }
      packer.finish();
      estimate.finish(packer, rejects.total());
      return estimate;
    } catch (ImportLinesException e) {
      throw new CommandException(ExitCode.USAGE, e.getMessage() + ".", e);
    }
  }

  private PointSource open(Input input, SeriesNames names, Rejects rejects)
      throws ImportLinesException {
    if (TwoColumnSource.reads(input)) {
      return new TwoColumnSource(
          input,
          Estimate.ONLY_SERIES,
          unit == null ? TimestampUnit.BY_SIZE : unit,
          interval == null ? 0 : interval.toMillis(),
          rejects);
    }
    if (unit != null || interval != null) {
      throw refused(
          input.name()
              + " has import lines, or more than two columns: --timestamp-unit and --interval are"
              + " for files of timestamps and values");
    }
    return new ImportLinesSource(List.of(input), names, rejects);
  }

  private static Input readable(String file) {
    Path path;
    try {
      path = Path.of(file);
    } catch (InvalidPathException e) {
      throw refused("'" + file + "' is not a file name: " + e.getReason());
    }
    if (!Files.exists(path)) {
      throw refused("There is no file " + file);
    }
    // A pipe could not be looked into first.
    if (!Files.isRegularFile(path)) {
      throw refused(file + " is not a plain file: name one");
    }
    if (!Files.isReadable(path)) {
      throw refused("You may not read " + file);
    }
    return new Input(file, () -> Files.newInputStream(path));
  }

  private static CommandException refused(String why) {
    return new CommandException(ExitCode.USAGE, why + ".");
  }

  private static void warn(String file, Rejects rejects, PrintWriter err) {
    if (rejects.total() == 0) {
      return;
    }
    err.printf("REJECTED  lines of %s: %s%n", file, Figures.count(rejects.total()));
    rejects.first().forEach(reject -> err.println("  " + reject));
    if (rejects.total() > rejects.first().size()) {
      err.println("  ...");
    }
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("files", files);
    settings.put("timestamp_unit", unit == null ? null : UnitConverter.text(unit));
    settings.put("interval_ms", interval == null ? null : interval.toMillis());
    return settings;
  }

  private static Map<String, Object> result(Map<String, Estimate> estimates) {
    List<Map<String, Object>> all = new ArrayList<>();
    estimates.values().forEach(estimate -> all.add(estimate.json()));
    return Map.of("files", all);
  }

  private static void print(Map<String, Estimate> estimates, PrintWriter out) {
    estimates.values().forEach(estimate -> estimate.print(out));
  }
}
