package io.packhorse.benchmarks.seeds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.benchmarks.Benchmark;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.MeasuredProcess;
import io.packhorse.benchmarks.load.Peers;
import io.packhorse.benchmarks.receive.PackhorseSystem;
import io.packhorse.benchmarks.receive.QuestDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The workloads of {@code loadtest init --workload}: filled as HFiles, read back and compared point
 * by point, then read by their readers while they are written to. QuestDB takes as many rows of
 * {@code tsbs-cpu}; {@code inch} writes to a receiver.
 */
public final class SeedsBenchmark implements Benchmark {
  private static final String SYSTEM = "packhorse";
  private static final double MB = 1e6;

  /** What a load test ends with if its generator was late. */
  private static final int INVALID = 10;

  /** Metrics of a host. */
  private static final int FIELDS = 10;

  private static final int INTERVAL_S = 10;
  private static final String INCH = "inch";
  private static final String MILLION = "tsbs-1m";
  private static final int INCH_POINTS_A_SERIES = 1_000;

  private final List<String> only;

  /**
   * A case.
   *
   * @param workload its name
   * @param hosts of tsbs-cpu; 0 for another workload
   * @param spanSeconds of the history
   * @param isRead whether its readers are measured; one TSD takes the writes beside them
   */
  private record Case(String name, String workload, int hosts, int spanSeconds, boolean isRead) {
    /** Of the same shape with names of its own: cases share a store. */
    String file(String text, String warmUp, String hold) {
      String changed =
          text.replaceAll("span: \\w+}", "span: " + spanSeconds + "s}")
              .replaceAll("range: (365d|70000s)", "range: " + spanSeconds + "s")
              .replaceAll("warm-up: \\w+", "warm-up: " + warmUp)
              .replaceAll("hold: 1m}", "hold: " + hold + "}")
              .replaceAll("(?s)\nlimits:.*", "\n");
      return hosts == 0
          ? changed
          : changed.replace("hostname: 100", "hostname: " + hosts).replace("cpu.", name + ".");
    }

    int valuesOfARow() {
      return hosts == 0 ? 1 : FIELDS;
    }
  }

  /**
   * @param only cases to run; empty for all
   */
  public SeedsBenchmark(List<String> only) {
    this.only = List.copyOf(only);
  }

  private List<Case> cases(boolean quick) {
    List<Case> cases = new ArrayList<>();
    cases.add(tsbs("tsbs-100", 100, quick ? 3 * 3600 : 24 * 3600, true));
    cases.add(tsbs("tsbs-4k", 4_000, quick ? 600 : 3 * 3600, true));
    cases.add(tsbs("tsbs-100k", quick ? 20_000 : 100_000, 120, false));
    if (only.contains(MILLION)) {
      // Takes longer than all others, and about all of the loader's default heap.
      cases.add(tsbs(MILLION, 1_000_000, 20, false));
    }
    cases.add(new Case("homes", "homes", 0, quick ? 43_200 : 90 * 86_400, true));
    cases.add(new Case("samples", "samples", 0, 70_000, true));
    return cases;
  }

  private static Case tsbs(String name, int hosts, int spanSeconds, boolean isRead) {
    return new Case(name, "tsbs-cpu", hosts, spanSeconds, isRead);
  }

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("packhorse-seeds");
    List<Case> cases = cases(quick).stream().filter(each -> isWanted(each.name())).toList();
    try (Store store = Store.start(packhorse, "--tsd-heap", "2048")) {
      for (Case each : cases) {
        Path file = folder.resolve(each.name() + ".yaml");
        packhorse.run("loadtest", "init", file.toString(), "--workload", each.workload());
        Files.writeString(
            file, each.file(Files.readString(file), quick ? "2s" : "10s", quick ? "6s" : "20s"));
        fill(each, file, packhorse, store, report);
        if (each.isRead()) {
          read(each, file, packhorse, store, report);
        }
      }
      if (isWanted(INCH)) {
        inch(packhorse, store, quick, report);
      }
    } finally {
      Peers.delete(folder);
    }
    for (Case each : cases) {
      if (each.hosts() > 0) {
        QuestDb.measure(each.name(), each.hosts(), each.spanSeconds() / INTERVAL_S, report);
      }
    }
    notes(quick, report);
  }

  private boolean isWanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  private static void fill(
      Case of, Path file, PackhorseCommand packhorse, Store store, Report report)
      throws IOException, InterruptedException {
    List<String> fill =
        new ArrayList<>(List.of("loadtest", "fill", file.toString(), "--sink", "hfiles", "--json"));
    fill.addAll(List.of("--job", of.name()));
    fill.addAll(store.option());
    double before = store.cpuSeconds();
    MeasuredProcess process = MeasuredProcess.run(packhorse.command(fill));
    double cpu = process.cpuSeconds() + store.cpuSeconds() - before;
    JsonNode filled = new ObjectMapper().readTree(process.output()).required("result");
    List<String> verify = new ArrayList<>(List.of("verify", "--job", of.name()));
    verify.addAll(store.option());
    long points = packhorse.result(verify.toArray(String[]::new)).required("equal").asLong();
    if (points != filled.required("acknowledged").asLong()) {
      throw new IOException(of.name() + ": " + points + " points are equal; filled: " + filled);
    }
    double seconds = filled.required("seconds").asDouble();
    report.add(of.name(), SYSTEM, "points_per_s", points / seconds, "points/s");
    report.add(of.name(), SYSTEM, "rows_per_s", points / seconds / of.valuesOfARow(), "rows/s");
    report.add(of.name(), SYSTEM, "cpu_s", cpu, "s");
    report.add(of.name(), SYSTEM, "peak_rss_mb", process.peakBytes() / MB, "MB");
    report.add(
        of.name(),
        SYSTEM,
        "bytes_per_point",
        filled.required("bytes_per_point").asDouble(),
        "bytes");
  }

  private static void read(
      Case of, Path file, PackhorseCommand packhorse, Store store, Report report)
      throws IOException, InterruptedException {
    JsonNode read =
        packhorse.resultOr(
            INVALID,
            "loadtest",
            "run",
            file.toString(),
            "--target",
            store.tsd(),
            "--out",
            file.resolveSibling(of.name() + "-run").toString());
    for (JsonNode calls : read.required("calls")) {
      String name = calls.required("name").asText();
      if (!name.equals("write")) {
        report.add(
            of.name(),
            SYSTEM + ":" + name,
            "query_ms",
            calls.required("response_ms").required("p50").asDouble(),
            "ms");
      }
    }
    report.note(
        String.format(
            Locale.ROOT,
            "%s: %,d answers right, %,d not checked%s",
            of.name(),
            read.required("answers_right").asLong(),
            read.required("answers_unchecked").asLong(),
            read.required("invalid").asText().isEmpty()
                ? "."
                : "; query_ms do not count: " + read.required("invalid").asText() + "."));
  }

  private static void inch(PackhorseCommand packhorse, Store store, boolean quick, Report report)
      throws IOException, InterruptedException {
    String tags = quick ? "10,10,10" : "100,10,10";
    long series = quick ? 1_000 : 10_000;
    List<String> options =
        new ArrayList<>(List.of("-t", tags, "-p", "" + INCH_POINTS_A_SERIES, "-time", "-2h"));
    options.addAll(List.of("-b", "5000", "-c", "4", "-gzip"));
    new PackhorseSystem(packhorse, store)
        .inch(INCH, options, series * INCH_POINTS_A_SERIES, report);
  }

  private static void notes(boolean quick, Report report) {
    report.note(
        "One run each, all in one store. packhorse: points are generated in the loader and"
            + " bulk-loaded; every one is read back and compared before its figures count."
            + " points_per_s and rows_per_s from connecting to the end of the bulk load, with new"
            + " names; cpu_s of the whole command, its JVM and HBase; bytes_per_point of cells with"
            + " their keys. inch: loadtest inch to packhorse receive, from the start of inch until"
            + " the receiver, told to stop, has stored everything; CPU of receiver and HBase; the"
            + " points are counted.");
    report.note(
        "query_ms are medians of response times in a TSD while the workload is written to it for "
            + (quick ? "6" : "20")
            + " s; their answers are checked.");
    report.note(
        "questdb: as many rows of the same shape, with ten tags, as line protocol in gzip over four"
            + " connections to a server that has just started, until a query counts all rows; then"
            + " number and sum are compared. It parses text, and packhorse here does not: the"
            + " benchmark receive sends both the same text.");
    report.note(
        "Left out: tsbs-1m unless --only names it; queries of tsbs-100k and tsbs-1m (one TSD does not"
            + " take their writes) and of QuestDB; bytes_per_point of inch."
            + (quick ? " --quick: shorter histories, 20,000 hosts in tsbs-100k." : ""));
  }
}
