package io.packhorse.benchmarks.seeds;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.benchmarks.Benchmark;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.MeasuredProcess;
import io.packhorse.benchmarks.load.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The workloads of {@code loadtest init --workload}: filled as HFiles, read back and compared point
 * by point, then read by their readers while they are written to.
 */
public final class SeedsBenchmark implements Benchmark {
  private static final String SYSTEM = "packhorse";
  private static final double MB = 1e6;
  private static final String HOLD = "20s";

  private final List<String> only;

  /**
   * A case.
   *
   * @param workload its name
   * @param changed a text of the file, replaced by {@code by}; empty for none
   * @param span of the history
   * @param metrics values of a row
   */
  private record Case(
      String name, String workload, String changed, String by, String span, int metrics) {}

  /**
   * @param only cases to run; empty for all
   */
  public SeedsBenchmark(List<String> only) {
    this.only = List.copyOf(only);
  }

  private static List<Case> cases(boolean quick) {
    String hosts = "hostname: 100";
    return List.of(
        new Case("tsbs-100", "tsbs-cpu", "", "", quick ? "3h" : "1d", 10),
        new Case("tsbs-4k", "tsbs-cpu", hosts, "hostname: 4000", quick ? "10m" : "3h", 10),
        new Case(
            "tsbs-100k",
            "tsbs-cpu",
            hosts,
            quick ? "hostname: 20000" : "hostname: 100000",
            "2m",
            10),
        new Case("homes", "homes", "", "", quick ? "2d" : "90d", 1),
        new Case("samples", "samples", "", "", "70000s", 1));
  }

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("packhorse-seeds");
    try {
      for (Case each : cases(quick)) {
        if (only.isEmpty() || only.contains(each.name())) {
          try (Store store = Store.start(packhorse)) {
            run(each, packhorse, store, folder, report);
          }
        }
      }
    } finally {
      Peers.delete(folder);
    }
    report.note(
        String.format(
            Locale.ROOT,
            "One run each. Points are generated in the loader and bulk-loaded; every one is read back and"
                + " compared. query_ms are medians of response times while the workload is written to a TSD"
                + " for %s; their answers are checked. HBase's processor time is included. Left out:"
                + " tsbs-1m (ten million series need more heap than the loader has by default), inch (it"
                + " has no history; `receive` has its kind of client), QuestDB (`receive`).%s",
            HOLD,
            quick ? " --quick: shorter histories, tsbs-100k with 20,000 hosts." : ""));
  }

  private static void run(
      Case of, PackhorseCommand packhorse, Store store, Path folder, Report report)
      throws IOException, InterruptedException {
    Path file = folder.resolve(of.name() + ".yaml");
    packhorse.run("loadtest", "init", file.toString(), "--workload", of.workload());
    String text = Files.readString(file);
    String changed =
        text.replaceAll("span: \\w+}", "span: " + of.span() + "}")
            .replaceAll("range: (365d|70000s)", "range: " + of.span())
            .replaceAll("hold: 1m}", "hold: " + HOLD + "}")
            .replaceAll("(?s)\nlimits:.*", "\n");
    changed = of.changed().isEmpty() ? changed : changed.replace(of.changed(), of.by());
    Files.writeString(file, changed);

    double before = store.cpuSeconds();
    Path json = folder.resolve("fill.json");
    List<String> fill =
        new ArrayList<>(List.of("loadtest", "fill", file.toString(), "--sink", "hfiles", "--json"));
    fill.addAll(List.of("--job", of.name()));
    fill.addAll(store.option());
    MeasuredProcess filled = MeasuredProcess.run(packhorse.command(fill), json);
    double cpu = filled.cpuSeconds() + store.cpuSeconds() - before;
    JsonNode verified = result(packhorse, store, "verify", "--job", of.name());
    long points = verified.required("equal").asLong();

    report.add(of.name(), SYSTEM, "points_per_s", points / filled.seconds(), "points/s");
    report.add(of.name(), SYSTEM, "rows_per_s", points / filled.seconds() / of.metrics(), "rows/s");
    report.add(of.name(), SYSTEM, "cpu_s", cpu, "s");
    report.add(of.name(), SYSTEM, "peak_rss_mb", filled.peakBytes() / MB, "MB");
    report.add(of.name(), SYSTEM, "bytes_per_point", (double) store.bytes("p") / points, "bytes");
    JsonNode read =
        packhorse.result(
            "loadtest",
            "run",
            file.toString(),
            "--target",
            store.tsd(),
            "--out",
            folder.resolve(of.name() + "-run").toString());
    for (JsonNode calls : read.required("calls")) {
      if (!calls.get("name").asText().equals("write")) {
        report.add(
            of.name(),
            SYSTEM + ":" + calls.get("name").asText(),
            "query_ms",
            calls.get("response_ms").get("p50").asDouble(),
            "ms");
      }
    }
  }

  private static JsonNode result(PackhorseCommand packhorse, Store store, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addAll(store.option());
    return packhorse.result(command.toArray(String[]::new));
  }
}
