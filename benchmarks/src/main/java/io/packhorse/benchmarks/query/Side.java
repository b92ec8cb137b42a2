package io.packhorse.benchmarks.query;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A TSD and the cells that it reads; what its requests took. For one thread. */
final class Side {
  private final String system;
  private final String url;
  private final String cells;
  private final long tsd;
  private final long store;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Double> wallMs = new ArrayList<>();
  private double cpuMs;
  private double bytes;

  /**
   * @param system name in the report
   * @param cells form of the cells
   * @param tsd process
   * @param store process
   */
  Side(String system, String url, String cells, long tsd, long store) {
    this.system = system;
    this.url = url;
    this.cells = cells;
    this.tsd = tsd;
    this.store = store;
  }

  String system() {
    return system;
  }

  /** Forgets what was measured. */
  void reset() {
    wallMs.clear();
    cpuMs = 0;
    bytes = 0;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @return the body, the metric's name replaced by METRIC
   * @throws IOException for any status but 200
   */
  String answer(Question query) throws IOException, InterruptedException {
    String metric = query.metric(cells);
    HttpRequest request = request(query);
    Duration before = cpu();
    long read = received();
    long start = System.nanoTime();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    wallMs.add((System.nanoTime() - start) / 1e6);
    cpuMs += cpu().minus(before).toNanos() / 1e6;
    bytes += received() - read;
    if (response.statusCode() != 200) {
      throw new IOException(
          system
              + " answered "
              + query.name()
              + " with "
              + response.statusCode()
              + ": "
              + response.body().lines().findFirst().orElse(""));
    }
    return response.body().replace(metric, "METRIC");
  }

  /** The request to its TSD. */
  HttpRequest request(Question query) {
    return query.request(url, query.metric(cells));
  }

  /** The most memory that the TSD has taken so far, in bytes, as Linux counts it; 0 elsewhere. */
  long peakBytes() throws IOException {
    Path status = Path.of("/proc", Long.toString(tsd), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) {
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no VmHWM in " + status);
  }

  /** Median of the requests since the last reset. */
  double wallMs() {
    return wallMs.stream().sorted().toList().get(wallMs.size() / 2);
  }

  /** Mean CPU time a request, TSD and store together; the system counts in steps of 10 ms. */
  double cpuMs() {
    return cpuMs / wallMs.size();
  }

  /** Mean bytes that the TSD received for a request, the request's own among them. */
  double bytesRead() {
    return bytes / wallMs.size();
  }

  private Duration cpu() {
    return cpu(tsd).plus(cpu(store));
  }

  private static Duration cpu(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  /** What the TSD has read so far, nearly all from sockets, as Linux counts it; 0 elsewhere. */
  private long received() throws IOException {
    Path counts = Path.of("/proc", Long.toString(tsd), "io");
    if (!Files.exists(counts)) {
      return 0;
    }
    for (String line : Files.readAllLines(counts)) {
      if (line.startsWith("rchar: ")) {
        return Long.parseLong(line.substring("rchar: ".length()));
      }
    }
    throw new IOException("no rchar in " + counts);
  }
}
