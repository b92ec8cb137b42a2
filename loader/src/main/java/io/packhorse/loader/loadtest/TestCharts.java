package io.packhorse.loader.loadtest;

import io.packhorse.loader.loadtest.LoadTestResult.Calls;
import io.packhorse.loader.report.TestReport;
import io.packhorse.loader.report.TestReport.Graph;
import io.packhorse.loader.report.TestReport.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Collects what the report of a load test shows. One thread. */
final class TestCharts {
  /** The shortest time that is shown, seconds. */
  private static final double SPAN_MIN = 0.5;

  /** Lines of a chart. */
  private static final int LINES_MAX = 3;

  /** Regions that are shown; result.json has all. */
  private static final int REGIONS_MAX = 10;

  static final int REFRESH_SECONDS = 2;

  private final List<Over> kinds = new ArrayList<>();

  /** Calls of one kind, a value for each second. */
  private static final class Over {
    private final String name;
    private final List<Double> seconds = new ArrayList<>();
    private final List<Double> done = new ArrayList<>();
    private final List<Double> intended = new ArrayList<>();
    private final List<Double> response = new ArrayList<>();
    private final List<Double> service = new ArrayList<>();
    private double second;
    private long doneBefore;
    private long intendedBefore;

    Over(String name) {
      this.name = name;
    }

    void add(double now, CallStats of, CallStats.Interval interval) {
      double span = now - second;
      if (span < SPAN_MIN) {
        // What is left at the end is too short for a rate.
        return;
      }
      seconds.add(now);
      done.add((of.done() - doneBefore) / span);
      intended.add((of.intended() - intendedBefore) / span);
      response.add(p99(interval.response()));
      service.add(p99(interval.service()));
      second = now;
      doneBefore = of.done();
      intendedBefore = of.intended();
    }

    private static double p99(Histogram of) {
      return of.getTotalCount() == 0 ? Double.NaN : of.getValueAtPercentile(99) / 1000.0;
    }
  }

  /**
   * Adds a second.
   *
   * @param kind number of the kind of calls; in their order the first time
   */
  void add(int kind, double second, CallStats of, CallStats.Interval interval) {
    if (kind == kinds.size()) {
      kinds.add(new Over(of.name()));
    }
    kinds.get(kind).add(second, of, interval);
  }

  /** How it has ended. */
  TestReport report(LoadTestResult result) {
    return report(result, verdict(result), 0);
  }

  /**
   * How it goes.
   *
   * @param share of the test that is over, 0 to 1
   */
  TestReport running(LoadTestResult soFar, double share) {
    String running =
        String.format(
            Locale.ROOT,
            "Running: %.0f %% of the test are over. If this does not go on, the test was killed, and"
                + " these are its last figures.",
            100 * share);
    return report(soFar, running, REFRESH_SECONDS);
  }

  private TestReport report(LoadTestResult result, String verdict, int refreshSeconds) {
    Calls writes = result.calls().get(0);
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put(
        "points/s done", String.format(Locale.ROOT, "%,.0f", writes.done() / result.seconds()));
    figures.put("p99 response of writes", ms(writes.responses(), 99) + " ms");
    figures.put(
        "answers right",
        String.format(Locale.ROOT, "%,d of %,d", result.right(), result.right() + result.wrong()));
    return new TestReport(
        "Load test " + result.workload().name(),
        verdict,
        refreshSeconds,
        figures,
        List.of(
            limits(result),
            calls(result),
            wrong(result),
            servers(result.store()),
            counters(result.store()),
            regions(result.store()),
            workload(result)),
        graphs());
  }

  private static String verdict(LoadTestResult result) {
    return switch (result.verdict()) {
      case PASSED -> "Passed: every limit is kept, and no checked answer was wrong.";
      case MISSED -> "Missed: not every limit is kept.";
      case WRONG_DATA -> "Wrong data: answers differ from what was written.";
      case INVALID -> "Invalid: " + result.invalid() + ".";
    };
  }

  private static Table limits(LoadTestResult result) {
    return new Table(
        "Limits",
        List.of("limit", "found", ""),
        result.judged().stream()
            .map(
                each ->
                    List.of(each.limit().text(), each.figure(), each.kept() ? "kept" : "MISSED"))
            .toList());
  }

  private static Table calls(LoadTestResult result) {
    List<List<String>> rows = new ArrayList<>();
    for (Calls each : result.calls()) {
      rows.add(
          List.of(
              each.name(),
              count(each.intended()),
              count(each.done()),
              count(each.dropped()),
              each.errors().isEmpty() ? "0" : each.errors().toString().replaceAll("[{}]", ""),
              ms(each.responses(), 50),
              ms(each.responses(), 99),
              ms(each.responses(), 100),
              ms(each.services(), 99),
              ms(each.lags(), 99)));
    }
    return new Table(
        "Points written and queries asked; times in ms",
        List.of(
            "",
            "intended",
            "done",
            "dropped",
            "errors",
            "response p50",
            "p99",
            "max",
            "service p99",
            "generator's lag p99"),
        rows);
  }

  private static Table wrong(LoadTestResult result) {
    return new Table(
        count(result.wrong()) + " answers were wrong, the first of them",
        List.of("answer"),
        result.examples().stream().map(List::of).toList());
  }

  private static Table servers(StoreLoad store) {
    if (!store.missing().isEmpty()) {
      return new Table("HBase", List.of("", ""), List.of(List.of(store.missing(), "")));
    }
    long all = store.requests();
    List<List<String>> rows = new ArrayList<>();
    for (StoreLoad.Server each : store.servers()) {
      rows.add(
          List.of(
              each.name(),
              count(each.regions()),
              count(each.did().reads()),
              count(each.did().writes()),
              share(each.did().requests(), all),
              mb(each.did().memoryBytes()),
              count(each.did().filesBefore()),
              count(each.did().files()),
              mb(each.did().moreFileBytes())));
    }
    return new Table(
        "HBase's data table, from the start of the test to its end; a request is a row",
        List.of(
            "region server",
            "regions",
            "reads",
            "writes",
            "of all requests",
            "in memory, MB",
            "files before",
            "files",
            "more in files, MB"),
        rows);
  }

  /** What the pages of region servers say; nothing if HBase was not asked. */
  private static Table counters(StoreLoad store) {
    List<List<String>> rows = new ArrayList<>();
    for (StoreLoad.Server each : store.servers()) {
      ServerPage.Counters seen = store.counters().get(each.name());
      rows.add(
          seen == null
              ? List.of(each.name(), "page not read", "", "", "")
              : List.of(
                  each.name(),
                  count(seen.flushes()),
                  count(seen.compactions()),
                  count(seen.blockedMs()),
                  count(seen.blockedRequests())));
    }
    return new Table(
        "Region servers meanwhile, all tables",
        List.of("region server", "flushes", "compactions", "writes blocked, ms", "writes refused"),
        rows);
  }

  private static Table regions(StoreLoad store) {
    long all = store.requests();
    List<List<String>> rows = new ArrayList<>();
    for (StoreLoad.Region each :
        store.regions().subList(0, Math.min(REGIONS_MAX, store.regions().size()))) {
      rows.add(
          List.of(
              each.name() + (each.isNew() ? ", opened meanwhile" : ""),
              each.server(),
              count(each.did().reads()),
              count(each.did().writes()),
              share(each.did().requests(), all)));
    }
    return new Table(
        rows.isEmpty()
            ? ""
            : String.format(
                Locale.ROOT,
                "The busiest of %,d regions: %.1f times the requests of the average one; %,d were"
                    + " split, merged or moved meanwhile",
                store.regions().size(),
                store.regionSkew(),
                store.newRegions()),
        List.of("region", "region server", "reads", "writes", "of all requests"),
        rows);
  }

  private static String share(long part, long all) {
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * part / Math.max(1, all));
  }

  private static String mb(long bytes) {
    return String.format(Locale.ROOT, "%,.1f", bytes / 1e6);
  }

  private static Table workload(LoadTestResult result) {
    Workload of = result.workload();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("series", count(of.series().count())));
    rows.add(
        List.of(
            "points/s intended",
            of.closed()
                ? "none, the loop is closed: each connection sends when its last request was"
                    + " answered, so response times are service times, and a slow target is asked"
                    + " for less"
                : String.format(Locale.ROOT, "%,.0f", of.pointsPerSecond())));
    rows.add(List.of("points of a request", count(of.batch())));
    rows.add(List.of("connections", count(of.connections())));
    rows.add(List.of("values", of.values().kind().name().toLowerCase(Locale.ROOT)));
    rows.add(
        List.of(
            "ramp, warm-up, hold",
            of.ramp().toSeconds()
                + " s, "
                + of.warmUp().toSeconds()
                + " s, "
                + of.hold().toSeconds()
                + " s"));
    rows.add(List.of("answers not checked", count(result.unchecked())));
    return new Table("Workload", List.of("", ""), rows);
  }

  private List<Graph> graphs() {
    Over writes = kinds.get(0);
    List<Graph> graphs = new ArrayList<>();
    Map<String, List<Double>> times = new LinkedHashMap<>();
    times.put("response", writes.response);
    times.put("service", writes.service);
    graphs.add(new Graph("Writes, p99 of each second", "ms", writes.seconds, times));
    Map<String, List<Double>> points = new LinkedHashMap<>();
    points.put("done", writes.done);
    points.put("intended", writes.intended);
    graphs.add(new Graph("Points a second", "points/s", writes.seconds, points));
    for (int i = 1; i < kinds.size(); i += LINES_MAX) {
      Map<String, List<Double>> readers = new LinkedHashMap<>();
      List<Over> some = kinds.subList(i, Math.min(kinds.size(), i + LINES_MAX));
      some.forEach(of -> readers.put(of.name, of.response));
      graphs.add(new Graph("Readers, p99 response of each second", "ms", writes.seconds, readers));
    }
    return graphs;
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String ms(Histogram of, double percentile) {
    return String.format(Locale.ROOT, "%.1f", of.getValueAtPercentile(percentile) / 1000.0);
  }
}
