package io.packhorse.benchmarks.repack;

import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.MeasuredProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Repeats of one command, with the processor time of the store. */
final class Runs {
  private final Store store;
  private final List<Double> seconds = new ArrayList<>();
  private final List<Double> cpu = new ArrayList<>();

  Runs(Store store) {
    this.store = store;
  }

  void run(List<String> command, Path output) throws IOException, InterruptedException {
    double before = store.cpuSeconds();
    add(MeasuredProcess.run(command, output), before);
  }

  void add(MeasuredProcess process, double serverCpuBefore) throws IOException {
    seconds.add(process.seconds());
    cpu.add(process.cpuSeconds() + store.cpuSeconds() - serverCpuBefore);
  }

  void report(String name, String system, long points, Report report) {
    report.add(name, system, "points_per_s", points / median(seconds), "points/s");
    report.add(name, system, "cpu_s", median(cpu), "s");
    report.add(name, system, "points_per_cpu_s", points / median(cpu), "points/s");
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
