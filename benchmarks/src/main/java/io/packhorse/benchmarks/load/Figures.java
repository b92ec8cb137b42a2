package io.packhorse.benchmarks.load;

import io.packhorse.benchmarks.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the systems of one case have done, over its repeats. One thread. */
final class Figures {
  private static final double MEGABYTE = 1e6;

  private final Work work;
  private final Map<String, Map<String, List<Double>>> systems = new LinkedHashMap<>();

  Figures(Work work) {
    this.work = work;
  }

  /** Takes a run of the whole work. */
  void add(String system, MeasuredProcess process, double hbaseCpuSeconds) {
    addScaled(system, process, hbaseCpuSeconds, work.points());
    work.rows().ifPresent(rows -> add(system, "rows_per_s", rows / process.seconds()));
  }

  /** Takes a run of a part of it. */
  void addScaled(String system, MeasuredProcess process, double hbaseCpuSeconds, long points) {
    System.err.printf(
        Locale.ROOT,
        "load  %s %s: %.2f s, %.2f M points/s, %.1f CPU s%n",
        work.name(),
        system,
        process.seconds(),
        points / process.seconds() / 1e6,
        process.cpuSeconds() + hbaseCpuSeconds);
    add(system, "points_per_s", points / process.seconds());
    add(system, "cpu_s", process.cpuSeconds() + hbaseCpuSeconds);
    add(system, "peak_rss_mb", process.peakBytes() / MEGABYTE);
  }

  /** Takes what a point costs on disk. */
  void addBytes(String system, double bytesPerPoint) {
    add(system, "bytes_per_point", bytesPerPoint);
  }

  private void add(String system, String metric, double value) {
    systems
        .computeIfAbsent(system, none -> new LinkedHashMap<>())
        .computeIfAbsent(metric, none -> new ArrayList<>())
        .add(value);
  }

  /** The systems that are ours. */
  List<String> packhorses() {
    return systems.keySet().stream().filter(system -> system.startsWith("packhorse")).toList();
  }

  /** Adds the medians to a report, and of the speed how often another system's it is. */
  void report(Report report) {
    double ours = median("packhorse", "points_per_s");
    systems.forEach(
        (system, metrics) -> {
          metrics
              .keySet()
              .forEach(
                  metric ->
                      report.add(
                          work.name(), system, metric, median(system, metric), unit(metric)));
          if (!system.startsWith("packhorse")) {
            report.add(
                work.name(),
                system,
                "packhorse_is",
                ours / median(system, "points_per_s"),
                "times as fast");
          }
        });
  }

  private double median(String system, String metric) {
    List<Double> values = systems.getOrDefault(system, Map.of()).getOrDefault(metric, List.of());
    return values.isEmpty() ? 0 : values.stream().sorted().toList().get(values.size() / 2);
  }

  private static String unit(String metric) {
    return switch (metric) {
      case "points_per_s" -> "points/s";
      case "rows_per_s" -> "rows/s";
      case "cpu_s" -> "s";
      case "peak_rss_mb" -> "MB";
      default -> "bytes";
    };
  }
}
