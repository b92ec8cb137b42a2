package io.packhorse.benchmarks.receive;

import io.packhorse.benchmarks.Report;

/**
 * What a system did with the points of a case.
 *
 * @param seconds until all points were acknowledged and could be read
 * @param serverCpuSeconds of the servers in this time
 * @param clientCpuSeconds of the load generator
 * @param peakBytes most memory of the server that speaks to clients
 */
record Outcome(
    Bodies what,
    Sender.Sent sent,
    double seconds,
    double serverCpuSeconds,
    double clientCpuSeconds,
    long peakBytes) {
  static final double MEGABYTE = 1e6;

  void report(String caseName, String system, Report report) {
    System.err.printf(
        "receive  %s %s: %.2f s, %,.0f values/s, %.1f CPU s%n",
        caseName, system, seconds, valuesPerSecond(), serverCpuSeconds);
    report.add(caseName, system, "values_per_s", valuesPerSecond(), "values/s");
    report.add(caseName, system, "values_per_cpu_s", valuesPerCpuSecond(), "values/s");
    if (sent.answersNs().length > 0) {
      report.add(caseName, system, "full_p50_ms", sent.millis(0.5), "ms");
      report.add(caseName, system, "full_p99_ms", sent.millis(0.99), "ms");
      report.add(caseName, system, "retries", sent.retries(), "requests");
    }
    report.add(caseName, system, "peak_rss_mb", peakBytes / MEGABYTE, "MB");
    report.add(caseName, system, "client_cpu_s", clientCpuSeconds, "s");
  }

  double valuesPerSecond() {
    return what.points() / seconds;
  }

  double valuesPerCpuSecond() {
    return what.points() / serverCpuSeconds;
  }
}
