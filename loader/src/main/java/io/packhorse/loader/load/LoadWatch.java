package io.packhorse.loader.load;

import io.packhorse.loader.report.Prometheus;
import io.packhorse.loader.report.Sample;
import io.packhorse.loader.report.Samples;
import io.packhorse.loader.report.StageProfile;
import io.packhorse.loader.sink.CallLog;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Samples a load while it runs: everything that is shown of it, on screen, to Prometheus and in the
 * report, comes from here.
 */
final class LoadWatch implements AutoCloseable {
  private static final int SAMPLE_MS = 500;
  private static final int PROFILE_MS = 100;

  /** Methods of ours lie above those of HBase's client. */
  private static final int FRAMES_MAX = 60;

  private static final int THREADS_MAX = 1_024;

  private final Supplier<Sample> source;
  private final CallLog calls;
  private final Samples samples = new Samples();
  private final StageProfile stages = new StageProfile();
  private volatile Sample last;
  private final PeriodicTask sampling;
  private final PeriodicTask profiling;

  /**
   * Starts sampling.
   *
   * @param source what is so now; called by one thread at a time
   */
  LoadWatch(Supplier<Sample> source, CallLog calls) {
    this.source = source;
    this.calls = calls;
    this.last = source.get();
    samples.add(last);
    sampling = new PeriodicTask("load-watch", this::sample, SAMPLE_MS);
    profiling = new PeriodicTask("load-profile", this::profile, PROFILE_MS);
  }

  private synchronized void sample() {
    last = source.get();
    samples.add(last);
  }

  /** Only the load's own threads: reading their stacks stops the whole JVM for a moment. */
  private void profile() {
    Thread[] all = new Thread[THREADS_MAX];
    int count = Thread.enumerate(all);
    long[] ids =
        Arrays.stream(all, 0, count)
            .filter(thread -> StageProfile.isOfLoad(thread.getName()))
            .mapToLong(Thread::getId)
            .toArray();
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().getThreadInfo(ids, FRAMES_MAX)) {
      if (thread != null) {
        stages.sample(thread.getThreadName(), thread.getThreadState(), thread.getStackTrace());
      }
    }
  }

  /** The last sample. */
  Sample now() {
    return last;
  }

  Samples samples() {
    return samples;
  }

  StageProfile stages() {
    return stages;
  }

  /** For Prometheus. */
  String metrics() {
    return Prometheus.text(last, calls.times());
  }

  /** Stops, with a last sample. */
  @Override
  public void close() {
    sampling.close();
    profiling.close();
    sample();
  }
}
