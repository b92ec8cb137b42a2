package io.packhorse.loader.cli;

import io.packhorse.loader.load.AnnouncingFormats;
import io.packhorse.loader.load.Estimate;
import io.packhorse.loader.load.EstimateFormats;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.input.InputFiles;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
      "Pack files as a load would, check that every bit comes back, and print how small they become"
          + " beside OpenTSDB's own compacted cells. Nothing is stored; no server is needed.",
      "Files are in any format that load reads, or hold one series as lines of timestamp and value,"
          + " separated by blanks, a comma or a semicolon.",
    },
    footer = {
      "",
      "Bytes are those of qualifiers and values. Row keys and HBase's framing add some 40",
      "bytes for each hour of a series before HBase compresses its blocks, the same for both.",
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
  private static final int REASONS_MAX = 3;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(
      paramLabel = "INPUT",
      arity = "1..*",
      description = "As for load: files, directories, patterns, @FILE or -.")
  @SuppressWarnings("NullAway.Init")
  private List<String> files;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description =
          "In files of two columns ignore the timestamps: points follow each other at this"
              + " distance, in the order of the lines; lines may then be values alone.")
  private @Nullable Duration interval;

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (interval != null && interval.toMillis() < 1) {
      throw refused("--interval must be 1ms at least");
    }
    SourceSpec spec = source.spec();
    List<Estimate.Result> estimates = new ArrayList<>();
    for (Input input : inputs()) {
      estimates.add(estimate(input, spec));
    }
    PrintWriter out = command.commandLine().getOut();
    json.print(
        command,
        ExitCode.OK,
        settings(),
        Map.of("files", estimates.stream().map(Estimate.Result::json).toList()),
        () -> estimates.forEach(estimate -> EstimatePrinter.print(estimate, out)));
    return ExitCode.OK.code();
  }

  private List<Input> inputs() throws IOException {
    try {
      return InputFiles.select(files, Path.of(""), source.exclude()).inputs();
    } catch (InputException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private Estimate.Result estimate(Input input, SourceSpec spec)
      throws InterruptedException, IOException {
    SeriesNames names = new SeriesNames();
    Rejects rejects = Rejects.counted();
    InputFormats formats =
        new AnnouncingFormats(
            new Formats(spec, names), source.savedMapping(), ConsoleAnnouncer.of(command));
    try {
      Estimate.Result estimate =
          Estimate.of(
              input,
              new EstimateFormats(formats, spec, Optional.ofNullable(interval)),
              names,
              new Points(spec.rules(), rejects),
              rejects);
      warn(input.name(), rejects, command.commandLine().getErr());
      if (estimate.points() == 0) {
        throw refused("No data points were found in " + input.name() + rejectCounts(rejects));
      }
      return estimate;
    } catch (InputException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private static OperationException refused(String why) {
    return new OperationException(OperationException.Kind.USAGE, why + ".");
  }

  /** The most frequent reject reasons with their counts; empty if no line was rejected. */
  private static String rejectCounts(Rejects rejects) {
    boolean alone = rejects.byReason().containsKey(Rejects.Reason.NOT_TWO_WORDS);
    return rejects.byReason().entrySet().stream()
        .sorted(Map.Entry.<Rejects.Reason, Long>comparingByValue().reversed())
        .limit(REASONS_MAX)
        .map(each -> HumanNumbers.count(each.getValue()) + " rejected: " + each.getKey())
        .collect(
            Collectors.joining(
                "; ",
                rejects.total() == 0 ? "" : ": ",
                alone ? " (values alone need --interval)" : ""));
  }

  private static void warn(String file, Rejects rejects, PrintWriter err) {
    if (rejects.total() == 0) {
      return;
    }
    err.printf("REJECTED  lines of %s: %s%n", file, HumanNumbers.count(rejects.total()));
    rejects.first().forEach(reject -> err.println("  " + reject));
    if (rejects.total() > rejects.first().size()) {
      err.println("  ...");
    }
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("files", files);
    settings.put("interval_ms", interval == null ? null : interval.toMillis());
    return settings;
  }
}
