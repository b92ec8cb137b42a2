package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.EmbeddedStore;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.LoadOutcome;
import io.packhorse.loader.load.LoadRunner;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.load.WalkVerification;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.query.WalkQuery;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.source.walk.WalkSpec;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.loader.verify.VerifyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: the main job in one command, with proof. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "The main job once, on this machine, with proof.",
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
  private static final int SENSORS = 128;
  private static final String METRIC = "demo.walk";
  private static final LoadOutput.Puts PUTS = new LoadOutput.Puts(PutDurability.SYNC, 0);
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

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

  /** Held while points are loaded. */
  private final Semaphore loading = new Semaphore(1);

  private volatile boolean serving;
  private boolean stopped;

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    long days = span.toDays();
    if (days < 1 || !span.equals(Duration.ofDays(days))) {
      throw new ParameterException(command.commandLine(), "--span must be whole days, as in 7d.");
    }
    WalkSpec spec = new WalkSpec(METRIC, SENSORS, 1000, START.getEpochSecond(), days * 86_400, 1);
    EmbeddedStore embedded = store.store();
    StoreDirectory directory = embedded.open();
    Optional<DemoRecord> earlier = DemoRecord.read(directory.root());
    if (earlier.isPresent() && earlier.get().days() != days) {
      throw new OperationException(
          Kind.USAGE,
          directory.root()
              + " already holds a demo of "
              + earlier.get().days()
              + " days; ask for --span "
              + earlier.get().days()
              + "d or choose another --dir.");
    }
    boolean ranBefore = embedded.isRunning();
    StoreAddress address = StoreAddress.ofEmbedded(embedded);
    if (earlier.isEmpty()) {
      address.checkRoom((double) spec.totalPoints(), PUTS);
    }
    try (StoreConnection target = address.open(ConsoleAnnouncer.of(command))) {
      EmbeddedServer server = target.embedded().orElseThrow();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> stopOnInterrupt(directory, ranBefore), "packhorse-stop"));
      DemoRecord demo =
          earlier.isPresent() ? again(earlier.get(), directory) : load(target, spec, directory);
      boolean equal = query(server.tsdUrl(), spec);
      summary(demo, directory);
      if (!equal) {
        return ExitCode.VERIFICATION.code();
      }
      if (!exit) {
        serve(server, spec);
      }
      return ExitCode.OK.code();
    } finally {
      stop(directory, ranBefore);
    }
  }

  private DemoRecord again(DemoRecord earlier, StoreDirectory directory) {
    out()
        .printf(
            "found     %s already holds the demo of %d days, %s points, verified: not loaded again%n",
            directory.root(), earlier.days(), HumanNumbers.count(earlier.points()));
    return earlier;
  }

  private DemoRecord load(StoreConnection target, WalkSpec spec, StoreDirectory directory)
      throws IOException, InterruptedException {
    err()
        .printf(
            "load      %d sensors, one point a second, %s points, packed cells, Puts%n",
            spec.sensors(), HumanNumbers.count(spec.totalPoints()));
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    LoadOutcome outcome;
    loading.acquire();
    try {
      outcome = LoadRunner.runWithoutJob(target, settings(spec), announcer);
    } finally {
      loading.release();
    }
    LoadPrinter.print(outcome, out());
    long started = System.nanoTime();
    VerifyReport report = new WalkVerification(target, spec, announcer).run();
    VerifyPrinter.print(report, (System.nanoTime() - started) / 1e9, out());
    if (!report.passed()) {
      throw new OperationException(
          Kind.VERIFICATION,
          "What was read back differs from what was loaded; the store is left as it is: "
              + directory.root());
    }
    HBaseTables tables = new HBaseTables(target.cluster().connection());
    tables.flush(target.layout().dataTable());
    DemoRecord demo =
        new DemoRecord(
            span.toDays(),
            spec.totalPoints(),
            outcome.pointsPerSecond(),
            (double) directory.tableBytes(target.layout().dataTable()) / spec.totalPoints());
    demo.write(directory.root());
    return demo;
  }

  private static LoadSettings settings(WalkSpec spec) {
    return new LoadSettings(
        new LoadInput.Walk(spec),
        PUTS,
        CellForm.PACKED,
        Runtime.getRuntime().availableProcessors(),
        true,
        0,
        null,
        null);
  }

  /** Asks each query twice and prints the table; whether every answer was right. */
  private boolean query(URI tsd, WalkSpec spec) throws IOException, InterruptedException {
    TsdClient client = new TsdClient(tsd);
    out()
        .printf(
            "%n%-32s %14s %10s %10s %10s  %s%n",
            "query", "points scanned", "in answer", "first ms", "again ms", "answer");
    boolean allEqual = true;
    for (WalkQuery query : WalkQuery.demo(spec)) {
      long begun = System.nanoTime();
      byte[] answer = client.raw(query.startMs(), query.endMs(), query.expression());
      long first = System.nanoTime();
      client.raw(query.startMs(), query.endMs(), query.expression());
      long again = System.nanoTime();
      List<String> differences = query.differences(client.parse(answer));
      allEqual &= differences.isEmpty();
      out()
          .printf(
              "%-32s %14s %10s %10.0f %10.0f  %s%n",
              query.name(),
              HumanNumbers.count(query.scannedPoints()),
              HumanNumbers.count(query.answerPoints()),
              (first - begun) / 1e6,
              (again - first) / 1e6,
              differences.isEmpty() ? "equal" : "DIFFERENT");
      differences.stream().limit(3).forEach(difference -> out().println("    " + difference));
    }
    return allEqual;
  }

  private void summary(DemoRecord demo, StoreDirectory directory) {
    out()
        .printf(
            "%n%-16s %14s%n%-16s %14s%n%-16s %14s%n%-16s %14s%n",
            "points",
            HumanNumbers.count(demo.points()),
            "points/s loaded",
            HumanNumbers.si(demo.pointsPerSecond()),
            "bytes/point",
            HumanNumbers.ratio(demo.bytesPerPoint()) + " on disk",
            "store",
            directory.root());
  }

  private void serve(EmbeddedServer server, WalkSpec spec) throws InterruptedException {
    WalkQuery example = WalkQuery.demo(spec).get(1);
    out().printf("%nOpenTSDB answers at %s, try:%n", server.tsdUrl());
    out()
        .printf(
            "  curl '%s'%n",
            new TsdClient(server.tsdUrl())
                .queryUri(example.startMs(), example.endMs(), example.expression()));
    out().println("Ctrl-C stops everything; the data stay.");
    serving = true;
    new CountDownLatch(1).await();
  }

  /** A load that is interrupted comes to its own end first. */
  private void stopOnInterrupt(StoreDirectory directory, boolean ranBefore) {
    try {
      loading.tryAcquire(LoadRunner.DRAIN_SECONDS, TimeUnit.SECONDS);
      if (serving) {
        err().println("stopping");
      }
      stop(directory, ranBefore);
    } catch (StoreException | IOException e) {
      err().println("packhorse: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops what this demo started, once. Servers that ran before keep running unless it serves. */
  private synchronized void stop(StoreDirectory directory, boolean ranBefore)
      throws StoreException, IOException, InterruptedException {
    if (!stopped && (serving || !ranBefore)) {
      EmbeddedServer.stop(directory);
    }
    stopped = true;
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  private PrintWriter err() {
    return command.commandLine().getErr();
  }
}
