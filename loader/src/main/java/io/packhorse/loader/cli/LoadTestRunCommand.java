package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.load.Announcer;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.LoadTestPacking;
import io.packhorse.loader.load.LocalPage;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.loadtest.DryRun;
import io.packhorse.loader.loadtest.LimitSearch;
import io.packhorse.loader.loadtest.LoadTest;
import io.packhorse.loader.loadtest.LoadTestResult;
import io.packhorse.loader.loadtest.Packing;
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
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
      "  packhorse loadtest run production.yaml --pack --zookeeper zk1 --query http://tsd1:4242 --against http://tsd1:4242",
      "      packed in this process, and as one operation a point by a TSD",
      "  packhorse loadtest run production.yaml --target http://tsd1:4242 --find-limit",
      "      the highest rate that keeps the limits",
    })
final class LoadTestRunCommand implements Callable<Integer> {
  private static final long BETWEEN_STEPS_MS = 5_000;
  private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(60);

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
      names = "--pack",
      description =
          "Instead of sending points to a target, pack them in this process, as a receiver does, and"
              + " write the cells to the HBase of --dir, --zookeeper or --hbase-conf. A response is"
              + " there when the cell with the points is stored.")
  private boolean packs;

  @Option(
      names = "--visible-within",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description =
          "With --pack: store hours while they grow, so that points can be queried after this time"
              + " at most, as packhorse receive does (default: 60s).")
  private @Nullable Duration visibleWithin;

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

  private Optional<Packing> packing = Optional.empty();

  /** Before the next step of a search. */
  private long pauseMs;

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    Workload workload = choice.read();
    if (dry) {
      return dry(workload);
    }
    check(workload);
    Path folder = folder();
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    announcer.say("loadtest", describe(workload));
    try (StoreConnection opened = open(announcer)) {
      store = opened;
      packing =
          Optional.ofNullable(opened)
              .filter(to -> packs)
              .map(to -> new LoadTestPacking(to, visibleWithin(), announcer));
      URI to = target(opened);
      return findLimit
          ? findLimit(workload, to, folder, announcer)
          : drive(workload, to, folder, announcer);
    }
  }

  /** Connects to HBase if it is named, or written to. */
  private @Nullable StoreConnection open(Announcer announcer)
      throws StoreException, IOException, InterruptedException {
    StoreAddress address =
        hbase.address(Stream.of(query, target).filter(Objects::nonNull).limit(1).toList());
    if (packs) {
      return address.openToLoad(announcer, CellForm.PACKED, true);
    }
    return hbase.isGiven() ? address.connect(announcer) : null;
  }

  /** A test of the target. */
  private LoadTest test(Workload workload, URI to) {
    return new LoadTest(
        workload,
        to,
        query == null ? to : query,
        protocol,
        Optional.ofNullable(store).map(LoadTestRunCommand::counters),
        packing);
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

  /** What options must not be given together, and what is missing. */
  private void check(Workload workload) {
    if (target == null && !packs) {
      throw refused("--target URL is missing: where do the points go?");
    }
    if (findLimit && against != null) {
      throw refused("--find-limit has one target: run it again for the other.");
    }
    if (!packs && visibleWithin != null) {
      throw refused("--visible-within is for --pack; a receiver has an option of that name.");
    }
    if (packs) {
      checkPacking(workload);
    }
  }

  private void checkPacking(Workload workload) {
    if (target != null) {
      throw refused("--pack and --target exclude each other: where do the points go?");
    }
    if (command.commandLine().getParseResult().hasMatchedOption("--protocol")) {
      throw refused(
          "--protocol is for points that are sent, and --pack sends none; for --against there is"
              + " --against-protocol.");
    }
    if (hbase.isCluster() && query == null) {
      throw refused("--pack needs --query URL: that TSD tells how this cluster's keys are made.");
    }
    if (visibleWithin().toSeconds() < 1 || visibleWithin().toSeconds() > 3600) {
      throw refused("--visible-within must be 1s to 1h.");
    }
    if (workload.closed()) {
      throw refused(
          "--pack needs loop: open: each connection of a closed loop would wait up to"
              + " --visible-within for each request.");
    }
  }

  private ParameterException refused(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }

  private Duration visibleWithin() {
    return visibleWithin == null ? VISIBLE_WITHIN : visibleWithin;
  }

  /** URL of the target; with --pack, which has no target, that of the TSD for queries. */
  private URI target(@Nullable StoreConnection opened) {
    if (target != null) {
      return target;
    }
    return query == null ? Objects.requireNonNull(opened).embedded().orElseThrow().tsdUrl() : query;
  }

  private int dry(Workload workload) throws IOException, InterruptedException {
    if (packs) {
      throw refused("--dry makes what is sent, and --pack sends none: leave one of them out.");
    }
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
    Thread.sleep(pauseMs);
    LoadTestResult result =
        run(test(workload, to), Files.createDirectory(folder.resolve("step-" + number)), announcer);
    announcer.say("step " + number, LoadTestPrinter.step(result));
    // The target may still be busy with what this step has sent; one that was given twice of what
    // it can take needs as long again.
    pauseMs =
        result.verdict() == LoadTestResult.Verdict.MISSED
            ? Math.max(BETWEEN_STEPS_MS, workload.duration().toMillis())
            : BETWEEN_STEPS_MS;
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
            Optional.empty(),
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

  private String describe(Workload workload) {
    return String.format(
        Locale.ROOT,
        "%s: %s, %s in requests of %d %s for %s%s",
        workload.name(),
        HumanNumbers.count(workload.series().count(), "series", "series"),
        workload.closed()
            ? "as fast as " + workload.connections() + " connections are answered,"
            : HumanNumbers.si(workload.pointsPerSecond()) + " points/s",
        workload.batch(),
        packs ? "packed into HBase" : "to " + target,
        HumanNumbers.seconds(workload.duration().toMillis() / 1000.0),
        workload.readers().isEmpty()
            ? "; no readers"
            : "; " + HumanNumbers.count(workload.readers().size(), "reader", "readers"));
  }

  private Map<String, Object> settings(Path folder) {
    Map<String, Object> settings = choice.json();
    settings.put("target", target == null ? null : target.toString());
    settings.put("pack", packs);
    settings.put("query", query == null ? null : query.toString());
    settings.put("protocol", protocol.name().toLowerCase(Locale.ROOT));
    settings.put("against", against == null ? null : against.toString());
    settings.put("out", folder.toString());
    return settings;
  }
}
