package io.packhorse.loader.cli;

import io.packhorse.loader.load.Estimation;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.input.InputFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
      "'times' and 'values' name the encodings of packed cells, of an hour each (docs/format.md).",
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
      throw new ParameterException(command.commandLine(), "--interval must be 1ms at least.");
    }
    Estimation.Outcome outcome = estimate();
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    outcome.estimates().forEach(estimate -> EstimatePrinter.warn(estimate, err));
    json.print(
        command,
        ExitCode.OK,
        settings(),
        outcome.json(),
        () -> outcome.estimates().forEach(estimate -> EstimatePrinter.print(estimate, out)));
    return ExitCode.OK.code();
  }

  private Estimation.Outcome estimate() throws IOException, InterruptedException {
    try {
      return new Estimation(
              source.spec(),
              Optional.ofNullable(interval),
              source.savedMapping(),
              ConsoleAnnouncer.of(command))
          .of(InputFiles.select(files, Path.of(""), source.exclude()));
    } catch (InputException e) {
      throw new OperationException(OperationException.Kind.USAGE, e.getMessage() + ".", e);
    }
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("files", files);
    settings.put("interval_ms", interval == null ? null : interval.toMillis());
    return settings;
  }
}
