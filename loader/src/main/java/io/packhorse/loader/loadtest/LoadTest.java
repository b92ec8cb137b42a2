package io.packhorse.loader.loadtest;

import io.packhorse.loader.loadtest.LoadTestResult.Calls;
import io.packhorse.loader.loadtest.LoadTestResult.Judged;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Drives a target with a workload: writes and reads at the times the workload states, whatever the
 * target does, and judges what it saw.
 *
 * @param target where points go, {@code http://HOST:PORT}
 * @param queries the TSD that readers ask
 */
public record LoadTest(Workload workload, URI target, URI queries, Protocol protocol) {
  /** Above this the figures are those of the generator. */
  private static final double LAG_MS_MAX = 20;

  private static final int READER_THREADS_MAX = 64;

  /** Hears how far a test is, every second. */
  public interface Progress {
    /**
     * A second is over.
     *
     * @param share of the test that is over, 0 to 1
     * @param pointsDone acknowledged points in all
     * @param p99 response time of writes in this second, milliseconds
     */
    void second(double share, long pointsDone, double p99);
  }

  /**
   * Runs to the end.
   *
   * @param folder for the files, new or empty; what was seen is there every second
   */
  public LoadTestResult run(Path folder, Progress progress)
      throws IOException, InterruptedException {
    Schedule schedule = Schedule.of(workload, System.currentTimeMillis());
    Acknowledged acknowledged = new Acknowledged();
    HttpTarget http = new HttpTarget(target, queries, protocol, workload.timeout());
    WriteTarget writeTarget =
        protocol == Protocol.TELNET ? new TelnetTarget(target, workload.timeout()) : http;
    Check check = new Check(workload, schedule, acknowledged);
    Findings findings = new Findings();
    long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);

    List<Phased> stats = new ArrayList<>();
    List<OpenLoop> loops = new ArrayList<>();
    Phased writes = new Phased(Limit.WRITE, schedule.warmUpNanos());
    stats.add(writes);
    OpenLoop writing =
        new OpenLoop(
            "write",
            start,
            schedule::offsetNanos,
            schedule.batches(),
            workload.timeout().toNanos(),
            new Writes(workload, schedule, protocol, writeTarget, acknowledged));
    for (Reader reader : workload.readers()) {
      Phased of = new Phased(reader.name(), schedule.warmUpNanos());
      stats.add(of);
      long apart = (long) (TimeUnit.SECONDS.toNanos(1) / reader.rate());
      OpenLoop reading =
          new OpenLoop(
              "read-" + reader.name(),
              start,
              number -> number * apart,
              schedule.nanos() / apart,
              workload.timeout().toNanos(),
              new Reads(workload, schedule, reader, http, acknowledged, check, findings));
      loops.add(reading);
      reading.start(threads(reader), of);
    }
    loops.add(writing);
    writing.start(workload.connections(), writes);

    try (TestFiles files = new TestFiles(folder, stats.stream().map(of -> of.counted).toList())) {
      while (System.nanoTime() - start < schedule.nanos()) {
        TimeUnit.SECONDS.sleep(1);
        double p99 = files.second((System.nanoTime() - start) / 1e9);
        progress.second(
            Math.min(1, (double) (System.nanoTime() - start) / schedule.nanos()),
            writes.counted.done() + writes.warmUp.done(),
            p99);
      }
      for (OpenLoop loop : loops) {
        loop.join();
      }
      files.second((System.nanoTime() - start) / 1e9);
      LoadTestResult result = result(stats, findings);
      files.write(result);
      return result;
    } finally {
      loops.forEach(OpenLoop::stop);
      writeTarget.close();
    }
  }

  private static int threads(Reader reader) {
    return (int) Math.max(2, Math.min(READER_THREADS_MAX, Math.ceil(2 * reader.rate())));
  }

  private LoadTestResult result(List<Phased> stats, Findings findings) {
    List<Judged> judged = new ArrayList<>();
    for (Limit limit : workload.limits()) {
      for (Phased each : stats) {
        if (each.counted.name().equals(limit.of())) {
          double found = each.counted.figure(limit);
          judged.add(new Judged(limit, found, limit.holds(found)));
        }
      }
    }
    return new LoadTestResult(
        workload,
        workload.hold().toMillis() / 1000.0,
        stats.stream().map(each -> Calls.of(each.counted)).toList(),
        judged,
        findings.right(),
        findings.wrong(),
        findings.unchecked(),
        findings.sentences(),
        late(stats).orElse(""));
  }

  /** Whether threads that were free began their calls late. */
  private static Optional<String> late(List<Phased> stats) {
    for (Phased each : stats) {
      double lag = each.counted.lags().getValueAtPercentile(99) / 1000.0;
      if (lag > LAG_MS_MAX) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "the generator itself began 1 %% of %s calls %.0f ms late or more: use another machine"
                    + " or a smaller rate",
                each.counted.name(),
                lag));
      }
    }
    return Optional.empty();
  }

  /** Calls of the warm-up, and those that count. */
  private static final class Phased implements OpenLoop.Stats {
    private final long warmUpNanos;
    private final CallStats warmUp;
    private final CallStats counted;

    Phased(String name, long warmUpNanos) {
      this.warmUpNanos = warmUpNanos;
      this.warmUp = new CallStats(name);
      this.counted = new CallStats(name);
    }

    @Override
    public CallStats at(long offsetNanos) {
      return offsetNanos < warmUpNanos ? warmUp : counted;
    }
  }
}
