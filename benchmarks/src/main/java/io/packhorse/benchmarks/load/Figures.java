package io.packhorse.benchmarks.load;

import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.receive.QuestDb;
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
    double cpuSeconds = process.cpuSeconds() + hbaseCpuSeconds;
    add(system, work.points(), process.seconds(), cpuSeconds, process.peakBytes());
    work.rows().ifPresent(rows -> add(system, "rows_per_s", rows / process.seconds()));
  }

  /** Takes a load of QuestDB, of as many rows as the work. */
  void add(QuestDb.Loaded loaded) {
    String system = "questdb";
    double seconds = loaded.seconds();
    add(system, loaded.points(), seconds, loaded.serverCpuSeconds(), loaded.peakBytes());
    add(system, "rows_per_s", loaded.rows() / seconds);
    addBytes(system, (double) loaded.bytes() / loaded.points());
  }

  /** Takes a run of a part of the work, or of as much of another kind. */
  void add(String system, long points, double seconds, double cpuSeconds, long peakBytes) {
    System.err.printf(
        Locale.ROOT,
        "load  %s %s: %.2f s, %.2f M points/s, %.1f CPU s%n",
        work.name(),
        system,
        seconds,
        points / seconds / 1e6,
        cpuSeconds);
    add(system, "points_per_s", points / seconds);
    add(system, "cpu_s", cpuSeconds);
    add(system, "peak_rss_mb", peakBytes / MEGABYTE);
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
