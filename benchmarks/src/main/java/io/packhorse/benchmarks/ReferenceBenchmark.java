package io.packhorse.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference workload (128 sensors, 1 s, integer walk), packed and compacted, into the null sink
 * and as Puts with the write-ahead log, packed also as HFiles, into an embedded store of its own.
 * Medians of several runs; every stored point is read back and compared before a figure counts.
 * Client and server share the machine.
 */
final class ReferenceBenchmark implements Benchmark {
  /** log2(101) / 8: a smaller cell would mean that the generator is broken. */
  private static final double ENTROPY_BYTES = 0.832;

  private static final List<String> FORMS = List.of("packed", "compacted");

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    int repeats = quick ? 1 : 3;
    String nullSpan = quick ? "30d" : "365d";
    String putSpan = quick ? "3d" : "30d";
    for (String form : FORMS) {
      List<JsonNode> runs = new ArrayList<>();
      for (int i = 0; i < repeats; i++) {
        runs.add(
            packhorse.result(
                "loadtest", "fill", "--sink", "null", "--cells", form, "--span", nullSpan));
      }
      add(report, form + "-null", form, runs);
    }
    for (String form : FORMS) {
      stored(packhorse, form, "puts", putSpan, repeats, report);
    }
    stored(packhorse, "packed", "hfiles", nullSpan, repeats, report);
  }

  private static void stored(
      PackhorseCommand packhorse, String form, String sink, String span, int repeats, Report report)
      throws IOException, InterruptedException {
    try (Store store = Store.start(packhorse)) {
      List<JsonNode> runs = new ArrayList<>();
      List<Double> serverCpu = new ArrayList<>();
      for (int i = 0; i < repeats; i++) {
        List<String> what = new ArrayList<>(store.option());
        what.addAll(List.of("--span", span, "--metric", "bench.walk" + i));
        double before = store.cpuSeconds();
        runs.add(
            result(packhorse, List.of("loadtest", "fill", "--cells", form, "--sink", sink), what));
        serverCpu.add(store.cpuSeconds() - before);
        JsonNode verified = result(packhorse, List.of("verify"), what);
        if (!verified.get("passed").asBoolean()) {
          throw new IOException("verification failed: " + verified);
        }
      }
      String caseName = form + "-" + sink;
      add(report, caseName, form, runs);
      report.add(caseName, "packhorse", "server_cpu_s", median(serverCpu), "s");
    }
  }

  private static JsonNode result(
      PackhorseCommand packhorse, List<String> command, List<String> options)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(command);
    all.addAll(options);
    return packhorse.result(all.toArray(String[]::new));
  }

  private static void add(Report report, String caseName, String form, List<JsonNode> runs)
      throws IOException {
    double bytes = medianOf(runs, "value_bytes_per_point");
    if (bytes < ENTROPY_BYTES) {
      throw new IOException(
          "broken generator: "
              + form
              + " cells of "
              + bytes
              + " bytes/point are below the entropy");
    }
    report.add(caseName, "packhorse", "points_per_s", medianOf(runs, "points_per_s"), "points/s");
    report.add(caseName, "packhorse", "cpu_s", medianOf(runs, "cpu_s"), "s");
    report.add(
        caseName, "packhorse", "bytes_per_point", medianOf(runs, "bytes_per_point"), "bytes");
  }

  private static double medianOf(List<JsonNode> runs, String field) {
    return median(runs.stream().map(run -> run.get(field).asDouble()).toList());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
