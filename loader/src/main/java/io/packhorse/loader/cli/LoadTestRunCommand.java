package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.load.Announcer;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.LocalPage;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.loadtest.DryRun;
import io.packhorse.loader.loadtest.LimitSearch;
import io.packhorse.loader.loadtest.LoadTest;
import io.packhorse.loader.loadtest.LoadTestResult;
import io.packhorse.loader.loadtest.Protocol;
import io.packhorse.loader.loadtest.Workload;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.table.FoundServer;
import io.packhorse.loader.table.RegionLoad;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loadtest run}: drives a target with a workload. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Drive a TSD or a receiver with a workload, with readers beside, and judge.",
      "Requests begin when the workload says, whether the ones before are answered or not; a response"
          + " time runs from that moment, so the waiting of a slow target counts. Answers are checked"
          + " against the values written.",
    },
    footer = {
      "",
      "Exit code 0 if all its limits are kept, 9 if one is missed, 6 if an answer was wrong, 10 if",
      "the generator itself was late, so that the figures mean nothing. Files of the run are written every",
      "second: seconds.csv, HdrHistogram logs; at the end report.html, result.json and junit.xml.",
      "With --dir, --zookeeper or --hbase-conf the report has requests and files of HBase's regions;",
      "the TSD that readers ask tells a cluster's table names.",
      "",
      "Examples:",
      "  packhorse loadtest init production.yaml",
      "  packhorse loadtest run production.yaml --target http://tsd1:4242",
      "  packhorse loadtest run --workload samples --target http://tsd1:4242",
      "      a known workload, as loadtest init writes it",
      "  packhorse loadtest run production.yaml --target http://edge1:8086 --protocol line --query http://tsd1:4242",
      "      a receiver takes the points, a TSD answers",
      "  packhorse loadtest run production.yaml --target http://edge1:8086 --query http://tsd1:4242 --against http://tsd1:4242",
      "      a receiver and a TSD with the same workload, one after the other",
      "  packhorse loadtest run production.yaml --target http://tsd1:4242 --find-limit",
      "      the highest rate that keeps the limits",
    })
final class LoadTestRunCommand implements Callable<Integer> {
  private static final long BETWEEN_STEPS_MS = 5_000;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final WorkloadChoice choice = new WorkloadChoice();

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "Where points go: a TSD or a receiver, http://HOST:PORT.")
  private @Nullable URI target;

  @Option(
      names = "--query",
      paramLabel = "URL",
      description = "The TSD that readers ask (default: the target).")
  private @Nullable URI query;

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      defaultValue = "put",
      description =
          "put, OpenTSDB's POST /api/put; telnet, its put lines over TCP; line, line protocol to"
              + " /write (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Protocol protocol;

  @Option(
      names = "--against",
      paramLabel = "URL",
      description =
          "Then drive this one with the same workload, and show both; the verdict is that of --target.")
  private @Nullable URI against;

  @Option(
      names = "--against-protocol",
      paramLabel = "NAME",
      description = "How points go to --against (default: as to --target).")
  private @Nullable Protocol againstProtocol;

  @Option(
      names = "--find-limit",
      description = {
        "Look for the highest rate that keeps the limits: with twice the series until one is"
            + " missed, then in between, to 5 %%. Each step takes warm-up and hold."
      })
  private boolean findLimit;

  @Option(
      names = "--dry",
      description = "Only make requests, for five seconds, as fast as this machine can; send none.")
  private boolean dry;

  @Option(
      names = "--live",
      paramLabel = "PORT",
      description =
          "Show the report on loopback while the test runs; 0 for any free port. It is in DIR/report.html too.")
  private @Nullable Integer live;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory for the files, new or empty (default: loadtest-TIME).")
  private @Nullable Path out;

  @Mixin private final ClusterOptions hbase = new ClusterOptions();
  @Mixin private final JsonOption json = new JsonOption();

  /** The HBase behind the target, while a test runs. */
  private @Nullable StoreConnection store;

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    Workload workload = choice.read();
    if (dry) {
      return dry(workload);
    }
    URI to = target();
    Path folder = folder();
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    announcer.say("loadtest", describe(workload, to));
    try (StoreConnection opened = open(to, announcer)) {
      store = opened;
      return findLimit
          ? findLimit(workload, to, folder, announcer)
          : drive(workload, to, folder, announcer);
    }
  }

  /** Connects to HBase if it is named. */
  private @Nullable StoreConnection open(URI to, Announcer announcer)
      throws StoreException, IOException, InterruptedException {
    return hbase.isGiven()
        ? hbase.address(List.of(query == null ? to : query)).connect(announcer)
        : null;
  }

  /** A test of the target. */
  private LoadTest test(Workload workload, URI to) {
    return new LoadTest(
        workload,
        to,
        query == null ? to : query,
        protocol,
        Optional.ofNullable(store).map(LoadTestRunCommand::counters));
  }

  private static LoadTest.Store counters(StoreConnection store) {
    return new LoadTest.Store() {
      @Override
      public List<FoundServer> servers() throws IOException {
        return store.servers();
      }

      @Override
      public List<RegionLoad> regions() throws IOException {
        return store.regions();
      }
    };
  }

  private int drive(Workload workload, URI to, Path folder, Announcer announcer)
      throws IOException, InterruptedException {
    LoadTestResult result = run(test(workload, to), folder, announcer);
    Optional<LoadTestResult> other = other(workload, folder, announcer);
    ExitCode ended = ExitCode.of(result.verdict());
    LoadTestPrinter printer = new LoadTestPrinter(result, other, folder);
    json.print(
        command,
        ended,
        settings(folder),
        printer.json(),
        () -> printer.print(command.commandLine().getOut()));
    return ended.code();
  }

  private URI target() {
    if (target == null) {
      throw new ParameterException(
          command.commandLine(), "--target URL is missing: where do the points go?");
    }
    if (findLimit && against != null) {
      throw new ParameterException(
          command.commandLine(), "--find-limit has one target: run it again for the other.");
    }
    return target;
  }

  private int dry(Workload workload) throws IOException, InterruptedException {
    DryRun.Made made = new DryRun(workload, protocol).run();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("points", made.points());
    result.put("bytes", made.bytes());
    result.put("seconds", made.seconds());
    result.put("threads", made.threads());
    json.print(
        command,
        ExitCode.OK,
        choice.json(),
        result,
        () -> LoadTestPrinter.print(made, command.commandLine().getOut()));
    return ExitCode.OK.code();
  }

  private int findLimit(Workload workload, URI to, Path folder, Announcer announcer)
      throws IOException, InterruptedException {
    if (workload.closed()) {
      throw new OperationException(
          Kind.USAGE, choice + " has loop: closed, so it has no rate to search for: leave it out.");
    }
    if (workload.limits().isEmpty()) {
      throw new OperationException(
          Kind.USAGE,
          choice
              + " has no limits: --find-limit needs one, for example limits: [write.p99 < 250ms].");
    }
    LimitSearch.Found found =
        LimitSearch.of(workload, (at, number) -> step(at, to, folder, number, announcer));
    ExitCode ended = ExitCode.of(found.verdict());
    json.print(
        command,
        ended,
        settings(folder),
        found.json(),
        () -> LoadTestPrinter.print(found, folder, command.commandLine().getOut()));
    return ended.code();
  }

  private LoadTestResult step(
      Workload workload, URI to, Path folder, int number, Announcer announcer)
      throws IOException, InterruptedException {
    if (number > 1) {
      // The target may still be busy with what the step before has sent.
      Thread.sleep(BETWEEN_STEPS_MS);
    }
    LoadTestResult result =
        run(test(workload, to), Files.createDirectory(folder.resolve("step-" + number)), announcer);
    announcer.say("step " + number, LoadTestPrinter.step(result));
    return result;
  }

  private Optional<LoadTestResult> other(Workload workload, Path folder, Announcer announcer)
      throws IOException, InterruptedException {
    if (against == null) {
      return Optional.empty();
    }
    announcer.say("loadtest", "the same against " + against);
    LoadTest test =
        new LoadTest(
            workload,
            against,
            query == null ? against : query,
            againstProtocol == null ? protocol : againstProtocol,
            Optional.empty());
    return Optional.of(
        run(test, Files.createDirectory(folder.resolve(LoadTestPrinter.AGAINST)), announcer));
  }

  private LoadTestResult run(LoadTest test, Path folder, Announcer announcer)
      throws IOException, InterruptedException {
    AtomicReference<Announcer.Status> status =
        new AtomicReference<>(Announcer.Status.of("loadtest", "begins"));
    try (LocalPage page = livePage(folder, announcer);
        Announcer.Progress progress = announcer.progress(status::get)) {
      LoadTestResult result =
          test.run(
              folder,
              (share, points, p99) ->
                  status.set(
                      new Announcer.Status(
                          "loadtest",
                          share,
                          OptionalDouble.empty(),
                          List.of(
                              HumanNumbers.count(points, "point", "points"),
                              String.format(Locale.ROOT, "p99 %.1f ms", p99)))));
      if (page != null) {
        page.awaitReader(LoadTest.REFRESH.multipliedBy(5));
      }
      return result;
    }
  }

  private @Nullable LocalPage livePage(Path folder, Announcer announcer) {
    if (live == null) {
      return null;
    }
    LocalPage page =
        LocalPage.open(
            "--live", live, "/", "text/html; charset=utf-8", () -> page(LoadTest.report(folder)));
    announcer.say("live", page.url());
    return page;
  }

  private static String page(Path report) {
    try {
      return Files.readString(report);
    } catch (NoSuchFileException e) {
      return "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"1\"><p>The test begins.";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path folder() throws IOException {
    Path folder = out == null ? Path.of("loadtest-" + JobFolder.newId(Instant.now())) : out;
    Files.createDirectories(folder);
    try (Stream<Path> files = Files.list(folder)) {
      if (files.findAny().isPresent()) {
        throw new OperationException(
            Kind.REFUSED, "--out " + folder + " is not empty: name a new directory.");
      }
    }
    return folder;
  }

  private static String describe(Workload workload, URI to) {
    return String.format(
        Locale.ROOT,
        "%s: %s, %s in requests of %d to %s for %s%s",
        workload.name(),
        HumanNumbers.count(workload.series().count(), "series", "series"),
        workload.closed()
            ? "as fast as " + workload.connections() + " connections are answered,"
            : HumanNumbers.si(workload.pointsPerSecond()) + " points/s",
        workload.batch(),
        to,
        HumanNumbers.seconds(workload.duration().toMillis() / 1000.0),
        workload.readers().isEmpty()
            ? "; no readers"
            : "; " + HumanNumbers.count(workload.readers().size(), "reader", "readers"));
  }

  private Map<String, Object> settings(Path folder) {
    Map<String, Object> settings = choice.json();
    settings.put("target", String.valueOf(target));
    settings.put("query", query == null ? null : query.toString());
    settings.put("protocol", protocol.name().toLowerCase(Locale.ROOT));
    settings.put("against", against == null ? null : against.toString());
    settings.put("out", folder.toString());
    return settings;
  }
}
