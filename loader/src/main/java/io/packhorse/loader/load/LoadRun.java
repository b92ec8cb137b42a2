package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.Destination.Acknowledgement;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.pipeline.HeapFullException;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.report.Prometheus;
import io.packhorse.loader.report.Sample;
import io.packhorse.loader.resolve.NewNamesException;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.RejectsFileException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs a pipeline to its end, with progress, a clean stop at Ctrl-C and a report. Used once. */
final class LoadRun {
  /** How long an interrupted load may take to end. */
  static final int DRAIN_SECONDS = 30;

  /** Reading is shown beside loading when it is so much ahead, as a share of the input. */
  private static final double READ_AHEAD_SHOWN = 0.05;

  /** How a JVM says that its heap, and not another memory, is used up. */
  private static final String HEAP_ERRORS = "Java heap space|GC overhead limit exceeded";

  private final PointFeed feed;
  private final Destination destination;
  private final LoadSettings settings;
  private final Optional<JobRun> run;
  private final Optional<ReportFile> reportFile;
  private final Announcer announcer;
  private final SeriesResolver resolver;
  private final LoadPipeline pipeline;
  private final LoadCounts before;
  private volatile Repeats repeats = Repeats.NONE;
  private volatile boolean interrupted;

  /**
   * @param feed of the points
   * @param destination of their cells
   * @param run of the job; empty if the load is no job
   */
  LoadRun(
      PointFeed feed,
      Destination destination,
      LoadSettings settings,
      Optional<JobRun> run,
      Announcer announcer) {
    this(feed, destination, settings, run, run.map(of -> ReportFile.of(of.job())), announcer);
  }

  /**
   * @param reportFile where the report goes, if anywhere
   */
  LoadRun(
      PointFeed feed,
      Destination destination,
      LoadSettings settings,
      Optional<JobRun> run,
      Optional<ReportFile> reportFile,
      Announcer announcer) {
    this.reportFile = reportFile;
    this.feed = feed;
    this.destination = destination;
    this.settings = settings;
    this.run = run;
    this.announcer = announcer;
    Optional<Job> job = run.map(JobRun::job);
    this.resolver = destination.newResolver();
    this.pipeline = destination.newPipeline(settings.cells(), resolver, job);
    this.before = job.map(Job::before).orElse(LoadCounts.NONE);
  }

  /**
   * Runs it.
   *
   * @throws OperationException CLUSTER if the store or the heap failed, USAGE if the input is at
   *     fault, TOO_MANY_REJECTS, TOO_MANY_REPLACED, INTERRUPTED after Ctrl-C; the message says how
   *     many points are safe
   */
  LoadOutcome run() {
    CountDownLatch done = new CountDownLatch(1);
    Thread onInterrupt = new Thread(() -> drain(done), "packhorse-interrupt");
    if (feed.isStoppedByInterrupt()) {
      Runtime.getRuntime().addShutdownHook(onInterrupt);
    }
    long started = System.nanoTime();
    double cpuStarted = cpuSeconds();
    LoadWatch watch = new LoadWatch(() -> sample(started, cpuStarted), destination.callLog());
    String verdict = "Nothing was loaded.";
    boolean kept = false;
    try (watch;
        LocalPage page = metrics(watch)) {
      verdict = "The load was interrupted.";
      runWatched(watch);
      kept = true;
      if (pipeline.stopped()) {
        throw interrupted();
      }
      verdict = RunReport.verdict(counts(), feed.rejected(), settings.stage().isPresent());
    } catch (IOException | OutOfMemoryError e) {
      if (interrupted && e instanceof InterruptedIOException) {
        kept = true;
        throw interrupted();
      }
      Kind kind = kindOf(e);
      verdict = "Stopped: " + why(e) + "." + (kind == Kind.TOO_MANY_REPLACED ? example() : "");
      kept = !isForgottenAfter(kind);
      throw new OperationException(kind, verdict + " " + leftBehind(kind), e);
    } catch (InterruptedException e) {
      kept = true;
      Thread.currentThread().interrupt();
      throw interrupted();
    } finally {
      try {
        if (kept || !isForgottenAfter(Kind.INTERNAL)) {
          report(verdict, watch);
        }
      } finally {
        done.countDown();
        removeHook(onInterrupt);
      }
    }
    LoadOutcome outcome =
        new LoadOutcome(
            counts(),
            replaced(),
            before.acknowledged(),
            feed.rejected(),
            PointTimes.of(feed.times()),
            watch.now().seconds(),
            watch.now().cpuSeconds());
    if (!outcome.counts().balanced()) {
      throw new OperationException(
          Kind.INTERNAL, "The counts do not balance, do not trust this load: " + outcome);
    }
    return outcome;
  }

  private void runWatched(LoadWatch watch) throws IOException, InterruptedException {
    try (RunLog log = RunLog.of(run.map(JobRun::job));
        Announcer.Progress shown = announcer.progress(() -> status(watch));
        PeriodicTask logged = log.everyTenSeconds(() -> status(watch).line());
        PeriodicTask health = destination.watch(pipeline::abort)) {
      log.line("begin " + BuildVersion.text());
      if (run.isPresent() && destination instanceof HFileDestination hfiles) {
        hfiles.stageFor(run.get().job(), pipeline, feed.names(), resolver, feed, settings.input());
      }
      feed.run(pipeline, resolver, destination);
      if (pipeline.stopped()) {
        destination.leaveSummaries(announcer);
      } else {
        destination.finishSummaries(
            run.map(of -> of.job().history().loaders()).orElse(List.of()), announcer);
        if (settings.input() instanceof LoadInput.Files limits) {
          repeats = destination.repeats(pipeline, resolver, run, counts().packed(), announcer);
          BudgetedSource.check(limits, counts().replaced(), counts().read(), true);
        }
        destination.writeSeriesMeta(feed.names(), resolver, feed.times());
      }
    }
  }

  private String why(Throwable e) {
    Throwable inner = Causes.innermost(e);
    if (inner instanceof OutOfMemoryError
        && String.valueOf(inner.getMessage()).matches(HEAP_ERRORS)) {
      return new HeapFullException(Runtime.getRuntime().maxMemory(), feed.names().size())
          .sentence(feed.shareRead());
    }
    return e instanceof HeapFullException full
        ? full.sentence(feed.shareRead())
        : Causes.sentence(e);
  }

  private String example() {
    return replaced().example().map(at -> " One of them: " + at + ".").orElse("");
  }

  private static Kind kindOf(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof BudgetedSource.ExceededException exceeded) {
        return exceeded.kind();
      }
      if (cause instanceof NewNamesException) {
        return Kind.TOO_MANY_NEW_NAMES;
      }
    }
    return e instanceof InputException && !(e instanceof RejectsFileException)
        ? Kind.USAGE
        : Kind.CLUSTER;
  }

  private @Nullable LocalPage metrics(LoadWatch watch) {
    OptionalInt port = settings.portOfMetrics();
    if (port.isEmpty()) {
      return null;
    }
    LocalPage page =
        LocalPage.open(
            "--metrics", port.getAsInt(), "/metrics", Prometheus.CONTENT_TYPE, watch::metrics);
    announcer.say("metrics", page.url());
    return page;
  }

  /** A load does not fail because its log and report cannot be written. */
  private void report(String verdict, LoadWatch watch) {
    if (reportFile.isEmpty()) {
      return;
    }
    ReportFile file = reportFile.get();
    try (RunLog log = RunLog.of(run.map(JobRun::job))) {
      log.line(status(watch).line());
      log.line(verdict);
      file.write(
          RunReport.of(file, verdict, watch, counts(), replaced(), feed, destination.callLog()));
      announcer.say("report", file.path().toString());
    } catch (IOException e) {
      announcer.say("report", "not written: " + e.getMessage());
    }
  }

  private LoadCounts counts() {
    return before.plus(pipeline.counts()).withRepeated(repeats.points());
  }

  private Replaced replaced() {
    return Replaced.of(repeats.exact(), pipeline.firstReplaced().or(repeats::first), feed.names());
  }

  /**
   * Told at once: when the shutdown hook ends, the JVM may end before the exception is reported.
   */
  private OperationException interrupted() {
    announcer.fail("interrupted. " + leftBehind(Kind.INTERRUPTED));
    return new OperationException(Kind.INTERRUPTED, "");
  }

  /** On Ctrl-C: stops reading, lets sealed cells be stored, and gives the main thread time. */
  private void drain(CountDownLatch done) {
    interrupted = true;
    pipeline.stop();
    try {
      if (!done.await(DRAIN_SECONDS, TimeUnit.SECONDS)) {
        announcer.fail("gave up waiting for the store. " + leftBehind(Kind.INTERRUPTED));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down and has started the hook: nothing to remove.
    }
  }

  private boolean isForgottenAfter(Kind kind) {
    return run.isPresent() && run.get().isForgottenAfter(kind);
  }

  private String leftBehind(Kind kind) {
    if (isForgottenAfter(kind)) {
      return "Nothing was stored, and no job is left to resume: run the same command again.";
    }
    // No number of lines: by how much the rest exceeds the limit is not known yet.
    String options =
        switch (kind) {
          case TOO_MANY_REJECTS -> " --max-rejects 100%";
          case TOO_MANY_REPLACED -> " --max-replaced 100%";
          default -> "";
        };
    return destination.leftBehind(counts().acknowledged(), run.map(of -> of.resumeHint(options)))
        + (options.isEmpty() || run.isEmpty() ? "" : " (no limit; or N or N%, a higher one)");
  }

  private Sample sample(long startedNanos, double cpuStarted) {
    LoadCounts counts = counts();
    long done =
        destination.acknowledgement() == Acknowledgement.AT_ONCE
            ? counts.acknowledged()
            : Math.max(counts.packed(), counts.acknowledged());
    Histogram calls = destination.callLog().sinceLast();
    return new Sample(
        (System.nanoTime() - startedNanos) / 1e9,
        done,
        counts.packed(),
        counts.cells(),
        counts.cellBytes(),
        feed.rejected(),
        destination.callLog().retries(),
        feed.share(counts, done),
        destination.callLog().inFlight(),
        calls.getValueAtPercentile(50) / 1e3,
        calls.getValueAtPercentile(99) / 1e3,
        calls.getMaxValue() / 1e3,
        cpuSeconds() - cpuStarted,
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  private Announcer.Status status(LoadWatch watch) {
    return destination.finishing().orElseGet(() -> ofCells(watch));
  }

  private Announcer.Status ofCells(LoadWatch watch) {
    Sample now = watch.now();
    OptionalLong taken = feed.taken();
    long ofRun = taken.orElse(now.points() - before.acknowledged());
    List<String> figures = new ArrayList<>();
    taken.ifPresent(
        points -> figures.add(HumanNumbers.count(points, "point", "points") + " taken"));
    figures.add(
        HumanNumbers.count(now.points(), "point", "points")
            + (taken.isPresent() ? " of complete hours stored" : ""));
    figures.add(HumanNumbers.si(ofRun / Math.max(1e-3, now.seconds())) + " points/s");
    if (now.rejected() > 0) {
      figures.add("rejected " + HumanNumbers.count(now.rejected()));
    }
    if (feed.shareRead() > now.share() + READ_AHEAD_SHOWN) {
      figures.add((int) (100 * feed.shareRead()) + " % read");
    }
    if (now.retries() > 0) {
      figures.add("retries " + HumanNumbers.count(now.retries()));
    }
    if (now.packed() > 0) {
      figures.add(HumanNumbers.ratio(now.bytesPerPoint()) + " bytes/point");
    }
    if (now.inFlight() > 0) {
      figures.add("in flight " + now.inFlight());
    }
    return new Announcer.Status(
        destination.topic(), now.share(), watch.samples().secondsLeft(), figures);
  }

  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime() / 1e9
        : 0;
  }
}
