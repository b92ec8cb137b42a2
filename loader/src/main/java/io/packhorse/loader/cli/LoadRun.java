package io.packhorse.loader.cli;

import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.report.Sample;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs a pipeline to its end with progress, Ctrl-C and a clear last word. */
final class LoadRun {
  /** What an interrupted load has to end in. */
  static final int DRAIN_SECONDS = 30;

  private static final int LOG_PERIOD_MS = 10_000;

  private final LoadPipeline pipeline;
  private final Destination destination;
  private final LongSupplier rejected;
  private final Extent extent;
  private final Optional<LoadJob> job;
  private final LoadCounts before;
  private final PrintWriter err;
  private volatile boolean interrupted;

  /** The part of a load that differs: which pipeline method with which sources. */
  interface Body {
    void run(LoadPipeline pipeline) throws IOException, InterruptedException;
  }

  /** How much there is to load. */
  interface Extent {
    /** The share that is done, 0 to 1, by what has been counted; negative if nobody knows. */
    double share(long points);
  }

  /** So many points in all. */
  static Extent ofPoints(long expected) {
    return points -> (double) points / expected;
  }

  /**
   * @param destination where the pipeline's cells go
   * @param rejected points refused so far
   * @param extent of the input
   * @param job the load is a run of, if it is one
   */
  LoadRun(
      LoadPipeline pipeline,
      Destination destination,
      LongSupplier rejected,
      Extent extent,
      Optional<LoadJob> job,
      PrintWriter err) {
    this.pipeline = pipeline;
    this.destination = destination;
    this.rejected = rejected;
    this.extent = extent;
    this.job = job;
    this.before = job.map(resumed -> resumed.job().before()).orElse(LoadCounts.NONE);
    this.err = err;
  }

  /**
   * Runs it.
   *
   * @throws CommandException CLUSTER if the store or the heap failed, INTERRUPTED after Ctrl-C; the
   *     message says how many points are safe
   */
  LoadOutcome run(Body body) {
    CountDownLatch done = new CountDownLatch(1);
    Thread onInterrupt = new Thread(() -> drain(done), "packhorse-interrupt");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    long started = System.nanoTime();
    double cpuStarted = cpuSeconds();
    LoadWatch watch = new LoadWatch(() -> sample(started, cpuStarted), destination.callLog());
    String verdict = "Nothing was loaded.";
    try (watch;
        MetricsPage page = metrics(watch)) {
      verdict = "The load was interrupted.";
      runWatched(body, watch);
      if (pipeline.stopped()) {
        throw interrupted();
      }
      verdict = "Ended well.";
    } catch (IOException | OutOfMemoryError e) {
      if (interrupted && e instanceof InterruptedIOException) {
        throw interrupted();
      }
      verdict = "Stopped: " + cause(e) + ".";
      throw new CommandException(ExitCode.CLUSTER, verdict + " " + safe(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted();
    } finally {
      try {
        report(verdict, watch);
      } finally {
        done.countDown();
        removeHook(onInterrupt);
      }
    }
    LoadOutcome outcome =
        new LoadOutcome(
            counts(),
            before.acknowledged(),
            rejected.getAsLong(),
            watch.now().seconds(),
            watch.now().cpuSeconds());
    if (!outcome.counts().balanced()) {
      throw new CommandException(
          ExitCode.INTERNAL, "The counts do not balance, do not trust this load: " + outcome);
    }
    return outcome;
  }

  private void runWatched(Body body, LoadWatch watch) throws IOException, InterruptedException {
    try (PrintWriter log = openLog();
        Progress shown = new Progress(err, () -> line(watch));
        Progress logged =
            new Progress(log, () -> Instant.now() + " " + line(watch), false, LOG_PERIOD_MS);
        Destination.Watch looking = destination.watch(pipeline::abort)) {
      log.println(Instant.now() + " begin " + BuildVersion.text());
      body.run(pipeline);
    }
  }

  private @Nullable MetricsPage metrics(LoadWatch watch) {
    OptionalInt port = job.map(LoadJob::metricsPort).orElse(OptionalInt.empty());
    if (port.isEmpty()) {
      return null;
    }
    MetricsPage page = MetricsPage.open(port.getAsInt(), watch::metrics);
    err.println("metrics   " + page.url());
    return page;
  }

  private PrintWriter openLog() throws IOException {
    return job.isEmpty()
        ? new PrintWriter(Writer.nullWriter())
        : new PrintWriter(
            Files.newBufferedWriter(
                job.get().job().folder().resolve("log"),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND),
            true);
  }

  /** A load does not fail for the sake of its log and report. */
  private void report(String verdict, LoadWatch watch) {
    if (job.isEmpty()) {
      return;
    }
    Path file = job.get().job().folder().resolve("report.html");
    try (PrintWriter log = openLog()) {
      log.println(Instant.now() + " " + line(watch));
      log.println(Instant.now() + " " + verdict);
      Files.writeString(
          file,
          RunReport.of(
                  job.get(), verdict, watch, counts(), rejected.getAsLong(), destination.callLog())
              .html());
      err.println("report    " + file);
    } catch (IOException e) {
      err.println("report    not written: " + e.getMessage());
    }
  }

  private LoadCounts counts() {
    return before.plus(pipeline.counts());
  }

  /** Says it now: once the hook lets the JVM go, nobody may come to print an exception. */
  private CommandException interrupted() {
    err.println("packhorse: interrupted. " + safe());
    return CommandException.interrupted();
  }

  /**
   * On Ctrl-C: stop reading, let sealed cells arrive, give the main thread time for its last word.
   */
  private void drain(CountDownLatch done) {
    interrupted = true;
    pipeline.stop();
    try {
      if (!done.await(DRAIN_SECONDS, TimeUnit.SECONDS)) {
        err.println("Gave up waiting for the store. " + safe());
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

  private String safe() {
    if (destination.isComparison()) {
      return Figures.count(counts().acknowledged())
          + " points were compared; nothing was changed, run the same command again.";
    }
    return Figures.count(counts().acknowledged())
        + " points were acknowledged and are safe; "
        + job.map(LoadJob::goOn)
            .orElse(
                "run the same command again to load the rest: points that are there already count"
                    + " once.");
  }

  private Sample sample(long startedNanos, double cpuStarted) {
    LoadCounts counts = counts();
    long done =
        destination.acknowledgesLate()
            ? Math.max(counts.packed(), counts.acknowledged())
            : counts.acknowledged();
    Histogram calls = destination.callLog().sinceLast();
    return new Sample(
        (System.nanoTime() - startedNanos) / 1e9,
        done,
        counts.packed(),
        counts.cells(),
        counts.cellBytes(),
        rejected.getAsLong(),
        destination.callLog().retries(),
        extent.share(done),
        destination.callLog().inFlight(),
        calls.getValueAtPercentile(50) / 1e3,
        calls.getValueAtPercentile(99) / 1e3,
        calls.getMaxValue() / 1e3,
        cpuSeconds() - cpuStarted,
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  private String line(LoadWatch watch) {
    Sample now = watch.now();
    StringBuilder line =
        new StringBuilder(destination.isComparison() ? "compare   " : "load      ")
            .append(Figures.count(now.points()))
            .append(" points");
    if (now.share() >= 0) {
      line.append(String.format(Locale.ROOT, " (%d%%)", (int) (100 * Math.min(1, now.share()))));
    }
    double rate = (now.points() - before.acknowledged()) / Math.max(1e-3, now.seconds());
    line.append("  ").append(Figures.si(rate)).append(" points/s  ");
    line.append(Figures.ratio(now.bytesPerPoint()));
    line.append(" bytes/point");
    if (now.rejected() > 0) {
      line.append("  rejected ").append(Figures.count(now.rejected()));
    }
    if (now.retries() > 0) {
      line.append("  retries ").append(Figures.count(now.retries()));
    }
    if (now.inFlight() > 0) {
      line.append("  in flight ").append(now.inFlight());
    }
    OptionalDouble left = watch.samples().secondsLeft();
    if (left.isPresent()) {
      line.append("  ETA ").append(Figures.seconds(left.getAsDouble()));
    }
    return line.toString();
  }

  /** The innermost sentence of an exception chain, on one line. */
  static String cause(Throwable e) {
    Throwable inner = innermost(e);
    String message = inner.getMessage();
    if (inner instanceof OutOfMemoryError) {
      return String.format(
          "out of memory (%s), the heap is %d MiB and PACKHORSE_HEAP sets a larger one",
          message, Runtime.getRuntime().maxMemory() >> 20);
    }
    String text = message == null ? inner.getClass().getSimpleName() : message;
    return text.lines().findFirst().orElse(text).strip();
  }

  /** What an exception began with, itself if it has no cause. */
  static Throwable innermost(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime() / 1e9
        : 0;
  }
}
