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
import io.packhorse.loader.store.TsdFixture;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random changes of a store and random queries between them; every answer equals that of {@link
 * PointModel}. Changes are loads over each other, live points on top, deletes through a TSD,
 * rollbacks, and summaries that are dropped, built, built in part or switched off.
 *
 * <p>{@code -Dpackhorse.differential.changes=200 -Dpackhorse.differential.queries=100} asks 20,000
 * queries; {@code .hosts} and {@code .days} make other tables.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class DifferentialQueryIT {
  private static final int CHANGES = Integer.getInteger("packhorse.differential.changes", 14);
  private static final int QUERIES = Integer.getInteger("packhorse.differential.queries", 40);
  private static final long SEED = Long.getLong("packhorse.differential.seed", 31);
  private static final Pattern JOB = Pattern.compile("job +(\\S+) in ");
  private static final String METRIC = "it.differential." + SEED;
  private static final long START_S = 1_704_067_200;
  private static final int DAYS = Integer.getInteger("packhorse.differential.days", 65);
  private static final int HOSTS = Integer.getInteger("packhorse.differential.hosts", 10);

  private final ObjectMapper json = new ObjectMapper();
  private final Random random = new Random(SEED);
  private final PointModel model = new PointModel();
  private final List<String> jobs = new ArrayList<>();
  private final List<String> history = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private EmbeddedServer server;
  private TsdRequests tsd;

  /** Requests to a TSD that may delete. */
  @SuppressWarnings("NullAway.Init")
  private TsdRequests deleting;

  @SuppressWarnings("NullAway.Init")
  private StoredSummaries summaries;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedStoreFixture.shared();
    tsd = new TsdRequests(server.tsdUrl());
  }

  @Test
  void answersAreThoseOfTheModel() throws Exception {
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        TsdFixture other = TsdFixture.startDeleting(server, folder)) {
      deleting = new TsdRequests(other.url());
      summaries =
          new StoredSummaries(
              cluster.connection(),
              new RowKeyLayout(
                  UidWidths.DEFAULT,
                  new SaltFunction(ServerOptions.SALT_WIDTH, ServerOptions.SALT_BUCKETS)));
      long used = summariesUsed();
      load(true);
      putLive();
      run("summary build");
      ask();
      for (int i = 0; i < CHANGES; i++) {
        change();
        ask();
      }
      summaries.mark(true);
      run("summary drop --yes");
      run("summary build");
      ask();
      assertTrue(summariesUsed() - used > QUERIES, "queries that used summaries");
    }
  }

  private void change() throws Exception {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> load(false);
      case 3, 4 -> putLive();
      case 5 -> delete();
      case 6 -> rollBack();
      case 7 -> said("summary build");
      case 8 -> {
        said("summary drop --yes");
        if (random.nextBoolean()) {
          said("summary build --metric " + METRIC + " --to 2024-01-15");
        }
      }
      default -> {
        boolean mark = !summaries.isMarked();
        history.add("mark " + mark);
        // Only a table that was built may be marked again.
        said("summary build");
        summaries.mark(mark);
      }
    }
  }

  private void said(String command) {
    history.add(command);
    run(command);
  }

  private void load(boolean all) throws Exception {
    int first = all ? 0 : random.nextInt(HOSTS);
    int count = all ? HOSTS : 1 + random.nextInt(HOSTS - first);
    int from = all ? 0 : random.nextInt(DAYS);
    int days = all ? DAYS : 1 + random.nextInt(Math.min(20, DAYS - from));
    int step = new int[] {10, 300, 1200, 1800, 7200}[all ? 2 : random.nextInt(5)];
    days = step == 10 ? 1 : days;
    boolean decimals = random.nextInt(3) == 0;
    long at = START_S + 86_400L * from + random.nextInt(step);
    StringBuilder lines = new StringBuilder();
    List<PointModel.Written> written = new ArrayList<>();
    for (long time = at; time < START_S + 86_400L * (from + days); time += step) {
      for (int host = first; host < first + count; host++) {
        if (random.nextInt(50) > 0) {
          long value = random.nextInt(1000);
          double number = decimals ? value / 8. : value;
          written.add(new PointModel.Written(host, time, number));
          lines.append(METRIC + " " + time + " " + (decimals ? "" + number : "" + value));
          lines.append(" host=h" + host + " dc=d" + PointModel.dc(host) + "\n");
        }
      }
    }
    Path file = Files.createTempFile(folder, "lines", ".txt");
    Files.writeString(file, lines);
    String sink = random.nextBoolean() ? "hfiles" : "puts";
    Matcher job = JOB.matcher(run("load --sink " + sink + " " + file));
    assertTrue(job.find());
    jobs.add(job.group(1));
    history.add(
        "load %s %s: hosts %d+%d, days %d+%d, every %d s from %d"
            .formatted(sink, job.group(1), first, count, from, days, step, at));
    model.write(job.group(1), written);
  }

  /** Single points, some of them at times of loaded ones, some of a series that no loader knows. */
  private void putLive() throws Exception {
    ArrayNode points = json.createArrayNode();
    List<PointModel.Written> written = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      int host = i == 0 ? HOSTS : random.nextInt(HOSTS + 1);
      long time = START_S + random.nextInt(DAYS * 86_400);
      List<Long> present = model.times(host);
      if (!present.isEmpty() && random.nextBoolean()) {
        time = present.get(random.nextInt(present.size()));
      }
      long at = time;
      if (written.stream().anyMatch(point -> point.host() == host && point.seconds() == at)) {
        continue;
      }
      ObjectNode point = points.addObject().put("metric", METRIC).put("timestamp", time);
      point.put("value", 2000 + i);
      point.putObject("tags").put("host", "h" + host).put("dc", "d" + PointModel.dc(host));
      written.add(new PointModel.Written(host, time, 2000 + i));
    }
    tsd.post("/api/put?sync&details", points);
    history.add("put " + written);
    model.write("", written);
  }

  private void delete() throws Exception {
    long start = START_S + 3600L * random.nextInt(DAYS * 24);
    long end = start + 3600L * (1 + random.nextInt(72)) - 1;
    int host = random.nextInt(HOSTS);
    ObjectNode query = json.createObjectNode().put("start", start).put("end", end);
    ObjectNode part = query.putArray("queries").addObject().put("metric", METRIC);
    part.put("aggregator", "none");
    ObjectNode filter = part.putArray("filters").addObject().put("type", "literal_or");
    filter.put("tagk", "host").put("filter", "h" + host).put("groupBy", true);
    deleting.post("/api/query", query.deepCopy().put("delete", true));
    history.add("delete h" + host + " " + start + " to " + end);
    // The row after the last one goes too, as in a stock TSD.
    model.delete(host, start, end + 1 + 3600);
    // The answer comes before all rows are deleted.
    ObjectNode wider = query.deepCopy().put("end", end + 3600);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (System.nanoTime() < deadline
        && !tsd.query(wider).toString().matches(".*\"dps\":\\{}.*|\\[]")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private void rollBack() {
    if (jobs.size() > 1) {
      String job = jobs.remove(1 + random.nextInt(jobs.size() - 1));
      said("job rollback " + job + " --yes");
      model.rollBack(job);
    }
  }

  private void ask() throws Exception {
    for (int i = 0; i < QUERIES; i++) {
      PointModel.Question question = question();
      SortedMap<String, SortedMap<Long, Double>> expected = model.answer(question);
      ObjectNode query = query(question);
      SortedMap<String, SortedMap<Long, Double>> found = answer(question, query);
      if (!isSame(expected, found)) {
        String changes = String.join("\n", history);
        assertEquals(expected.toString(), found.toString(), query + "\n" + changes);
      }
    }
  }

  private PointModel.Question question() {
    long start = START_S + random.nextInt(DAYS * 86_400);
    long span = random.nextInt(3) > 0 ? random.nextInt(DAYS * 86_400) : random.nextInt(86_400 * 3);
    if (random.nextInt(3) == 0) {
      start -= start % 86_400;
      span -= span % 86_400;
    }
    int interval =
        new int[] {0, 600, 3600, 7200, 86_400, 86_400, 604_800, -1, -1}[random.nextInt(9)];
    // A query of all points of two months would be long.
    span = interval == 0 ? span % (5 * 86_400) : span;
    List<Integer> hosts =
        switch (random.nextInt(4)) {
          case 0 -> List.of(random.nextInt(HOSTS + 1));
          case 1 -> random.ints(3, 0, HOSTS + 1).distinct().sorted().boxed().toList();
          default -> IntStream.rangeClosed(0, HOSTS).boxed().toList();
        };
    return new PointModel.Question(
        start,
        start + span,
        oneOf(PointModel.Aggregator.values()),
        interval,
        oneOf(PointModel.Function.values()),
        hosts,
        oneOf(PointModel.Grouping.values()),
        random.nextInt(4) == 0 ? random.nextInt(1100) : -1);
  }

  private <T> T oneOf(T[] all) {
    return List.of(all).get(random.nextInt(all.length));
  }

  private ObjectNode query(PointModel.Question question) {
    ObjectNode query = json.createObjectNode();
    query.put("start", question.startS() * 1000).put("end", question.endS() * 1000 + 500);
    ObjectNode part = query.putArray("queries").addObject().put("metric", METRIC);
    part.put("aggregator", question.aggregator().id());
    if (question.interval() != 0) {
      String interval = question.interval() < 0 ? "0all" : question.interval() + "s";
      part.put("downsample", interval + "-" + question.function().id());
    }
    if (question.above() >= 0) {
      part.put("valueFilter", ">" + question.above());
    }
    ArrayNode filters = part.putArray("filters");
    if (question.hosts().size() <= HOSTS) {
      List<String> names = question.hosts().stream().map(host -> "h" + host).toList();
      ObjectNode filter = filters.addObject().put("type", "literal_or").put("tagk", "host");
      filter.put("filter", String.join("|", names)).put("groupBy", false);
    }
    if (question.grouping() != PointModel.Grouping.ALL) {
      ObjectNode filter = filters.addObject().put("type", "wildcard").put("filter", "*");
      filter.put("tagk", question.grouping().tag()).put("groupBy", true);
    }
    return query;
  }

  private SortedMap<String, SortedMap<Long, Double>> answer(
      PointModel.Question question, ObjectNode query) throws Exception {
    SortedMap<String, SortedMap<Long, Double>> found = new TreeMap<>();
    for (JsonNode series : tsd.query(query)) {
      SortedMap<Long, Double> points = new TreeMap<>();
      for (Map.Entry<String, JsonNode> point : series.get("dps").properties()) {
        points.put(Long.valueOf(point.getKey()), point.getValue().asDouble());
      }
      String name =
          question.tag().isEmpty() ? "" : series.get("tags").path(question.tag()).asText();
      // OpenTSDB also names series that have points only in the hours around the query.
      if (!points.isEmpty()) {
        assertEquals(null, found.put(name, points), query.toString());
      }
    }
    return found;
  }

  /** Sums of doubles are added in another order. */
  private static boolean isSame(
      SortedMap<String, SortedMap<Long, Double>> expected,
      SortedMap<String, SortedMap<Long, Double>> found) {
    if (!expected.keySet().equals(found.keySet())) {
      return false;
    }
    for (String name : expected.keySet()) {
      SortedMap<Long, Double> left = expected.getOrDefault(name, new TreeMap<>());
      SortedMap<Long, Double> right = found.getOrDefault(name, new TreeMap<>());
      if (!left.keySet().equals(right.keySet())
          || left.keySet().stream()
              .anyMatch(
                  time ->
                      Math.abs(left.getOrDefault(time, 0.) - right.getOrDefault(time, 0.))
                          > 1e-9 * Math.abs(left.getOrDefault(time, 0.)))) {
        return false;
      }
    }
    return true;
  }

  private String run(String options) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    List<String> words = new ArrayList<>(List.of(options.split(" ", -1)));
    words.addAll(List.of("--dir", server.store().root().toString()));
    int code =
        Packhorse.commandLine().setOut(writer).setErr(writer).execute(words.toArray(String[]::new));
    assertEquals(ExitCode.OK.code(), code, options + "\n" + said);
    return said.toString();
  }

  private long summariesUsed() throws Exception {
    return tsd.statistic("tsd.query.summaries", "result", "used");
  }
}
