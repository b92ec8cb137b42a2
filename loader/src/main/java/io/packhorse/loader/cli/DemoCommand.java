package io.packhorse.loader.cli;

import io.packhorse.loader.demo.Demo;
import io.packhorse.loader.demo.DemoAnswer;
import io.packhorse.loader.demo.DemoRecord;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.LoadOutcome;
import io.packhorse.loader.query.WalkQuery;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.verify.VerifyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: a store, a load, its verification and queries in one command. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Start a store on this machine, load generated points, verify all of them and query them.",
      "Starts an HBase and an OpenTSDB, loads a week of 128 one-second sensors, reads every point",
      "back, asks four queries and compares each answer with what follows from the seed. Then it",
      "serves until Ctrl-C. A second demo on the same directory does not load again."
    },
    footer = {
      "",
      "Examples:",
      "  packhorse demo                 a week: 77 million points",
      "  packhorse demo --exit          the same, and stop",
      "  packhorse demo --span 365d     the reference experiment: 4.04 billion points, about 5 GB"
    })
final class DemoCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final StoreOptions store = new StoreOptions();

  @Option(
      names = "--span",
      paramLabel = "TIME",
      defaultValue = "7d",
      converter = TimeSpan.class,
      description = "Length of the history, whole days (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration span;

  @Option(names = "--exit", description = "Stop everything at the end instead of serving on.")
  private boolean exit;

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    try (Demo demo = Demo.open(store.store(), days(), ConsoleAnnouncer.of(command))) {
      DemoRecord loaded = demo.earlier().isPresent() ? found(demo) : load(demo);
      boolean equal = query(demo);
      summary(loaded, demo);
      if (!equal) {
        return ExitCode.VERIFICATION.code();
      }
      if (!exit) {
        serve(demo);
      }
      return ExitCode.OK.code();
    }
  }

  private long days() {
    long days = span.toDays();
    if (days < 1 || !span.equals(Duration.ofDays(days))) {
      throw new ParameterException(command.commandLine(), "--span must be whole days, as in 7d.");
    }
    return days;
  }

  private DemoRecord found(Demo demo) {
    DemoRecord earlier = demo.earlier().orElseThrow();
    out()
        .printf(
            "found     %s already holds the demo of %s, %s, verified: not loaded again%n",
            demo.directory().root(),
            HumanNumbers.count(earlier.days(), "day", "days"),
            HumanNumbers.count(earlier.points(), "point", "points"));
    return earlier;
  }

  private DemoRecord load(Demo demo) throws IOException, InterruptedException {
    LoadOutcome outcome = demo.load();
    LoadPrinter.print(outcome, out());
    long started = System.nanoTime();
    VerifyReport report = demo.verify();
    VerifyPrinter.print(report, (System.nanoTime() - started) / 1e9, out());
    return demo.record(outcome, report);
  }

  /** Asks the queries and prints the table; whether every answer was right. */
  private boolean query(Demo demo) throws IOException, InterruptedException {
    out()
        .printf(
            "%n%-32s %14s %10s %10s %10s  %s%n",
            "query", "points scanned", "in answer", "first ms", "again ms", "answer");
    boolean allRight = true;
    for (WalkQuery query : demo.queries()) {
      DemoAnswer answer = demo.ask(query);
      print(answer);
      allRight &= answer.isRight();
    }
    return allRight;
  }

  private void print(DemoAnswer answer) {
    out()
        .printf(
            "%-32s %14s %10s %10.0f %10.0f  %s%n",
            answer.query().name(),
            HumanNumbers.count(answer.query().scannedPoints()),
            HumanNumbers.count(answer.query().answerPoints()),
            answer.firstMs(),
            answer.againMs(),
            answer.isRight() ? "equal" : "DIFFERENT");
    answer.differences().stream().limit(3).forEach(each -> out().println("    " + each));
  }

  private void summary(DemoRecord loaded, Demo demo) {
    out()
        .printf(
            "%n%-16s %14s%n%-16s %14s%n%-16s %14s%n%-16s %14s%n",
            "points",
            HumanNumbers.count(loaded.points()),
            "points/s loaded",
            HumanNumbers.si(loaded.pointsPerSecond()),
            "bytes/point",
            HumanNumbers.ratio(loaded.bytesPerPoint()) + " on disk",
            "store",
            demo.directory().root());
  }

  private void serve(Demo demo) throws StoreException, IOException, InterruptedException {
    out().printf("%nOpenTSDB answers at %s, try:%n", demo.tsdUrl());
    out().printf("  curl '%s'%n", demo.exampleQuery());
    out().println("Ctrl-C stops everything; the data stay.");
    demo.serve();
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }
}
