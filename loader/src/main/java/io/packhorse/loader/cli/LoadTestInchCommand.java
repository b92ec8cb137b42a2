package io.packhorse.loader.cli;

import io.packhorse.loader.inch.InchLines;
import io.packhorse.loader.inch.InchReport;
import io.packhorse.loader.inch.InchRun;
import io.packhorse.loader.inch.InchTarget;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loadtest inch}: what InfluxData's tool inch does, with its options. */
@Command(
    name = "inch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Write many series of line protocol, with the options and output of InfluxData's tool inch.",
      "Each writer sends its next request when the one before was answered, so rates are those of"
          + " this generator with that server. loadtest run FILE keeps to a stated rate instead.",
    },
    footer = {
      "",
      "Other than inch: values differ from point to point (-constant-fields: all 0, as there);"
          + " every series is written where -m is more than 1; a request that is refused for good"
          + " ends the run, and a refused connection is an error that counts.",
      "",
      "Exit code 0 if all points were taken, 5 if the run was given up.",
      "",
      "Examples:",
      "  packhorse receive --http 8086 --zookeeper zk1:2181 --tsd-conf opentsdb.conf",
      "  packhorse loadtest inch -v -t 1000,100,10 -p 100 -time -24h -b 10000 -c 8 -gzip",
      "      a million series with 100 points of the last day each",
    })
final class LoadTestInchCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(names = "-v", description = "Print a line each second.")
  private boolean verbose;

  @Option(names = "-dry", description = "Make the lines only; send none.")
  private boolean dry;

  @Option(
      names = "-c",
      paramLabel = "N",
      defaultValue = "1",
      description = "Writers at the same time (default: ${DEFAULT-VALUE}).")
  private int writers;

  @Option(
      names = "-delay",
      paramLabel = "TIME",
      defaultValue = "0s",
      converter = GoDuration.class,
      description = "Between a writer's requests (default: none).")
  @SuppressWarnings("NullAway.Init")
  private Duration delay;

  @Option(
      names = "-target-latency",
      paramLabel = "TIME",
      defaultValue = "0s",
      converter = GoDuration.class,
      description = "Change the delay until answers take about so long.")
  @SuppressWarnings("NullAway.Init")
  private Duration targetLatency;

  @Option(
      names = "-max-errors",
      paramLabel = "N",
      defaultValue = "0",
      description = "Give up after so many failed requests (default: never).")
  private int maxErrors;

  @Mixin private final InchOptions options = new InchOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    InchLines lines = lines();
    InchTarget target = dry ? null : options.target();
    InchRun run = new InchRun(lines, target, pace());
    PrintWriter out = command.commandLine().getOut();
    options.describe(lines, writers, out);
    Optional<InchReport> report = begin(target);
    run.start();
    long before = 0;
    while (!run.await(Duration.ofSeconds(1))) {
      before = second(run, lines, before, report, out);
    }
    InchRun.Seen seen = run.seen();
    print(seen, lines, seen.points(), out);
    tell(report, seen, true, lines);
    out.printf(Locale.ROOT, "%nTotal time: %.1f seconds%n", seen.seconds());
    out.flush();
    return ended(run, seen, lines);
  }

  private InchLines lines() {
    try {
      return options.lines();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ParameterException(command.commandLine(), e.getMessage() + ".", e);
    }
  }

  private InchRun.Pace pace() {
    try {
      return new InchRun.Pace(writers, delay, targetLatency, maxErrors);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage() + ".", e);
    }
  }

  /** Sets both servers up. */
  private Optional<InchReport> begin(@Nullable InchTarget target) throws InterruptedException {
    if (target != null) {
      options.setUp(target);
    }
    return options.report(writers);
  }

  private long second(
      InchRun run, InchLines lines, long before, Optional<InchReport> report, PrintWriter out)
      throws InterruptedException {
    InchRun.Seen seen = run.seen();
    if (verbose) {
      print(seen, lines, seen.points() - before, out);
      out.flush();
    }
    tell(report, seen, false, lines);
    return seen.points();
  }

  private void tell(Optional<InchReport> report, InchRun.Seen seen, boolean last, InchLines lines)
      throws InterruptedException {
    if (report.isPresent()) {
      try {
        report.get().write(seen, last, seen.points() < lines.series());
      } catch (IOException e) {
        ConsoleAnnouncer.of(command)
            .say("WARNING", "-report-host took no figures: " + e.getMessage());
      }
    }
  }

  /**
   * Prints how far it is, in inch's form.
   *
   * @param newPoints of the last second; of the whole run at its end
   */
  private static void print(InchRun.Seen seen, InchLines lines, long newPoints, PrintWriter out) {
    double seconds = Math.max(0.001, seen.seconds());
    double current = newPoints == seen.points() ? newPoints / seconds : newPoints;
    out.printf(
        Locale.ROOT,
        "T=%08d %d points written (%d%%). Total throughput: %.1f pt/sec | %.1f val/sec."
            + " Current throughput: %d val/sec. Errors: %d%s%s%n",
        (long) seen.seconds(),
        seen.points(),
        100 * seen.points() / lines.points(),
        seen.points() / seconds,
        seen.values() / seconds,
        (long) (current * lines.fields()),
        seen.errors(),
        seen.delayMs() > 0
            ? String.format(Locale.ROOT, " | Writer delay currently: %.1fms", seen.delayMs())
            : "",
        responses(seen.latencies()));
  }

  private static String responses(Histogram of) {
    return of.getTotalCount() == 0
        ? ""
        : String.format(
            Locale.ROOT,
            " | μ: %.3fms, 90%%: %.3fms, 95%%: %.3fms, 99%%: %.3fms",
            of.getMean() / 1000,
            of.getValueAtPercentile(90) / 1000.0,
            of.getValueAtPercentile(95) / 1000.0,
            of.getValueAtPercentile(99) / 1000.0);
  }

  private static int ended(InchRun run, InchRun.Seen seen, InchLines lines) {
    String stopped = run.stopped();
    if (stopped != null) {
      throw new OperationException(
          Kind.CLUSTER,
          "Given up after "
              + seen.points()
              + " of "
              + lines.points()
              + " points: "
              + stopped
              + ".");
    }
    return ExitCode.OK.code();
  }
}
