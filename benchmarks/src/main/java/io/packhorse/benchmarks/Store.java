package io.packhorse.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * An embedded store of a benchmark's own, with a TSD; gone when it is closed, or when a signal ends
 * the benchmark.
 */
public final class Store implements AutoCloseable {
  private static final String TABLE = "hbase/data/default/tsdb";

  private final PackhorseCommand packhorse;
  private final Path folder;
  private JsonNode status = MissingNode.getInstance();
  private boolean gone;

  private Store(PackhorseCommand packhorse) throws IOException {
    this.packhorse = packhorse;
    folder = Files.createTempDirectory("packhorse-bench");
  }

  /**
   * Starts one in a new directory.
   *
   * @param options of {@code packhorse server start}
   */
  public static Store start(PackhorseCommand packhorse, String... options)
      throws IOException, InterruptedException {
    Store store = new Store(packhorse);
    Runtime.getRuntime().addShutdownHook(new Thread(store::interrupted, "stop the store"));
    List<String> command = new ArrayList<>(List.of("server", "start"));
    command.addAll(List.of(options));
    command.addAll(store.option());
    try {
      packhorse.run(command.toArray(String[]::new));
    } catch (IOException e) {
      store.leave(e);
      throw e;
    }
    store.status = packhorse.result("server", "status", "--dir", store.folder.toString());
    return store;
  }

  /** Stops what runs of it; the folder stays, for its logs say why it did not start. */
  private synchronized void leave(IOException why) throws InterruptedException {
    gone = true;
    try {
      stop();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  /** The option that names it. */
  public List<String> option() {
    return List.of("--dir", folder.toString());
  }

  /** What {@code packhorse server status} said after the start. */
  public JsonNode status() {
    return status;
  }

  /** Address of its first TSD. */
  public String tsd() {
    return status.get("tsds").get(0).get("url").asText();
  }

  /** Configuration of its TSD. */
  public Path tsdConfig() {
    return folder.resolve("tsd").resolve("opentsdb.conf");
  }

  /** What HBase has used so far. */
  public double cpuSeconds() throws IOException {
    return ProcessHandle.of(status.get("hbase_pid").asLong())
            .flatMap(process -> process.info().totalCpuDuration())
            .map(Duration::toNanos)
            .orElseThrow(() -> new IOException("no HBase process in: " + status))
        / 1e9;
  }

  /** Stops the servers, which brings everything into files. */
  public void stop() throws IOException, InterruptedException {
    packhorse.run("server", "stop", "--dir", folder.toString());
  }

  /** Bytes of the data table's files of one column family; once stopped. */
  public long bytes(String family) throws IOException {
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
  public synchronized void close() throws IOException, InterruptedException {
    if (gone) {
      return;
    }
    gone = true;
    stop();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** On the way out: what still loads or measures would fail without the store. */
  private void interrupted() {
    for (ProcessHandle child : ProcessHandle.current().children().toList()) {
      child.destroy();
      child.onExit().join();
    }
    try {
      close();
    } catch (IOException | InterruptedException e) {
      System.err.println("error: the store in " + folder + " may still run: " + e);
    }
  }
}
