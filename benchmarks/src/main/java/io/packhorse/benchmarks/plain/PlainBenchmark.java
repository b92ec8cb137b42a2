package io.packhorse.benchmarks.plain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.benchmarks.Benchmark;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a user without packed cells pays for our patches: CPU of a stock TSD and of ours over the
 * same HBase, for live points and for queries over them, in turns. Answers are compared before they
 * are timed, and the points counted afterwards.
 */
public final class PlainBenchmark implements Benchmark {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Rounds before those that count. */
  private static final int WARM_UPS = 5;

  /** Seconds that a query asks for: 720,000 points. */
  private static final long ASKED_S = 14_400;

  /** Something that a TSD is made to do. */
  private interface Work {
    void on(LiveTsd tsd) throws IOException, InterruptedException;
  }

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    int rounds = quick ? 9 : 25;
    // The system counts CPU in steps of 10 ms: a round has to take many.
    int points = 100_000;
    try (Store store = Store.start(packhorse, "--tsd", "both", "--tsd-heap", "2048")) {
      LiveTsd stock = tsd("stock", store.status(), "stock");
      LiveTsd ours = tsd("packhorse", store.status(), "patched");
      measure("put-http", tsd -> tsd.putHttp(points), stock, ours, rounds, report);
      measure("put-telnet", tsd -> tsd.putTelnet(points), stock, ours, rounds, report);
      check(stock, ours);
      // Both read what stock has written.
      String metric = stock.metric();
      Map<String, String> queries = new LinkedHashMap<>();
      queries.put("query-each", "none:METRIC{host=h1|h2|h3|h4}");
      queries.put("query-sum", "sum:METRIC");
      queries.put("query-1m-avg", "sum:1m-avg:METRIC{host=*}");
      for (Map.Entry<String, String> query : queries.entrySet()) {
        String m = query.getValue();
        if (!sorted(stock.ask(m, metric, ASKED_S)).equals(sorted(ours.ask(m, metric, ASKED_S)))) {
          throw new IOException("answers differ: " + m);
        }
        Work work =
            tsd -> {
              for (int i = 0; i < 5; i++) {
                tsd.ask(m, metric, ASKED_S);
              }
            };
        measure(query.getKey(), work, stock, ours, rounds, report);
      }
      report.note(
          "cpu_ms is that of the TSD's process a round; cpu_ratio the median of the pairs. Both have"
              + " a heap of 2 GiB.");
    }
  }

  private static void measure(
      String name, Work work, LiveTsd stock, LiveTsd ours, int rounds, Report report)
      throws IOException, InterruptedException {
    List<Double> stockMs = new ArrayList<>();
    List<Double> oursMs = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int round = -WARM_UPS; round < rounds; round++) {
      // Who begins changes.
      boolean stockFirst = round % 2 == 0;
      double one = cpuMs(work, stockFirst ? stock : ours);
      double other = cpuMs(work, stockFirst ? ours : stock);
      if (round >= 0) {
        stockMs.add(stockFirst ? one : other);
        oursMs.add(stockFirst ? other : one);
        ratios.add(stockFirst ? other / one : one / other);
      }
    }
    report.add(name, stock.system(), "cpu_ms", median(stockMs), "ms");
    report.add(name, ours.system(), "cpu_ms", median(oursMs), "ms");
    report.add(name, stock.system(), "cpu_ratio", 1, "stock = 1");
    report.add(name, ours.system(), "cpu_ratio", median(ratios), "stock = 1");
  }

  private static double cpuMs(Work work, LiveTsd tsd) throws IOException, InterruptedException {
    double before = tsd.cpuSeconds();
    work.on(tsd);
    return Math.max(10, (tsd.cpuSeconds() - before) * 1_000);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  /** Both have stored all, and the same. */
  private static void check(LiveTsd stock, LiveTsd ours) throws IOException, InterruptedException {
    String counts = "sum:0all-count:METRIC";
    for (LiveTsd tsd : List.of(stock, ours)) {
      // Telnet is answered before the last points are stored.
      for (long stored = -1; stored != tsd.points(); ) {
        JsonNode dps =
            JSON.readTree(ours.ask(counts, tsd.metric(), Integer.MAX_VALUE)).path(0).path("dps");
        long now = dps.isEmpty() ? 0 : dps.iterator().next().asLong();
        if (now == stored) {
          throw new IOException(tsd.system() + " stored " + now + " of " + tsd.points());
        }
        stored = now;
        Thread.sleep(1_000);
      }
    }
    String each = "none:METRIC";
    if (!sorted(ours.ask(each, stock.metric(), ASKED_S))
        .equals(sorted(ours.ask(each, ours.metric(), ASKED_S)))) {
      throw new IOException("the TSDs stored different points");
    }
  }

  /** The series of an answer, in an order that does not depend on UIDs. */
  private static List<String> sorted(String answer) throws IOException {
    List<String> series = new ArrayList<>();
    for (JsonNode node : JSON.readTree(answer)) {
      series.add(node.get("tags") + " " + node.get("dps"));
    }
    series.sort(null);
    return series;
  }

  private static LiveTsd tsd(String system, JsonNode status, String kind) throws IOException {
    for (JsonNode tsd : status.get("tsds")) {
      if (tsd.get("kind").asText().equals(kind)) {
        return new LiveTsd(system, URI.create(tsd.get("url").asText()), tsd.get("pid").asLong());
      }
    }
    throw new IOException("no " + kind + " TSD in: " + status);
  }
}
