package io.packhorse.loader.cli;

import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.pipeline.LoadPipeline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Runs a pipeline to its end with progress, Ctrl-C and a clear last word. */
final class LoadRun {
  private static final int DRAIN_SECONDS = 30;

  private final LoadPipeline pipeline;
  private final Destination destination;
  private final LongSupplier rejected;
  private final long expectedPoints;
  private final Optional<LoadJob> job;
  private final LoadCounts before;
  private final PrintWriter err;
  private volatile boolean interrupted;

  /** The part of a load that differs: which pipeline method with which sources. */
  interface Body {
    void run(LoadPipeline pipeline) throws IOException, InterruptedException;
  }

  /**
   * @param destination where the pipeline's cells go
   * @param rejected points refused so far
   * @param expectedPoints in all, or 0 if unknown
   * @param job the load is a run of, if it is one
   */
  LoadRun(
      LoadPipeline pipeline,
      Destination destination,
      LongSupplier rejected,
      long expectedPoints,
      Optional<LoadJob> job,
      PrintWriter err) {
    this.pipeline = pipeline;
    this.destination = destination;
    this.rejected = rejected;
    this.expectedPoints = expectedPoints;
    this.job = job;
    this.before = job.map(resumed -> resumed.job().before()).orElse(LoadCounts.NONE);
    this.err = err;
  }

  /**
   * Runs it.
   *
   * @throws CommandException CLUSTER if the store failed, INTERRUPTED after Ctrl-C; the message
   *     says how many points are safe
   */
  LoadOutcome run(Body body) {
    CountDownLatch done = new CountDownLatch(1);
    Thread onInterrupt = new Thread(() -> drain(done), "packhorse-interrupt");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    long started = System.nanoTime();
    double cpuStarted = cpuSeconds();
    try {
      runWatched(body, started);
      if (pipeline.stopped()) {
        throw interrupted();
      }
    } catch (IOException e) {
      if (interrupted && e instanceof InterruptedIOException) {
        throw interrupted();
      }
      throw new CommandException(ExitCode.CLUSTER, "Load stopped: " + cause(e) + ". " + safe(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted();
    } finally {
      done.countDown();
      removeHook(onInterrupt);
    }
    LoadOutcome outcome =
        new LoadOutcome(
            before.plus(pipeline.counts()),
            before.acknowledged(),
            rejected.getAsLong(),
            (System.nanoTime() - started) / 1e9,
            cpuSeconds() - cpuStarted);
    if (!outcome.counts().balanced()) {
      throw new CommandException(
          ExitCode.INTERNAL, "The counts do not balance, do not trust this load: " + outcome);
    }
    return outcome;
  }

  private void runWatched(Body body, long started) throws IOException, InterruptedException {
    try (Progress progress = new Progress(err, () -> line(started));
        Destination.Watch watch = destination.watch(pipeline::abort)) {
      body.run(pipeline);
    }
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
    return Figures.count(before.plus(pipeline.counts()).acknowledged())
        + " points were acknowledged and are safe; "
        + job.map(LoadJob::goOn)
            .orElse(
                "run the same command again to load the rest: points that are there already count"
                    + " once.");
  }

  private String line(long startedNanos) {
    LoadCounts counts = pipeline.counts();
    double seconds = (System.nanoTime() - startedNanos) / 1e9;
    long done =
        destination.acknowledgesAtTheEnd()
            ? Math.max(counts.packed(), counts.acknowledged())
            : counts.acknowledged();
    double rate = done / seconds;
    done += before.acknowledged();
    StringBuilder line =
        new StringBuilder("load      ").append(Figures.count(done)).append(" points");
    if (expectedPoints > 0) {
      line.append(" of ")
          .append(Figures.count(expectedPoints))
          .append(String.format(" (%d%%)", 100 * done / expectedPoints));
    }
    line.append("  ").append(Figures.si(rate)).append(" points/s  ");
    line.append(Figures.ratio(counts.bytesPerPoint())).append(" bytes/point");
    if (rejected.getAsLong() > 0) {
      line.append("  rejected ").append(Figures.count(rejected.getAsLong()));
    }
    if (expectedPoints > 0 && rate > 0) {
      line.append("  ETA ").append(Figures.seconds((expectedPoints - done) / rate));
    }
    return line.toString();
  }

  /** The innermost sentence of an exception chain, on one line. */
  static String cause(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    String message = inner.getMessage();
    String text = message == null ? inner.getClass().getSimpleName() : message;
    return text.lines().findFirst().orElse(text).strip();
  }

  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime() / 1e9
        : 0;
  }
}
