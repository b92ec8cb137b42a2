package io.packhorse.benchmarks.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.benchmarks.Benchmark;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A stock TSD over compacted cells and ours over packed ones: same HBase, same points under two
 * metrics, five requests of ours after each of stock's, caches and JVMs warm, answers compared
 * before they are timed. Clients, TSDs and HBase share the machine.
 */
public final class QueryBenchmark implements Benchmark {
  private static final String STOCK_CELLS = "compacted";
  private static final String OUR_CELLS = "packed";

  /** Ours are shorter: as many as make a median worth the name in the time of few of stock's. */
  private static final int OURS_A_ROUND = 5;

  private final Answers answers = new Answers();

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    try (Store store = Store.start(packhorse, "--tsd", "both")) {
      Dataset sensors =
          new Dataset("sensors", 128, Duration.ofSeconds(1), Duration.ofDays(quick ? 7 : 30));
      Dataset hosts = new Dataset("hosts", 10_000, Duration.ofMinutes(1), Duration.ofDays(2));
      Dataset devices = new Dataset("devices", 100_000, Duration.ofMinutes(1), Duration.ofHours(1));
      for (Dataset dataset : List.of(sensors, hosts, devices)) {
        for (String cells : List.of(OUR_CELLS, STOCK_CELLS)) {
          load(packhorse, store, dataset, cells);
        }
      }
      TsbsQuestions tsbs = new TsbsQuestions(quick);
      for (String cells : List.of(OUR_CELLS, STOCK_CELLS)) {
        tsbs.load(packhorse, store, cells);
      }
      JsonNode status = store.status();
      Side stock = side("stock", status, "stock", STOCK_CELLS);
      Side ours = side("packhorse", status, "patched", OUR_CELLS);
      List<QueryCase> cases = new ArrayList<>(cases(sensors, hosts, quick));
      cases.addAll(fewOfMany(sensors, devices));
      warmUp(cases, stock, ours, quick);
      int rounded = 0;
      for (QueryCase query : cases) {
        rounded += measure(query, stock, ours, quick, report) ? 1 : 0;
      }
      report.note(
          "All answers were compared first; "
              + rounded
              + " agree but for the last digits of sums over series, which stock adds in the order"
              + " of their salts.");
      tsbs.run(stock, ours, report);
      new Dashboards(tsbs.dashboard(), Duration.ofSeconds(quick ? 8 : 30))
          .run(List.of(stock, ours), report);
      YearQuestions years =
          new YearQuestions(quick, ours, side("cells", status, "patched", OUR_CELLS));
      for (Dataset dataset : years.datasets()) {
        load(packhorse, store, dataset, OUR_CELLS);
      }
      years.run(packhorse, store, report);
      report.note(
          "System cells is ours once the summaries are dropped, each question asked once; answers"
              + " are compared with it. Left out, for the time they take: stock over these spans,"
              + " and all days of 10,000 homes from cells, whose answers are compared for 7 days.");
      report.note("cpu_ms is that of the TSD and HBase; bytes_read is what the TSD was sent.");
    }
  }

  private static void load(PackhorseCommand packhorse, Store store, Dataset dataset, String cells)
      throws IOException, InterruptedException {
    List<String> load = new ArrayList<>(dataset.load(cells));
    load.addAll(store.option());
    packhorse.run(load.toArray(String[]::new));
  }

  /** Every case for each span that the data has. */
  private static List<QueryCase> cases(Dataset sensors, Dataset hosts, boolean quick) {
    Duration hour = Duration.ofHours(1);
    Duration day = Duration.ofDays(1);
    List<QueryCase> cases = new ArrayList<>();
    String one = "none:METRIC{sensor=s000}";
    cases.add(new QueryCase("raw-1x1h", sensors, one, false, hour, 1));
    cases.add(new QueryCase("raw-1x1d", sensors, one, false, day, 1));
    cases.add(new QueryCase("sum-128x1h", sensors, "sum:METRIC", false, hour, 128));
    cases.add(new QueryCase("sum-128x1d", sensors, "sum:METRIC", false, day, 128));
    cases.add(new QueryCase("rate-128x1h", sensors, "sum:rate:METRIC", false, hour, 128));
    cases.add(new QueryCase("1m-rate-128x1d", sensors, "sum:rate:1m-avg:METRIC", false, day, 128));
    for (String downsampler :
        List.of("0all-avg", "1m-avg-zero", "1h-max-nan", "1dc-avg", "1h-dev", "1h-p95")) {
      cases.add(
          new QueryCase(
              downsampler + "-128x1d", sensors, "sum:" + downsampler + ":METRIC", false, day, 128));
    }
    for (int days : quick ? new int[] {1, 7} : new int[] {1, 7, 30}) {
      Duration span = Duration.ofDays(days);
      String size = "-128x" + days + "d";
      cases.add(new QueryCase("1m-avg" + size, sensors, "sum:1m-avg:METRIC", false, span, 128));
      cases.add(new QueryCase("1h-avg" + size, sensors, "sum:1h-avg:METRIC", false, span, 128));
      cases.add(
          new QueryCase(
              "1h-max-by-sensor" + size, sensors, "max:1h-max:METRIC{sensor=*}", false, span, 128));
    }
    cases.add(
        new QueryCase(
            "needle-128x7d",
            sensors,
            "highestMax(max:10m-max:METRIC{sensor=*},3)",
            true,
            Duration.ofDays(7),
            128));
    cases.add(
        new QueryCase(
            "1h-avg-" + hosts.series() + "x2d",
            hosts,
            "sum:1h-avg:METRIC",
            false,
            hosts.span(),
            hosts.series()));
    return cases;
  }

  /** Questions about few of a metric's series. */
  private static List<QueryCase> fewOfMany(Dataset sensors, Dataset devices) {
    String days = "-1x" + sensors.span().toDays() + "d";
    return List.of(
        new QueryCase(
            "all-max" + days,
            sensors,
            "max:0all-max:METRIC{sensor=s017}",
            false,
            sensors.span(),
            1),
        new QueryCase(
            "1d-avg" + days, sensors, "avg:1d-avg:METRIC{sensor=s017}", false, sensors.span(), 1),
        new QueryCase(
            "host-1-of-100k",
            devices,
            "max:1m-max:METRIC{sensor=s50017}",
            false,
            devices.span(),
            1),
        new QueryCase(
            "host-8-of-100k",
            devices,
            "max:1m-max:METRIC{sensor=s10017|s20017|s30017|s40017|s50017|s60017|s70017|s80017}",
            false,
            devices.span(),
            8));
  }

  /** Lets both TSDs compile what the shorter cases need before any is measured. */
  private static void warmUp(List<QueryCase> cases, Side stock, Side ours, boolean quick)
      throws IOException, InterruptedException {
    for (int round = 0; round < (quick ? 2 : 6); round++) {
      for (QueryCase query : cases) {
        if (query.span().toDays() <= 1) {
          stock.answer(query);
          ours.answer(query);
        }
      }
    }
  }

  /**
   * Compares, warms up, measures.
   *
   * @return whether the answers differ in last digits
   */
  private boolean measure(QueryCase query, Side stock, Side ours, boolean quick, Report report)
      throws IOException, InterruptedException {
    Answers.Outcome outcome = answers.ask(query, stock, ours);
    int rounds =
        query.points() < 1_000_000
            ? 31
            : query.points() < 20_000_000 ? (quick ? 3 : 11) : (quick ? 1 : 3);
    // Short requests run in code that is compiled after hundreds of them.
    repeat(query, stock, ours, query.points() < 1_000_000 ? 3 * rounds : rounds / 2);
    repeat(query, ours, OURS_A_ROUND);
    stock.reset();
    ours.reset();
    repeat(query, stock, ours, rounds);
    for (Side side : List.of(stock, ours)) {
      report.add(query.name(), side.system(), "wall_ms", side.wallMs(), "ms");
      report.add(query.name(), side.system(), "cpu_ms", side.cpuMs(), "ms");
      report.add(query.name(), side.system(), "bytes_read", side.bytesRead(), "bytes");
      report.add(
          query.name(),
          side.system(),
          "points_per_cpu_s",
          query.points() / Math.max(side.cpuMs(), 1) * 1000,
          "points/s");
      report.add(query.name(), side.system(), "ratio", stock.wallMs() / side.wallMs(), "stock = 1");
    }
    return outcome == Answers.Outcome.ROUNDED;
  }

  /** Rounds of both sides in turn. */
  private static void repeat(QueryCase query, Side stock, Side ours, int rounds)
      throws IOException, InterruptedException {
    for (int i = 0; i < rounds; i++) {
      repeat(query, stock, 1);
      repeat(query, ours, OURS_A_ROUND);
    }
  }

  private static void repeat(QueryCase query, Side side, int requests)
      throws IOException, InterruptedException {
    for (int i = 0; i < requests; i++) {
      side.answer(query);
    }
  }

  private static Side side(String system, JsonNode status, String kind, String cells)
      throws IOException {
    for (JsonNode tsd : status.get("tsds")) {
      if (tsd.get("kind").asText().equals(kind)) {
        return new Side(
            system,
            tsd.get("url").asText(),
            cells,
            tsd.get("pid").asLong(),
            status.get("hbase_pid").asLong());
      }
    }
    throw new IOException("no " + kind + " TSD in: " + status);
  }
}
