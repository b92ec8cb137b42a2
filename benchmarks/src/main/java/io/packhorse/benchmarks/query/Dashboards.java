package io.packhorse.benchmarks.query;

import io.packhorse.benchmarks.Report;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sixteen dashboards that ask one question after the other, each a client of its own. */
final class Dashboards {
  private static final int DASHBOARDS = 16;
  private static final String NAME = "dashboards-16";

  private final List<Question> questions;
  private final Duration time;

  /**
   * @param questions asked in turn, each dashboard beginning with another one
   * @param time that each side is asked for
   */
  Dashboards(List<Question> questions, Duration time) {
    this.questions = List.copyOf(questions);
    this.time = time;
  }

  /** Asks each side, warm from a round before it. */
  void run(List<Side> sides, Report report) throws IOException, InterruptedException {
    for (Side side : sides) {
      ask(side, time.dividedBy(2));
      List<Double> wallMs = ask(side, time).stream().sorted().toList();
      String system = side.system();
      report.add(NAME, system, "requests_per_s", wallMs.size() / seconds(), "requests/s");
      report.add(NAME, system, "wall_ms", wallMs.get(wallMs.size() / 2), "ms");
      report.add(NAME, system, "wall_p99_ms", wallMs.get(wallMs.size() * 99 / 100), "ms");
      report.add(NAME, system, "peak_rss_mb", side.peakBytes() / 1e6, "MB");
    }
    report.note(
        NAME
            + ": "
            + questions.size()
            + " shapes of tsbs-* in turn for "
            + time.toSeconds()
            + " s. peak_rss_mb is the TSD's since it started, all cases before among it.");
  }

  private double seconds() {
    return time.toMillis() / 1e3;
  }

  /** Milliseconds of each request. */
  private List<Double> ask(Side side, Duration length) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(DASHBOARDS);
    try {
      long end = System.nanoTime() + length.toNanos();
      List<Future<List<Double>>> asked = new ArrayList<>();
      for (int i = 0; i < DASHBOARDS; i++) {
        int first = i;
        asked.add(threads.submit(() -> ask(side, first, end)));
      }
      List<Double> all = new ArrayList<>();
      for (Future<List<Double>> each : asked) {
        all.addAll(each.get());
      }
      return all;
    } catch (ExecutionException e) {
      throw new IOException("a dashboard had no answer: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private List<Double> ask(Side side, int first, long endNanos)
      throws IOException, InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    List<Double> wallMs = new ArrayList<>();
    for (int i = first; System.nanoTime() < endNanos; i++) {
      Question question = questions.get(i % questions.size());
      HttpRequest request = side.request(question);
      long start = System.nanoTime();
      HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      wallMs.add((System.nanoTime() - start) / 1e6);
      if (answer.statusCode() != 200) {
        throw new IOException("status " + answer.statusCode() + " for " + question.name());
      }
    }
    return wallMs;
  }
}
