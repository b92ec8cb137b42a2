package io.packhorse.benchmarks.query;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A TSD and the cells that it reads; what its requests took. For one thread. */
final class Side {
  private final String system;
  private final String url;
  private final String cells;
  private final List<Long> pids;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Double> wallMs = new ArrayList<>();
  private double cpuMs;

  /**
   * @param system name in the report
   * @param cells form of the cells
   * @param pids of the TSD and the store
   */
  Side(String system, String url, String cells, List<Long> pids) {
    this.system = system;
    this.url = url;
    this.cells = cells;
    this.pids = pids;
  }

  String system() {
    return system;
  }

  /** Forgets what was measured. */
  void reset() {
    wallMs.clear();
    cpuMs = 0;
  }

  /**
   * Sends a case's request and waits for its answer.
   *
   * @return the body, the metric's name replaced by METRIC
   * @throws IOException for any status but 200
   */
  String answer(QueryCase query) throws IOException, InterruptedException {
    String metric = query.workload().metric(cells);
    HttpRequest request = HttpRequest.newBuilder(query.request(url, metric)).build();
    Duration before = cpu();
    long start = System.nanoTime();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    wallMs.add((System.nanoTime() - start) / 1e6);
    cpuMs += cpu().minus(before).toNanos() / 1e6;
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

  /** Median of the requests since the last reset. */
  double wallMs() {
    return wallMs.stream().sorted().toList().get(wallMs.size() / 2);
  }

  /** Mean CPU time a request, TSD and store together; the system counts in steps of 10 ms. */
  double cpuMs() {
    return cpuMs / wallMs.size();
  }

  private Duration cpu() {
    Duration all = Duration.ZERO;
    for (long pid : pids) {
      all =
          all.plus(
              ProcessHandle.of(pid)
                  .flatMap(process -> process.info().totalCpuDuration())
                  .orElse(Duration.ZERO));
    }
    return all;
  }
}
