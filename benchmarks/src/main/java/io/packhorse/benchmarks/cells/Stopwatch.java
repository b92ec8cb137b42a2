package io.packhorse.benchmarks.cells;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Measures work that repeats: the processor time of its thread, so that other processes and the
 * JVM's own threads cost nothing, and what it allocates.
 *
 * @param warmNanos processor time spent before the first round at least; again and again as long as
 *     the JVM's other threads work, mostly on code that would take the place of the one timed
 * @param roundNanos processor time of a round at least
 * @param rounds of which the median counts; odd
 */
record Stopwatch(long warmNanos, long roundNanos, int rounds) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** How often to warm up at most: nothing compiles for so long. */
  private static final int WARM_UPS_MAX = 20;

  /** A step of the process's time. */
  private static final long TICK_NANOS = 10_000_000;

  /** The work. */
  interface Pass {
    /**
     * Does it once.
     *
     * @return anything that depends on all of it
     */
    long run() throws IOException;
  }

  /** Nanoseconds of one pass: the median of the rounds. */
  double nanos(Pass pass) throws IOException {
    long sink = 0;
    long passes;
    long spent;
    long others;
    int warmUps = 0;
    do {
      long process = PROCESS.getProcessCpuTime();
      long begin = THREADS.getCurrentThreadCpuTime();
      passes = 0;
      do {
        sink += pass.run();
        passes++;
        spent = THREADS.getCurrentThreadCpuTime() - begin;
      } while (spent < warmNanos);
      others = PROCESS.getProcessCpuTime() - process - spent;
    } while (others > TICK_NANOS + spent / 10 && ++warmUps < WARM_UPS_MAX);
    long passesARound = Math.max(1, roundNanos * passes / Math.max(1, spent));
    double[] nanos = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      long start = THREADS.getCurrentThreadCpuTime();
      for (long i = 0; i < passesARound; i++) {
        sink += pass.run();
      }
      nanos[round] = (double) (THREADS.getCurrentThreadCpuTime() - start) / passesARound;
    }
    use(sink);
    Arrays.sort(nanos);
    return nanos[rounds / 2];
  }

  /** Bytes allocated by one pass, after warming up. */
  static long allocated(Pass pass) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    long sink = pass.run();
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    use(sink);
    return allocated;
  }

  /** Lets no compiler leave the work out; no sum of results has this value in practice. */
  private static void use(long sink) {
    if (sink == Long.MIN_VALUE + 42) {
      System.err.print("");
    }
  }
}
