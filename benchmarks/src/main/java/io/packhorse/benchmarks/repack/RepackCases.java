package io.packhorse.benchmarks.repack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.MeasuredProcess;
import io.packhorse.benchmarks.load.Peers;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Repacks of the reference walk, stored as OpenTSDB's compacted columns and as its single points.
 * All three stages count, the deletes too; every point is read back and compared afterwards.
 */
final class RepackCases {
  static final String COMPACTED = "repack-compacted";
  static final String PLAIN = "repack-plain";
  private static final int SENSORS = 128;

  private final PackhorseCommand packhorse;
  private final Store store;
  private final Path folder;
  private final int repeats;
  private final Report report;

  RepackCases(PackhorseCommand packhorse, Store store, Path folder, int repeats, Report report) {
    this.packhorse = packhorse;
    this.store = store;
    this.folder = folder;
    this.repeats = repeats;
    this.report = report;
  }

  /**
   * Of compacted columns, brought in as HFiles.
   *
   * @param days of the walk
   */
  void compacted(int days) throws IOException, InterruptedException {
    repack(COMPACTED, days * 24, "compacted");
  }

  /**
   * Of single points, written by OpenTSDB's own {@code tsdb import}.
   *
   * @param hours of the walk
   */
  void plain(int hours) throws IOException, InterruptedException {
    repack(PLAIN, hours, "plain");
  }

  private void repack(String name, int hours, String form)
      throws IOException, InterruptedException {
    Runs runs = new Runs(store);
    JsonNode last = null;
    long points = (long) SENSORS * hours * 3600;
    for (int i = 0; i < repeats; i++) {
      String metric = "bench.repack." + form + i;
      fill(metric, hours, form);
      Path result = folder.resolve("repack.json");
      List<String> command =
          new ArrayList<>(List.of("repack", "--metric", metric, "--delete", "--json"));
      command.addAll(List.of("--margin", "0s", "--query-timeout", "0s"));
      command.addAll(store.option());
      runs.run(packhorse.command(command), result);
      last = new ObjectMapper().readTree(result.toFile()).path("result");
      if (last.path("points").asLong() != points || last.path("left").asLong() > 0) {
        throw new IOException("the repack has not packed all points: " + last);
      }
      List<String> verify = new ArrayList<>(List.of("verify", "--metric", metric));
      verify.addAll(List.of("--span", hours + "h"));
      verify.addAll(store.option());
      packhorse.run(verify.toArray(String[]::new));
    }
    if (last != null) {
      runs.report(name, "packhorse", points, report);
      report.add(name, "packhorse", "bytes_before", last.path("column_bytes").asDouble(), "bytes");
      report.add(name, "packhorse", "bytes_after", last.path("cell_bytes").asDouble(), "bytes");
    }
  }

  private void fill(String metric, int hours, String form)
      throws IOException, InterruptedException {
    boolean compacted = form.equals("compacted");
    String filled = compacted ? metric : metric + ".packed";
    List<String> fill = new ArrayList<>(List.of("loadtest", "fill", "--sink", "hfiles"));
    fill.addAll(List.of("--cells", compacted ? "compacted" : "packed", "--metric", filled));
    fill.addAll(List.of("--span", hours + "h"));
    fill.addAll(store.option());
    packhorse.result(fill.toArray(String[]::new));
    if (!compacted) {
      Path out = folder.resolve(filled);
      List<String> export = new ArrayList<>(List.of("export", "--metric", filled));
      export.addAll(List.of("--out", out.toString()));
      export.addAll(store.option());
      packhorse.run(export.toArray(String[]::new));
      Path lines = folder.resolve(metric + ".txt");
      rename(out, filled, metric, lines);
      MeasuredProcess imported = Peers.tsdbImport(store, lines);
      report.add(PLAIN, "tsdb-import", "seconds", imported.seconds(), "s");
      Files.delete(lines);
      Peers.delete(out);
    }
  }

  /** The lines of an export, under another metric, in one file. */
  private static void rename(Path exported, String from, String to, Path file) throws IOException {
    try (Stream<Path> parts = Files.list(exported);
        BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Path part : parts.filter(Files::isRegularFile).sorted().toList()) {
        try (Stream<String> lines = Files.lines(part)) {
          for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
            out.write(to + each.next().substring(from.length()) + "\n");
          }
        }
      }
    }
  }
}
