package io.packhorse.loader.loadtest;

import io.packhorse.loader.loadtest.LoadTestResult.Calls;
import io.packhorse.loader.loadtest.LoadTestResult.Judged;
import io.packhorse.loader.table.FoundServer;
import io.packhorse.loader.table.RegionLoad;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Drives a target with a workload: writes and reads at the times the workload states, whatever the
 * target does, and judges what it saw.
 *
 * @param target where points go, {@code http://HOST:PORT}
 * @param queries the TSD that readers ask
 * @param store whose counters the report shows; empty to leave them out
 * @param packing writes the points, and the target takes none; empty for none
 */
public record LoadTest(
    Workload workload,
    URI target,
    URI queries,
    Protocol protocol,
    Optional<Store> store,
    Optional<Packing> packing) {
  /** Above this the figures are those of the generator. */
  private static final double LAG_MS_MAX = 20;

  private static final StoreLoad RUNNING =
      StoreLoad.missing("HBase's counters are shown at the end");

  private static final int READER_THREADS_MAX = 64;
  private static final int REPORT_SECONDS = 30;

  /** How often a browser reads the report again while the test runs. */
  public static final Duration REFRESH = Duration.ofSeconds(TestCharts.REFRESH_SECONDS);

  /** The report in the folder, from the first seconds on. */
  public static Path report(Path folder) {
    return folder.resolve(TestFiles.REPORT);
  }

  /** The HBase behind the target. Any thread. */
  public interface Store {
    /**
     * The live region servers, whose pages have counters too.
     *
     * @throws IOException if HBase does not answer
     */
    List<FoundServer> servers() throws IOException;

    /**
     * What each region of the data table has done so far.
     *
     * @throws IOException if HBase does not answer
     */
    List<RegionLoad> regions() throws IOException;
  }

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
    HttpTarget http = new HttpTarget(target, queries, protocol, workload.timeout());
    Optional<Packing.Packer> packer =
        packing.isPresent() ? Optional.of(packing.get().begin(workload)) : Optional.empty();
    StoreWatch watch = StoreWatch.begin(store);
    Schedule schedule = Schedule.of(workload, System.currentTimeMillis());
    Acknowledged acknowledged = new Acknowledged();
    Batches batches =
        packer
            .<Batches>map(by -> new PackedBatches(workload, schedule, by))
            .orElseGet(() -> new TextBatches(workload, schedule, protocol, writeTarget(http)));
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
            workload.closed() ? OpenLoop.NOW : schedule::offsetNanos,
            schedule.nanos(),
            workload.timeout().toNanos(),
            new Writes(schedule, batches, acknowledged));
    for (Reader reader : workload.readers()) {
      Phased of = new Phased(reader.name(), schedule.warmUpNanos());
      stats.add(of);
      long apart = (long) (TimeUnit.SECONDS.toNanos(1) / reader.rate());
      OpenLoop reading =
          new OpenLoop(
              "read-" + reader.name(),
              start,
              number -> number * apart,
              schedule.nanos(),
              workload.timeout().toNanos(),
              new Reads(workload, schedule, reader, http, acknowledged, check, findings));
      loops.add(reading);
      reading.start(threads(reader), of);
    }
    loops.add(writing);
    writing.start(workload.connections(), writes);

    CountDownLatch ended = new CountDownLatch(1);
    AtomicBoolean stopped = new AtomicBoolean();
    Thread onInterrupt = new Thread(() -> stop(stopped, loops, ended), "loadtest-interrupt");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try (TestFiles files = new TestFiles(folder, stats.stream().map(of -> of.counted).toList())) {
      while (System.nanoTime() - start < schedule.nanos() && !stopped.get()) {
        TimeUnit.SECONDS.sleep(1);
        long since = System.nanoTime() - start;
        double share = Math.min(1, (double) since / schedule.nanos());
        double p99 = files.second(since / 1e9);
        double counting = Math.max(1, (since - schedule.warmUpNanos()) / 1e9);
        files.running(since / 1e9, share, () -> result(stats, findings, counting, RUNNING, ""));
        progress.second(share, writes.counted.done() + writes.warmUp.done(), p99);
      }
      for (OpenLoop loop : loops) {
        loop.join();
      }
      batches.close();
      files.second((System.nanoTime() - start) / 1e9);
      double counted = (System.nanoTime() - start - schedule.warmUpNanos()) / 1e9;
      StoreLoad did = watch.end();
      LoadTestResult result =
          stopped.get()
              ? result(
                  stats, findings, Math.max(1, counted), did, "it was ended by Ctrl-C or a signal")
              : result(stats, findings, workload.hold().toMillis() / 1000.0, did, late(stats));
      files.write(result);
      return result;
    } finally {
      loops.forEach(OpenLoop::stop);
      batches.close();
      ended.countDown();
      if (!stopped.get()) {
        Runtime.getRuntime().removeShutdownHook(onInterrupt);
      }
    }
  }

  private WriteTarget writeTarget(HttpTarget http) {
    return protocol == Protocol.TELNET ? new TelnetTarget(target, workload.timeout()) : http;
  }

  /** On Ctrl-C: begins nothing more, and gives the main thread time for the report. */
  private static void stop(AtomicBoolean stopped, List<OpenLoop> loops, CountDownLatch ended) {
    stopped.set(true);
    loops.forEach(OpenLoop::stop);
    try {
      ended.await(REPORT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int threads(Reader reader) {
    return (int) Math.max(2, Math.min(READER_THREADS_MAX, Math.ceil(2 * reader.rate())));
  }

  private LoadTestResult result(
      List<Phased> stats, Findings findings, double seconds, StoreLoad did, String invalid) {
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
        seconds,
        stats.stream().map(each -> Calls.of(each.counted)).toList(),
        judged,
        findings.right(),
        findings.wrong(),
        findings.unchecked(),
        findings.sentences(),
        did,
        invalid);
  }

  /** What says that threads that were free began their calls late; empty if they did not. */
  private static String late(List<Phased> stats) {
    for (Phased each : stats) {
      double lag = each.counted.lags().getValueAtPercentile(99) / 1000.0;
      if (lag > LAG_MS_MAX) {
        return String.format(
            Locale.ROOT,
            "the generator itself began 1 %% of %s calls %.0f ms late or more: use another machine"
                + " or a smaller rate",
            each.counted.name(),
            lag);
      }
    }
    return "";
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
