package io.packhorse.benchmarks.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packhorse.benchmarks.CpuOnly;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The 16 query types of TSBS' use case cpu-only as {@code docs/tsbs.md} asks them, over hosts of
 * the workload {@code tsbs-cpu}; answers are compared before they are timed.
 */
final class TsbsQuestions {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> FIELDS = CpuOnly.FIELDS;
  private static final int HOSTS = 100;

  /** Queries begin where no hour and no minute does, as those of TSBS. */
  private static final long FROM_S = Dataset.START_S + 5_025;

  private static final double MEASURED_MS = 3_000;
  private static final int ROUNDS_MAX = 31;
  private static final int OURS_A_ROUND = 5;

  private final Answers answers = new Answers();
  private final Duration span;

  TsbsQuestions(boolean quick) {
    span = quick ? Duration.ofHours(26) : Duration.ofDays(3);
  }

  /**
   * A request about fields of hosts.
   *
   * @param fields the first of {@link #FIELDS}
   * @param hosts filter of the hosts; empty for all
   * @param aggregator across series; empty for last points
   * @param downsample empty for none
   * @param valueFilter which values are asked for; empty for all
   */
  private record Request(
      String name,
      int fields,
      List<String> hosts,
      String aggregator,
      String downsample,
      String valueFilter,
      Duration span)
      implements Question {
    @Override
    public String metric(String cells) {
      return TsbsQuestions.metric(cells);
    }

    @Override
    public HttpRequest request(String tsd, String metric) {
      ObjectNode body = JSON.createObjectNode();
      ArrayNode parts = body.putArray("queries");
      for (String field : FIELDS.subList(0, fields)) {
        ObjectNode part = parts.addObject().put("metric", metric + "." + field);
        if (!isLastPoints()) {
          describe(part);
        }
      }
      if (isLastPoints()) {
        body.put("resolveNames", true);
      } else {
        body.put("start", FROM_S).put("end", FROM_S + span.toSeconds() - 1);
      }
      return HttpRequest.newBuilder(
              URI.create(tsd + (isLastPoints() ? "/api/query/last" : "/api/query")))
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
          .build();
    }

    boolean isLastPoints() {
      return aggregator.isEmpty();
    }

    private void describe(ObjectNode part) {
      part.put("aggregator", aggregator);
      if (!downsample.isEmpty()) {
        part.put("downsample", downsample);
      }
      if (!valueFilter.isEmpty()) {
        part.put("valueFilter", valueFilter);
      }
      if (!hosts.isEmpty()) {
        ObjectNode filter = part.putArray("filters").addObject().put("type", "literal_or");
        filter.put("tagk", "hostname").put("filter", String.join("|", hosts));
        filter.put("groupBy", false);
      }
    }
  }

  private static String metric(String cells) {
    return "bench.tsbs." + cells;
  }

  /** Loads the hosts in one form of cells. */
  void load(PackhorseCommand packhorse, Store store, String cells)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("packhorse-tsbs");
    Path file = folder.resolve("tsbs.yaml");
    packhorse.run("loadtest", "init", file.toString(), "--workload", "tsbs-cpu");
    String workload =
        Files.readString(file)
            .replace("cpu.usage", metric(cells) + ".usage")
            .replace("from: 2016-01-01, span: 1d", "from: 2024-01-01, span: " + hours());
    Files.writeString(file, workload);
    List<String> fill =
        new ArrayList<>(List.of("loadtest", "fill", file.toString(), "--cells", cells));
    fill.addAll(List.of("--sink", "hfiles"));
    fill.addAll(store.option());
    packhorse.run(fill.toArray(String[]::new));
    Files.delete(file);
    Files.delete(folder);
  }

  private String hours() {
    return span.toHours() + "h";
  }

  /** Compares and measures all types. */
  void run(Side stock, Side ours, Report report) throws IOException, InterruptedException {
    for (Request request : requests()) {
      measure(request, stock, ours, report);
    }
    highCpu("tsbs-high-cpu-1", List.of("hostname17"), ours, report);
    highCpu("tsbs-high-cpu-all", List.of(), ours, report);
    report.note(
        "tsbs-*: "
            + HOSTS
            + " hosts, "
            + hours()
            + ", a row each 10 s. tsbs-high-cpu-* are two requests, what is above 90 and then all"
            + " fields of the hosts found; stock cannot filter by value.");
  }

  /** Requests of short answers, as those of a dashboard. */
  List<Question> dashboard() {
    List<Question> all = new ArrayList<>();
    for (Request request : requests()) {
      if (!request.isLastPoints() && !request.name().startsWith("tsbs-double")) {
        all.add(request);
      }
    }
    all.add(averages(1));
    return all;
  }

  private static List<Request> requests() {
    List<Request> all = new ArrayList<>();
    for (int[] each :
        new int[][] {{1, 1, 1}, {1, 1, 12}, {1, 8, 1}, {5, 1, 1}, {5, 1, 12}, {5, 8, 1}}) {
      String name = "tsbs-single-groupby-%d-%d-%d".formatted(each[0], each[1], each[2]);
      all.add(maxima(name, each[0], each[1], each[2], "1m"));
    }
    all.add(maxima("tsbs-cpu-max-all-1", 10, 1, 8, "1h"));
    all.add(maxima("tsbs-cpu-max-all-8", 10, 8, 8, "1h"));
    all.add(maxima("tsbs-cpu-max-all-32-24", 10, 32, 24, "1h"));
    all.add(averages(1));
    all.add(averages(5));
    all.add(averages(10));
    all.add(
        new Request(
            "tsbs-groupby-orderby-limit",
            1,
            List.of(),
            "mimmax",
            "1m-max",
            "",
            Duration.ofMinutes(5)));
    all.add(new Request("tsbs-lastpoint", FIELDS.size(), List.of(), "", "", "", Duration.ZERO));
    return all;
  }

  private static Request maxima(String name, int fields, int hosts, int hours, String interval) {
    List<String> names =
        IntStream.range(0, hosts).mapToObj(i -> "hostname" + (17 + i * 31) % HOSTS).toList();
    return new Request(
        name, fields, names, "mimmax", interval + "-max", "", Duration.ofHours(hours));
  }

  private static Request averages(int fields) {
    String size = fields == FIELDS.size() ? "all" : "" + fields;
    return new Request(
        "tsbs-double-groupby-" + size,
        fields,
        List.of(),
        "none",
        "1h-avg",
        "",
        Duration.ofHours(12));
  }

  private void measure(Request request, Side stock, Side ours, Report report)
      throws IOException, InterruptedException {
    answers.ask(request, stock, ours);
    stock.reset();
    stock.answer(request);
    int rounds = (int) Math.max(3, Math.min(ROUNDS_MAX, MEASURED_MS / stock.wallMs()));
    for (int round = 0; round < 2 * rounds; round++) {
      if (round == rounds) {
        stock.reset();
        ours.reset();
      }
      stock.answer(request);
      for (int i = 0; i < OURS_A_ROUND; i++) {
        ours.answer(request);
      }
    }
    for (Side side : List.of(stock, ours)) {
      figures(request.name(), side, side.wallMs(), report);
      report.add(
          request.name(), side.system(), "ratio", stock.wallMs() / side.wallMs(), "stock = 1");
    }
  }

  /** The rows in which the user's share is above 90: which hosts, then all of their fields. */
  private void highCpu(String name, List<String> hosts, Side ours, Report report)
      throws IOException, InterruptedException {
    Duration half = Duration.ofHours(12);
    Request high = new Request(name, 1, hosts, "none", "", ">90", half);
    List<String> found = new ArrayList<>();
    for (JsonNode series : JSON.readTree(ours.answer(high))) {
      if (!series.get("dps").isEmpty()) {
        found.add(series.get("tags").get("hostname").asText());
      }
    }
    Request all = new Request(name, FIELDS.size(), found, "none", "", "", half);
    int rounds = hosts.isEmpty() ? 3 : ROUNDS_MAX;
    ours.reset();
    repeat(high, ours, rounds);
    double first = ours.wallMs();
    if (found.isEmpty()) {
      figures(name, ours, first, report);
      return;
    }
    repeat(all, ours, 1);
    ours.reset();
    repeat(all, ours, rounds);
    figures(name, ours, first + ours.wallMs(), report);
  }

  private static void repeat(Request request, Side side, int rounds)
      throws IOException, InterruptedException {
    for (int i = 0; i < rounds; i++) {
      side.answer(request);
    }
  }

  private static void figures(String name, Side side, double wallMs, Report report) {
    report.add(name, side.system(), "wall_ms", wallMs, "ms");
    report.add(name, side.system(), "cpu_ms", side.cpuMs(), "ms");
    report.add(name, side.system(), "bytes_read", side.bytesRead(), "bytes");
  }
}
