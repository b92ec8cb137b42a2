package io.packhorse.loader.cli;

import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.loadtest.Comparison;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code loadtest compare}: two load tests side by side. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Show the figures of two load tests side by side, and what one is of the other.",
      "Says so if the tests differ in workload, series, rate or length.",
    },
    footer = {"", "Example:", "  packhorse loadtest compare loadtest-before loadtest-after"})
final class LoadTestCompareCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(index = "0", paramLabel = "DIR", description = "Directory of a load test.")
  @SuppressWarnings("NullAway.Init")
  private Path first;

  @Parameters(index = "1", paramLabel = "DIR", description = "Directory of another one.")
  @SuppressWarnings("NullAway.Init")
  private Path second;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    Comparison compared = compared();
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("first", first.toString());
    settings.put("second", second.toString());
    json.print(
        command,
        ExitCode.OK,
        settings,
        compared.json(),
        () -> print(compared, command.commandLine().getOut()));
    return ExitCode.OK.code();
  }

  private Comparison compared() throws IOException {
    try {
      return Comparison.of(first, second);
    } catch (FileNotFoundException | NoSuchFileException e) {
      throw new OperationException(
          Kind.USAGE,
          "There is no result of a load test: "
              + e.getMessage()
              + ". Name two directories that loadtest run has written.",
          e);
    }
  }

  private static void print(Comparison compared, PrintWriter out) {
    compared.differences().forEach(each -> out.println("DIFFERENT " + each));
    for (Comparison.Figure figure : compared.figures()) {
      out.printf(
          Locale.ROOT,
          "%-20s %-20s %12.1f %12.1f  %s%n",
          figure.of(),
          figure.name(),
          figure.first(),
          figure.second(),
          Double.isNaN(figure.ratio())
              ? ""
              : String.format(Locale.ROOT, "%.2f times", figure.ratio()));
    }
  }
}
