package io.packhorse.benchmarks.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Queries over long times, answered from summaries and then, once these are dropped, from cells.
 * Both answers are compared. There is no stock side: its cells of a year would take too long to
 * write and read.
 */
final class YearQuestions {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The number of series, or more if maxima are equal, with a value that passes the needle. */
  private static final int SERIES_FOUND = 100;

  /** Longest span of the homes that is read from cells: a year exceeds the query timeout. */
  private static final Duration FROM_CELLS = Duration.ofDays(7);

  private static final String MAX_BY_HOME = "max:0all-max:METRIC{sensor=*}";

  private final Answers answers = new Answers();
  private final Dataset sensors;
  private final Dataset homes;
  private final Side summaries;
  private final Side cells;

  /**
   * @param summaries our TSD, while there are summaries
   * @param cells the same, after they were dropped
   */
  YearQuestions(boolean quick, Side summaries, Side cells) {
    Duration span = Duration.ofDays(quick ? 36 : 365);
    sensors = new Dataset("year", 128, Duration.ofSeconds(1), span);
    homes = new Dataset("homes", 10_000, Duration.ofMinutes(1), span);
    this.summaries = summaries;
    this.cells = cells;
  }

  /** The datasets to load, as packed cells. */
  List<Dataset> datasets() {
    return List.of(sensors, homes);
  }

  /** Measures with summaries, drops them, measures and compares without. */
  void run(PackhorseCommand packhorse, Store store, Report report)
      throws IOException, InterruptedException {
    Map<QueryCase, String> found = new LinkedHashMap<>();
    for (QueryCase query : cases()) {
      int rounds = query.series() == 1 ? 301 : query.series() < 1_000 ? 51 : 11;
      found.put(query, summaries.answer(query));
      repeat(query, rounds);
      summaries.reset();
      repeat(query, rounds);
      figures(query, summaries, report);
    }
    List<String> drop = new ArrayList<>(List.of("summary", "drop", "--yes"));
    drop.addAll(store.option());
    packhorse.run(drop.toArray(String[]::new));
    for (Map.Entry<QueryCase, String> entry : found.entrySet()) {
      QueryCase query = entry.getKey();
      if (query.dataset().equals(sensors) || query.span().equals(FROM_CELLS)) {
        compareWithCells(query, entry.getValue(), report);
      }
    }
  }

  private List<QueryCase> cases() throws IOException, InterruptedException {
    String size = "x" + sensors.span().toDays() + "d";
    String one = "{sensor=s017}";
    List<QueryCase> cases = new ArrayList<>();
    cases.add(question("all-max-1" + size, sensors, "max:0all-max:METRIC" + one, 1));
    cases.add(question("1d-avg-1" + size, sensors, "avg:1d-avg:METRIC" + one, 1));
    cases.add(question("1d-avg-128" + size, sensors, "avg:1d-avg:METRIC", sensors.series()));
    cases.add(question("1h-avg-128" + size, sensors, "avg:1h-avg:METRIC", sensors.series()));
    for (Duration span : List.of(FROM_CELLS, homes.span())) {
      String homesSize = "-10kx" + span.toDays() + "d";
      cases.add(
          new QueryCase("max-by" + homesSize, homes, MAX_BY_HOME, false, span, homes.series()));
      cases.add(
          new QueryCase(
              "needle" + homesSize,
              homes,
              "none:METRIC",
              false,
              ">=" + rareValue(span),
              span,
              homes.series()));
    }
    return cases;
  }

  private static QueryCase question(String name, Dataset dataset, String expression, int series) {
    return new QueryCase(name, dataset, expression, false, dataset.span(), series);
  }

  /** The smallest of the largest {@value #SERIES_FOUND} maxima of the homes over a span. */
  private long rareValue(Duration span) throws IOException, InterruptedException {
    QueryCase question = new QueryCase("maxima", homes, MAX_BY_HOME, false, span, homes.series());
    List<Long> maxima = new ArrayList<>();
    for (JsonNode series : JSON.readTree(summaries.answer(question))) {
      maxima.add(series.get("dps").iterator().next().asLong());
    }
    if (maxima.size() != homes.series()) {
      throw new IOException("maxima of " + maxima.size() + " of " + homes.series() + " series");
    }
    maxima.sort(Comparator.reverseOrder());
    return maxima.get(SERIES_FOUND - 1);
  }

  private void repeat(QueryCase query, int rounds) throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      summaries.answer(query);
    }
  }

  private void compareWithCells(QueryCase query, String found, Report report)
      throws IOException, InterruptedException {
    cells.reset();
    if (answers.compare(found, cells.answer(query)) == Answers.Outcome.DIFFERENT) {
      throw new IOException("answers with and without summaries differ: " + query);
    }
    figures(query, cells, report);
  }

  private static void figures(QueryCase query, Side side, Report report) {
    report.add(query.name(), side.system(), "wall_ms", side.wallMs(), "ms");
    report.add(query.name(), side.system(), "cpu_ms", side.cpuMs(), "ms");
    report.add(query.name(), side.system(), "bytes_read", side.bytesRead(), "bytes");
  }
}
