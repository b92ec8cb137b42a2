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
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.table.StoreTables;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows of few series are read by their keys, and answers are those of a scan. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class DirectedReadIT {
  private static final long START_S = 1_704_067_200;
  private static final int HOURS = 5;
  private static final int HOSTS = 120;
  private static final int QUERIES = 150;
  private static final byte[] FAMILY = Bytes.toBytes(StoreTables.JOB_FAMILY);
  private static final byte[] WHOLE = Bytes.toBytes(SeriesIndexRow.WHOLE);

  private final ObjectMapper json = new ObjectMapper();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private EmbeddedServer server;
  private TsdRequests tsd;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedStoreFixture.shared();
    tsd = new TsdRequests(server.tsdUrl());
  }

  @Test
  void answersAreThoseOfScans() throws Exception {
    load("puts", lines("it.directed", 0, HOSTS / 2));
    load("hfiles", lines("it.directed", HOSTS / 2, HOSTS));
    load("puts", lines("it.directed", 10, 20));
    putLive("it.directed");

    List<ObjectNode> queries = new ArrayList<>();
    Random random = new Random(31);
    for (int i = 0; i < QUERIES; i++) {
      queries.add(query(random));
    }
    List<JsonNode> answers = new ArrayList<>();
    long before = readByKeys();
    for (ObjectNode query : queries) {
      answers.add(tsd.query(query));
    }
    assertTrue(readByKeys() - before > QUERIES / 2, "queries read by keys");
    removeMark();
    try {
      before = readByKeys();
      for (int i = 0; i < QUERIES; i++) {
        assertEquals(tsd.query(queries.get(i)), answers.get(i), queries.get(i).toString());
      }
      assertEquals(before, readByKeys(), "without the mark all queries scan");
      assertTrue(doctor().contains("series that are in no index"));
    } finally {
      setMark();
    }
    assertTrue(doctor().contains("the series index has all series"));
  }

  /** A series is found by the first query after the load has ended, in a metric known before. */
  @Test
  void newSeriesAreFoundAtOnce() throws Exception {
    load("puts", lines("it.directed.new", 0, 60));
    long before = readByKeys();
    assertEquals(1, tsd.query(host("it.directed.new", "h3")).size());
    for (int host = 60; host < 70; host++) {
      load(host % 2 == 0 ? "puts" : "hfiles", lines("it.directed.new", host, host + 1));
      JsonNode answer = tsd.query(host("it.directed.new", "h" + host));
      assertEquals(1, answer.size(), "h" + host);
    }
    assertEquals(11, readByKeys() - before);

    ObjectNode named = host("it.directed.new", "h7").put("showTSUIDs", true);
    JsonNode byFilter = tsd.query(named);
    ObjectNode part = (ObjectNode) named.get("queries").get(0);
    part.remove(List.of("metric", "filters"));
    part.set("tsuids", byFilter.get(0).get("tsuids"));
    assertEquals(byFilter, tsd.query(named));
    assertEquals(13, readByKeys() - before);
  }

  /** More series than rows are fetched in one call. */
  @Test
  void lastPointsOfAllSeriesAreFound() throws Exception {
    load("puts", lines("it.directed.last", 0, HOSTS));
    ObjectNode asked = json.createObjectNode().put("resolveNames", true);
    asked.putArray("queries").addObject().put("metric", "it.directed.last");
    Set<String> hosts = new HashSet<>();
    long last = START_S + HOURS * 3600L - 600;
    for (JsonNode point : tsd.post("/api/query/last", asked)) {
      assertTrue(hosts.add(point.at("/tags/host").asText()), point.toString());
      assertEquals(last * 1000, point.get("timestamp").asLong(), point.toString());
      assertEquals("" + last % 997, point.get("value").asText(), point.toString());
    }
    assertEquals(HOSTS, hosts.size());
  }

  private ObjectNode host(String metric, String host) {
    ObjectNode filter = json.createObjectNode();
    filter.put("type", "literal_or").put("tagk", "host").put("filter", host);
    ObjectNode query = json.createObjectNode();
    query.put("start", START_S).put("end", START_S + HOURS * 3600);
    ObjectNode part = query.putArray("queries").addObject();
    part.put("metric", metric).put("aggregator", "sum");
    part.putArray("filters").add(filter.put("groupBy", false));
    return query;
  }

  private ObjectNode query(Random random) {
    ObjectNode query = json.createObjectNode();
    long from = START_S + random.nextInt(HOURS * 3600);
    query.put("start", from).put("end", from + 1 + random.nextInt(HOURS * 3600));
    ObjectNode part = query.putArray("queries").addObject();
    part.put("metric", "it.directed");
    part.put("aggregator", List.of("sum", "none", "max").get(random.nextInt(3)));
    if (random.nextInt(3) == 0) {
      part.put("downsample", List.of("10m-avg", "1h-sum", "0all-max").get(random.nextInt(3)));
    }
    part.put("explicitTags", random.nextInt(4) == 0);
    ArrayNode filters = part.putArray("filters");
    filters.add(hosts(random));
    if (random.nextBoolean()) {
      ObjectNode rack =
          filters.addObject().put("tagk", "rack").put("groupBy", random.nextBoolean());
      switch (random.nextInt(4)) {
        case 0 -> rack.put("type", "iliteral_or").put("filter", "R0|r3");
        case 1 -> rack.put("type", "wildcard").put("filter", "*");
        case 2 -> rack.put("type", "literal_or").put("filter", "r1|r2");
        default -> rack.put("type", "not_literal_or").put("filter", "r0");
      }
    }
    return query;
  }

  private ObjectNode hosts(Random random) {
    ObjectNode filter = json.createObjectNode().put("tagk", "host");
    filter.put("groupBy", random.nextBoolean());
    StringBuilder hosts = new StringBuilder("h" + random.nextInt(HOSTS));
    for (int more = random.nextInt(5); more > 0; more--) {
      hosts.append("|h").append(random.nextInt(HOSTS));
    }
    return switch (random.nextInt(8)) {
      case 0 -> filter.put("type", "regexp").put("filter", "h1[0-3]");
      case 1 -> filter.put("type", "literal_or").put("filter", "live|h5");
      case 2 -> filter.put("type", "literal_or").put("filter", "live");
      default -> filter.put("type", "literal_or").put("filter", hosts.toString());
    };
  }

  /** Ten minutes between points; every third host also has a rack. */
  private Path lines(String metric, int from, int to) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (long time = START_S; time < START_S + HOURS * 3600; time += 600) {
      for (int host = from; host < to; host++) {
        lines.append(
            "%s %d %d host=h%d dc=d%d".formatted(metric, time, time % 997, host, host % 4));
        lines.append(host % 3 == 0 ? " rack=r" + host % 5 + "\n" : "\n");
      }
    }
    Path file = Files.createTempFile(folder, "lines", ".txt");
    return Files.writeString(file, lines);
  }

  private void load(String sink, Path file) {
    run("load --dir %s --sink %s %s".formatted(server.store().root(), sink, file));
  }

  private String doctor() {
    return run("doctor --dir " + server.store().root());
  }

  private static String run(String options) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = Packhorse.commandLine().setOut(writer).setErr(writer).execute(options.split(" "));
    assertEquals(ExitCode.OK.code(), code, said.toString());
    return said.toString();
  }

  /** Points of a series that no loader knows, and of some that have packed cells too. */
  private void putLive(String metric) throws Exception {
    ArrayNode points = json.createArrayNode();
    for (String host : List.of("live", "h5", "h6", "h90")) {
      for (int minute = 0; minute < 120; minute += 7) {
        ObjectNode point = points.addObject().put("metric", metric);
        point.put("timestamp", START_S + 60L * minute).put("value", minute);
        point.putObject("tags").put("host", host).put("dc", "d" + (host.equals("h5") ? 1 : 2));
      }
    }
    tsd.post("/api/put?sync&details", points);
  }

  private long readByKeys() throws Exception {
    return tsd.statistic("tsd.query.series_index", "read", "keys");
  }

  private void removeMark() throws Exception {
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.JOBS))) {
      table.delete(new Delete(SeriesIndexRow.whole(StoreTables.DATA)).addColumns(FAMILY, WHOLE));
    }
  }

  private void setMark() throws Exception {
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.JOBS))) {
      table.put(
          new Put(SeriesIndexRow.whole(StoreTables.DATA)).addColumn(FAMILY, WHOLE, new byte[] {1}));
    }
  }
}
