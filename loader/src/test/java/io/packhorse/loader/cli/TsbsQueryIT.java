package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.ServerOptions;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The 16 query types of TSBS' use case cpu-only as requests to a TSD ({@code docs/tsbs.md}), their
 * answers equal to those of a model in memory; with the series index and summaries and without.
 */
@Timeout(5 * 60)
final class TsbsQueryIT {
  private static final long START_S = 1_704_067_200;
  private static final int STEP_S = 30;
  private static final int TICKS = 26 * 3600 / STEP_S;
  private static final int HOSTS = 33;
  private static final String MEASUREMENT = "it.tsbs.cpu";
  private static final List<String> FIELDS =
      List.of(
          "usage_user",
          "usage_system",
          "usage_idle",
          "usage_nice",
          "usage_iowait",
          "usage_irq",
          "usage_softirq",
          "usage_steal",
          "usage_guest",
          "usage_guest_nice");
  private static final int NO_ROW = -1;

  private final ObjectMapper json = new ObjectMapper();
  private final Random random = new Random(5);

  /** By host, time, field. */
  private final int[][][] rows = rows();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  /** A query type: the question to the TSD, and to the model. */
  private record Type(String name, Request asked, Request model) {}

  /** Answers by the names of series, then by time in seconds. */
  private interface Request {
    Map<String, SortedMap<Long, Double>> answer(TsdRequests tsd) throws Exception;
  }

  @Test
  void answersAreThoseOfTheModel() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    load(server);
    TsdRequests tsd = new TsdRequests(server.tsdUrl());
    List<Type> types = types();
    assertEquals(16, types.stream().map(Type::name).distinct().count());
    long byKeys = tsd.statistic("tsd.query.series_index", "read", "keys");
    ask(types, tsd);
    assertTrue(tsd.statistic("tsd.query.series_index", "read", "keys") > byKeys);
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null)) {
      StoredSummaries summaries =
          new StoredSummaries(
              cluster.connection(),
              new RowKeyLayout(
                  UidWidths.DEFAULT,
                  new SaltFunction(ServerOptions.SALT_WIDTH, ServerOptions.SALT_BUCKETS)));
      boolean marked = summaries.isMarked();
      summaries.mark(false);
      summaries.markIndex(false);
      try {
        byKeys = tsd.statistic("tsd.query.series_index", "read", "keys");
        ask(types, tsd);
        assertEquals(byKeys, tsd.statistic("tsd.query.series_index", "read", "keys"));
      } finally {
        summaries.mark(marked);
        summaries.markIndex(true);
      }
    }
  }

  private static void ask(List<Type> types, TsdRequests tsd) throws Exception {
    for (Type type : types) {
      Map<String, SortedMap<Long, Double>> expected = type.model().answer(tsd);
      assertTrue(!expected.isEmpty(), type.name());
      Map<String, SortedMap<Long, Double>> found = type.asked().answer(tsd);
      assertEquals(expected.keySet(), found.keySet(), type.name());
      for (String series : expected.keySet()) {
        assertEquals(expected.get(series), found.get(series), type.name() + " " + series);
      }
    }
  }

  private List<Type> types() {
    List<Type> types = new ArrayList<>();
    types.add(maxima("single-groupby-1-1-1", 1, 1, 1, 60));
    types.add(maxima("single-groupby-1-1-12", 1, 1, 12, 60));
    types.add(maxima("single-groupby-1-8-1", 1, 8, 1, 60));
    types.add(maxima("single-groupby-5-1-1", 5, 1, 1, 60));
    types.add(maxima("single-groupby-5-1-12", 5, 1, 12, 60));
    types.add(maxima("single-groupby-5-8-1", 5, 8, 1, 60));
    types.add(maxima("cpu-max-all-1", 10, 1, 8, 3600));
    types.add(maxima("cpu-max-all-8", 10, 8, 8, 3600));
    types.add(maxima("cpu-max-all-32-24", 10, 32, 24, 3600));
    types.add(averages("double-groupby-1", 1));
    types.add(averages("double-groupby-5", 5));
    types.add(averages("double-groupby-all", 10));
    types.add(highCpu("high-cpu-all", HOSTS));
    types.add(highCpu("high-cpu-1", 1));
    types.add(new Type("lastpoint", this::lastPoints, tsd -> lastRows()));
    long end = START_S + 9 * 3600 + 29 * 60 + 7;
    long start = end - end % 60 - 4 * 60;
    types.add(
        new Type(
            "groupby-orderby-limit",
            tsd -> series(tsd, query(start, end, 1, "mimmax", "1m-max", List.of(), false)),
            tsd -> reduced(start, end, 1, allHosts(), false, 60, TsbsQueryIT::max)));
    return types;
  }

  /** The largest values of some fields among some hosts, by minute or by hour. */
  private Type maxima(String name, int fields, int hosts, int hours, int interval) {
    List<Integer> of = hosts(hosts);
    long start = window(hours);
    long end = start + 3600L * hours;
    String every = interval == 60 ? "1m-max" : "1h-max";
    return new Type(
        name,
        tsd -> series(tsd, query(start, end, fields, "mimmax", every, of, false)),
        tsd -> reduced(start, end, fields, of, false, interval, TsbsQueryIT::max));
  }

  private Type averages(String name, int fields) {
    long start = window(12);
    long end = start + 12 * 3600;
    return new Type(
        name,
        tsd -> series(tsd, query(start, end, fields, "none", "1h-avg", List.of(), false)),
        tsd ->
            reduced(
                start,
                end,
                fields,
                allHosts(),
                true,
                3600,
                values -> values.stream().mapToDouble(value -> value).average().orElseThrow()));
  }

  /** All fields where the user's share is above 90: when that was, then the rows of these hosts. */
  private Type highCpu(String name, int hosts) {
    List<Integer> of = hosts == HOSTS ? List.of() : hosts(hosts);
    long start = window(12);
    long end = start + 12 * 3600;
    if (high(of, start, end).isEmpty()) {
      return highCpu(name, hosts);
    }
    return new Type(
        name,
        tsd -> {
          ObjectNode asked = query(start, end, 1, "none", "", of, false);
          ((ObjectNode) asked.get("queries").get(0)).put("valueFilter", ">90");
          Map<String, SortedMap<Long, Double>> found = series(tsd, asked);
          List<Integer> high =
              found.keySet().stream()
                  .map(each -> Integer.parseInt(each.substring(each.indexOf('_', 11) + 1)))
                  .toList();
          Map<String, SortedMap<Long, Double>> all =
              series(tsd, query(start, end, FIELDS.size(), "none", "", high, true));
          for (String each : all.keySet()) {
            String user = FIELDS.get(0) + each.substring(each.indexOf(' '));
            all.get(each).keySet().retainAll(found.getOrDefault(user, new TreeMap<>()).keySet());
          }
          return all;
        },
        tsd -> high(of, start, end));
  }

  private Map<String, SortedMap<Long, Double>> high(List<Integer> hosts, long start, long end) {
    Map<String, SortedMap<Long, Double>> all = new TreeMap<>();
    for (int host : hosts.isEmpty() ? allHosts() : hosts) {
      for (int tick = tick(start); START_S + (long) tick * STEP_S < end; tick++) {
        for (int field = 0; rows[host][tick][0] > 90 && field < FIELDS.size(); field++) {
          put(all, name(field, host), tick, rows[host][tick][field]);
        }
      }
    }
    return all;
  }

  private Map<String, SortedMap<Long, Double>> lastPoints(TsdRequests tsd) throws Exception {
    ObjectNode asked = json.createObjectNode().put("resolveNames", true);
    ArrayNode queries = asked.putArray("queries");
    FIELDS.forEach(field -> queries.addObject().put("metric", MEASUREMENT + "." + field));
    Map<String, SortedMap<Long, Double>> found = new TreeMap<>();
    for (JsonNode point : tsd.post("/api/query/last", asked)) {
      found
          .computeIfAbsent(nameOf(point, true), name -> new TreeMap<>())
          .put(point.get("timestamp").asLong() / 1000, point.get("value").asDouble());
    }
    return found;
  }

  private Map<String, SortedMap<Long, Double>> lastRows() {
    Map<String, SortedMap<Long, Double>> last = new TreeMap<>();
    for (int host = 0; host < HOSTS; host++) {
      int tick = TICKS - 1;
      while (rows[host][tick][0] == NO_ROW) {
        tick--;
      }
      for (int field = 0; field < FIELDS.size(); field++) {
        put(last, name(field, host), tick, rows[host][tick][field]);
      }
    }
    return last;
  }

  /**
   * Values by interval of one group, or of each host.
   *
   * <p>OpenTSDB leaves out an interval that begins before the query does, and answers the last one
   * as a whole.
   */
  private Map<String, SortedMap<Long, Double>> reduced(
      long start,
      long end,
      int fields,
      List<Integer> hosts,
      boolean byHost,
      int interval,
      ToDoubleFunction<List<Integer>> function) {
    Map<String, Map<Long, List<Integer>>> values = new TreeMap<>();
    for (int host : hosts) {
      for (int tick = tick(start); tick < TICKS; tick++) {
        long time = START_S + (long) tick * STEP_S;
        long from = time - time % interval;
        if (rows[host][tick][0] == NO_ROW || from < start || from >= end) {
          continue;
        }
        for (int field = 0; field < fields; field++) {
          values
              .computeIfAbsent(byHost ? name(field, host) : FIELDS.get(field), s -> new TreeMap<>())
              .computeIfAbsent(from, of -> new ArrayList<>())
              .add(rows[host][tick][field]);
        }
      }
    }
    Map<String, SortedMap<Long, Double>> reduced = new TreeMap<>();
    values.forEach(
        (series, intervals) ->
            intervals.forEach(
                (from, of) ->
                    reduced
                        .computeIfAbsent(series, s -> new TreeMap<>())
                        .put(from, function.applyAsDouble(of))));
    return reduced;
  }

  private static double max(List<Integer> values) {
    return values.stream().mapToInt(value -> value).max().orElseThrow();
  }

  private static int tick(long time) {
    return (int) ((time - START_S + STEP_S - 1) / STEP_S);
  }

  private static void put(
      Map<String, SortedMap<Long, Double>> to, String series, int tick, double value) {
    to.computeIfAbsent(series, name -> new TreeMap<>()).put(START_S + (long) tick * STEP_S, value);
  }

  private static String name(int field, int host) {
    return FIELDS.get(field) + " host_" + host;
  }

  private ObjectNode query(
      long start,
      long end,
      int fields,
      String aggregator,
      String downsample,
      List<Integer> hosts,
      boolean groupBy) {
    ObjectNode query = json.createObjectNode();
    query.put("start", 1000 * start).put("end", 1000 * end - 1);
    ArrayNode parts = query.putArray("queries");
    for (String field : FIELDS.subList(0, fields)) {
      ObjectNode part = parts.addObject();
      part.put("metric", MEASUREMENT + "." + field).put("aggregator", aggregator);
      if (!downsample.isEmpty()) {
        part.put("downsample", downsample);
      }
      if (!hosts.isEmpty()) {
        List<String> names = hosts.stream().map(host -> "host_" + host).toList();
        ObjectNode filter = part.putArray("filters").addObject().put("type", "literal_or");
        filter.put("tagk", "hostname").put("filter", String.join("|", names));
        filter.put("groupBy", groupBy);
      }
    }
    return query;
  }

  private static Map<String, SortedMap<Long, Double>> series(TsdRequests tsd, ObjectNode query)
      throws Exception {
    boolean byHost = query.get("queries").get(0).get("aggregator").asText().equals("none");
    Map<String, SortedMap<Long, Double>> series = new TreeMap<>();
    for (JsonNode each : tsd.query(query)) {
      SortedMap<Long, Double> points = new TreeMap<>();
      for (Map.Entry<String, JsonNode> point : each.get("dps").properties()) {
        points.put(Long.valueOf(point.getKey()), point.getValue().asDouble());
      }
      if (!points.isEmpty()) {
        // OpenTSDB also names series that have points only in the hours around the query.
        assertEquals(null, series.put(nameOf(each, byHost), points));
      }
    }
    return series;
  }

  private static String nameOf(JsonNode series, boolean byHost) {
    String field = series.get("metric").asText().substring(MEASUREMENT.length() + 1);
    return byHost ? field + " " + series.get("tags").get("hostname").asText() : field;
  }

  private List<Integer> hosts(int count) {
    List<Integer> all = new ArrayList<>(allHosts());
    if (count == 1) {
      all.removeIf(TsbsQueryIT::ends); // An hour of it may have no points.
    }
    Collections.shuffle(all, random);
    return List.copyOf(all.subList(0, count));
  }

  private static List<Integer> allHosts() {
    return IntStream.range(0, HOSTS).boxed().toList();
  }

  private static boolean ends(int host) {
    return host % 8 == 5;
  }

  /** Starts anywhere, as those of TSBS do. */
  private long window(int hours) {
    return START_S + random.nextInt((TICKS * STEP_S) - 3600 * hours);
  }

  /** Walks between 0 and 100; some hosts pause, and some end before the others. */
  private int[][][] rows() {
    int[][][] made = new int[HOSTS][TICKS][FIELDS.size()];
    for (int host = 0; host < HOSTS; host++) {
      double[] values = random.doubles(FIELDS.size(), 0, 100).toArray();
      int pause = random.nextInt(TICKS);
      for (int tick = 0; tick < TICKS; tick++) {
        boolean paused = host % 4 == 3 && tick >= pause && tick < pause + 40;
        boolean ended = ends(host) && tick >= TICKS - 10 * host;
        for (int field = 0; field < FIELDS.size(); field++) {
          values[field] = Math.max(0, Math.min(100, values[field] + random.nextGaussian() * 3));
          made[host][tick][field] = paused || ended ? NO_ROW : (int) values[field];
        }
      }
    }
    return made;
  }

  private void load(EmbeddedServer server) throws Exception {
    Path file = folder.resolve("cpu.lp");
    Map<String, Integer> tags = new LinkedHashMap<>();
    tags.put("region", 9);
    tags.put("datacenter", 20);
    tags.put("rack", 100);
    tags.put("os", 3);
    tags.put("arch", 2);
    tags.put("team", 4);
    tags.put("service", 20);
    tags.put("service_version", 2);
    tags.put("service_environment", 3);
    try (BufferedWriter lines = Files.newBufferedWriter(file)) {
      List<String> series = new ArrayList<>();
      for (int host = 0; host < HOSTS; host++) {
        StringBuilder name = new StringBuilder(MEASUREMENT + ",hostname=host_" + host);
        tags.forEach((tag, values) -> name.append("," + tag + "=" + tag + random.nextInt(values)));
        series.add(name.toString());
      }
      for (int tick = 0; tick < TICKS; tick++) {
        for (int host = 0; host < HOSTS; host++) {
          if (rows[host][tick][0] != NO_ROW) {
            lines.write(series.get(host));
            for (int field = 0; field < FIELDS.size(); field++) {
              lines.write((field == 0 ? " " : ",") + FIELDS.get(field) + "=");
              lines.write(rows[host][tick][field] + "i");
            }
            lines.write(" " + (START_S + (long) tick * STEP_S) + "000000000\n");
          }
        }
      }
    }
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    String command =
        "load --dir %s --sink hfiles --max-tags 10 %s".formatted(server.store().root(), file);
    int code = Packhorse.commandLine().setOut(writer).setErr(writer).execute(command.split(" "));
    assertEquals(ExitCode.OK.code(), code, said.toString());
  }
}
