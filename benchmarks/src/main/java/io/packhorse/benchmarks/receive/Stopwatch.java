package io.packhorse.benchmarks.receive;

import java.io.IOException;
import java.time.Duration;

/** Time and CPU of this process since a moment. */
final class Stopwatch {
  private final long start = System.nanoTime();
  private final double cpu = cpuSeconds(ProcessHandle.current());

  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  double clientCpuSeconds() {
    return cpuSeconds(ProcessHandle.current()) - cpu;
  }

  /** CPU that a process has used; 0 if it has ended. */
  private static double cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
  }

  /** CPU that a process has used. */
  static double cpuSeconds(long pid) throws IOException {
    return cpuSeconds(
        ProcessHandle.of(pid).orElseThrow(() -> new IOException("process " + pid + " has ended")));
  }
}
