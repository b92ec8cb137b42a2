package io.packhorse.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.benchmarks.Packhorse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** An embedded store of a benchmark's own, with a TSD; gone when it is closed. */
final class Store implements AutoCloseable {
  private static final String TABLE = "hbase/data/default/tsdb";

  private final Packhorse packhorse;
  private final Path folder;
  private final long hbase;
  private final String tsd;

  private Store(Packhorse packhorse, Path folder, long hbase, String tsd) {
    this.packhorse = packhorse;
    this.folder = folder;
    this.hbase = hbase;
    this.tsd = tsd;
  }

  /** Starts one in a new directory; one point is loaded into it. */
  static Store start(Packhorse packhorse) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("packhorse-load");
    packhorse.run("server", "start", "--dir", folder.toString());
    Path point = Files.createTempFile("packhorse-first", ".txt");
    try {
      // After a build the first load takes longer: it keeps its classes for those to come.
      Files.writeString(point, "bench.first " + PointText.START_S + " 1 host=none\n");
      packhorse.run("load", "--dir", folder.toString(), "--sink", "hfiles", point.toString());
    } finally {
      Files.delete(point);
    }
    JsonNode status = packhorse.json("server", "status", "--dir", folder.toString());
    return new Store(
        packhorse,
        folder,
        status.get("hbase_pid").asLong(),
        status.get("tsds").get(0).get("url").asText());
  }

  /** The option that names it. */
  List<String> option() {
    return List.of("--dir", folder.toString());
  }

  /** Address of its TSD. */
  String tsd() {
    return tsd;
  }

  /** Configuration of its TSD. */
  Path tsdConfig() {
    return folder.resolve("tsd").resolve("opentsdb.conf");
  }

  /** What HBase has used so far. */
  double cpuSeconds() {
    return ProcessHandle.of(hbase)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toNanos()
        / 1e9;
  }

  /** Stops the servers, which brings everything into files. */
  void stop() throws IOException, InterruptedException {
    packhorse.run("server", "stop", "--dir", folder.toString());
  }

  /** Bytes of the data table's files of one column family; once stopped. */
  long bytes(String family) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve(TABLE))) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path parent = file.getParent();
        bytes += parent != null && parent.endsWith(family) ? Files.size(file) : 0;
      }
      return bytes;
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    stop();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
