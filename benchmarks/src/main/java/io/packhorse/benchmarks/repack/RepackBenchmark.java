package io.packhorse.benchmarks.repack;

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
import java.util.stream.Stream;

/**
 * Exports of a table of the reference walk, as packed cells and as OpenTSDB's compacted ones,
 * beside OpenTSDB's own {@code scan --import}; and repacks of what OpenTSDB stored. The clock runs
 * from the start of the command to its end.
 */
public final class RepackBenchmark implements Benchmark {
  private static final long START_S = 1_704_067_200;
  private static final int SENSORS = 128;
  private static final String LINES = "export-lines";
  private static final String PARQUET = "export-parquet";
  private static final List<String> FORMS = List.of("packed", "compacted");

  private final List<String> only;

  /**
   * @param only cases to run; empty for all
   */
  public RepackBenchmark(List<String> only) {
    this.only = List.copyOf(only);
  }

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    int days = quick ? 2 : 30;
    // Whole hours: that is what tsdb scan writes.
    long scanned = quick ? 3 * 3600 : 24 * 3600;
    int repeats = quick ? 1 : 3;
    Path folder = Files.createTempDirectory("packhorse-export");
    try (Store store = Store.start(packhorse)) {
      for (String form : FORMS) {
        List<String> load = new ArrayList<>(List.of("loadtest", "fill", "--sink", "hfiles"));
        load.addAll(List.of("--cells", form, "--metric", metric(form), "--span", days + "d"));
        load.addAll(store.option());
        packhorse.result(load.toArray(String[]::new));
      }
      long points = (long) SENSORS * days * 24 * 3600;
      if (wanted(LINES)) {
        compareLines(packhorse, store, scanned, folder);
        for (String form : FORMS) {
          lines(packhorse, store, form, points, repeats, report);
        }
        scan(store, scanned, repeats, report);
      }
      RepackCases repacks = new RepackCases(packhorse, store, folder, quick ? 1 : 3, report);
      if (wanted(RepackCases.COMPACTED)) {
        repacks.compacted(quick ? 1 : 10);
      }
      if (wanted(RepackCases.PLAIN)) {
        repacks.plain(quick ? 1 : 6);
      }
      if (wanted(PARQUET)) {
        for (String form : FORMS) {
          parquet(packhorse, store, form, points, repeats, folder, report);
        }
      }
    } finally {
      Peers.delete(folder);
    }
    report.note(
        String.format(
            Locale.ROOT,
            "Exports: %,d points, medians of %d; tsdb-scan on %,d of them, and its lines are those of"
                + " export-lines. Lines go to /dev/null, Parquet to files, whose points are counted"
                + " again. Repacks: bytes are those of row keys, qualifiers and values, of all points; the"
                + " three stages and the deletes count. HBase's processor time is included.",
            (long) SENSORS * days * 24 * 3600,
            repeats,
            SENSORS * scanned));
  }

  private boolean wanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  private static String metric(String form) {
    return "bench." + form;
  }

  private static String system(String form) {
    return form.equals("packed") ? "packhorse" : "packhorse-" + form;
  }

  private static void lines(
      PackhorseCommand packhorse, Store store, String form, long points, int repeats, Report report)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("export", "--metric", metric(form)));
    command.addAll(store.option());
    Runs runs = new Runs(store);
    for (int i = 0; i < repeats; i++) {
      runs.run(packhorse.command(command), Path.of("/dev/null"));
    }
    runs.report(LINES, system(form), points, report);
  }

  private static void scan(Store store, long seconds, int repeats, Report report)
      throws IOException, InterruptedException {
    Runs runs = new Runs(store);
    for (int i = 0; i < repeats; i++) {
      double before = store.cpuSeconds();
      runs.add(scan(store, seconds, Path.of("/dev/null")), before);
    }
    runs.report(LINES, "tsdb-scan", SENSORS * seconds, report);
  }

  private static MeasuredProcess scan(Store store, long seconds, Path output)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("--import"));
    words.addAll(List.of(Long.toString(START_S), Long.toString(START_S + seconds - 1)));
    words.addAll(List.of("sum", metric("compacted")));
    return Peers.tsdbTool(store, "DumpSeries", words, output);
  }

  /** Both must write the same lines, in whatever order. */
  private static void compareLines(
      PackhorseCommand packhorse, Store store, long seconds, Path folder)
      throws IOException, InterruptedException {
    Path theirs = folder.resolve("theirs.txt");
    scan(store, seconds, theirs);
    List<Digest> digests = new ArrayList<>(List.of(Digest.of(theirs)));
    for (String form : FORMS) {
      Path ours = folder.resolve(form + ".txt");
      List<String> command = new ArrayList<>(List.of("export", "--metric", metric(form)));
      command.addAll(List.of("--from", Long.toString(START_S)));
      command.addAll(List.of("--to", Long.toString(START_S + seconds)));
      command.addAll(store.option());
      MeasuredProcess.run(packhorse.command(command), ours);
      digests.add(Digest.of(ours));
    }
    if (digests.stream().distinct().count() > 1 || digests.get(0).lines != SENSORS * seconds) {
      throw new IOException("tsdb scan and packhorse export differ: " + digests);
    }
  }

  private static void parquet(
      PackhorseCommand packhorse,
      Store store,
      String form,
      long points,
      int repeats,
      Path folder,
      Report report)
      throws IOException, InterruptedException {
    Runs runs = new Runs(store);
    long bytes = 0;
    for (int i = 0; i < repeats; i++) {
      Path out = folder.resolve(form + i);
      List<String> command = new ArrayList<>(List.of("export", "--metric", metric(form)));
      command.addAll(List.of("--format", "parquet", "--out", out.toString()));
      command.addAll(store.option());
      runs.run(packhorse.command(command), Path.of("/dev/null"));
      if (i == 0) {
        JsonNode read = packhorse.result("load", "--sink", "null", out + "/*.parquet");
        if (read.get("packed").asLong() != points) {
          throw new IOException("the files of export-parquet do not have all points: " + read);
        }
      }
      bytes = bytes(out);
      Peers.delete(out);
    }
    runs.report(PARQUET, system(form), points, report);
    report.add(PARQUET, system(form), "bytes_per_point", (double) bytes / points, "bytes");
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      long bytes = 0;
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    }
  }

  /** What lines hold, whatever their order and metric. */
  private record Digest(long lines, long sum) {
    static Digest of(Path file) throws IOException {
      try (Stream<String> lines = Files.lines(file)) {
        long[] digest = new long[2];
        lines.forEach(
            line -> {
              String rest = line.substring(line.indexOf(' ')).strip();
              long hash = 1;
              for (int i = 0; i < rest.length(); i++) {
                hash = hash * 0x9e3779b97f4a7c15L + rest.charAt(i);
              }
              digest[0]++;
              digest[1] += hash;
            });
        return new Digest(digest[0], digest[1]);
      }
    }
  }
}
