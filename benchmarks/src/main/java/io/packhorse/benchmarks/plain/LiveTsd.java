package io.packhorse.benchmarks.plain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One of the TSDs that take live points, in a metric of its own. For one thread. */
final class LiveTsd {
  private static final int SERIES = 50;
  private static final int BATCH = 100;
  static final long START_S = 1_704_067_200L;

  private final String system;
  private final URI url;
  private final long pid;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private long put;

  LiveTsd(String system, URI url, long pid) {
    this.system = system;
    this.url = url;
    this.pid = pid;
  }

  String system() {
    return system;
  }

  /** The metric that it writes; names are of equal length. */
  String metric() {
    return "bench.plain." + system.charAt(0);
  }

  /** Points put so far. */
  long points() {
    return put;
  }

  /** CPU seconds of its process; the system counts in steps of 10 ms. */
  double cpuSeconds() throws IOException {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .map(Duration::toNanos)
            .orElseThrow(() -> new IOException("the TSD has ended: " + system))
        / 1e9;
  }

  /**
   * Puts points over one HTTP connection, a hundred a request; returns once the last are stored.
   */
  void putHttp(int points) throws IOException, InterruptedException {
    for (long end = put + points; put < end; ) {
      StringBuilder body = new StringBuilder("[");
      for (int i = 0; i < BATCH && put < end; i++, put++) {
        body.append(i == 0 ? "" : ",")
            .append("{\"metric\":\"")
            .append(metric())
            .append("\",\"timestamp\":")
            .append(timeOf(put))
            .append(",\"value\":")
            .append(valueOf(put))
            .append(",\"tags\":{\"host\":\"h")
            .append(put % SERIES)
            .append("\",\"dc\":\"ams\"}}");
      }
      HttpRequest request =
          HttpRequest.newBuilder(url.resolve(put < end ? "/api/put" : "/api/put?sync"))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body.append(']').toString()))
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 204) {
        throw new IOException(system + " refused points: " + answer.body());
      }
    }
  }

  /**
   * Puts points over one telnet connection, and a last one over HTTP; returns once that is stored,
   * as it is sent behind the others.
   */
  void putTelnet(int points) throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    for (long end = put + points - 1; put < end; put++) {
      lines
          .append("put ")
          .append(metric())
          .append(' ')
          .append(timeOf(put))
          .append(' ')
          .append(valueOf(put))
          .append(" host=h")
          .append(put % SERIES)
          .append(" dc=ams\n");
    }
    lines.append("version\n");
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      socket.getOutputStream().write(lines.toString().getBytes(StandardCharsets.US_ASCII));
      String said =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      if (said == null || !said.startsWith("net.opentsdb")) {
        throw new IOException(system + " said to a put: " + said);
      }
    }
    putHttp(1);
  }

  private static long timeOf(long point) {
    return START_S + point / SERIES;
  }

  private static String valueOf(long point) {
    return point % 3 == 0 ? Long.toString(point % 1_000) : point % 1_000 + "." + point % 7;
  }

  /**
   * The answer to a query, METRIC in it and in the answer standing for a metric.
   *
   * @param seconds from the first point on
   */
  String ask(String m, String metric, long seconds) throws IOException, InterruptedException {
    String encoded = URLEncoder.encode(m.replace("METRIC", metric), StandardCharsets.UTF_8);
    URI uri =
        URI.create(
            url + "/api/query?start=" + START_S + "&end=" + (START_S + seconds) + "&m=" + encoded);
    HttpResponse<String> answer =
        http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(system + " answered " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body().replace(metric, "METRIC");
  }
}
