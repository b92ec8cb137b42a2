package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.cell.Qualifier;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.uid.UidRows;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is exported is what a query answers, over rows of every kind. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ExportIT {
  private static final long START_S = 1_704_067_200;
  private static final int HOURS = 12;
  private static final int HOSTS = 9;
  private static final byte[] POINTS = Bytes.toBytes(StoreTables.POINT_FAMILY);
  private static final byte[] PACKED = Bytes.toBytes(StoreTables.PACKED_FAMILY);

  /** Salt and metric UID before the base time in a row key of the embedded store. */
  private static final int TIME_AT = 4;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedServer server;

  private record Ended(String out, String err) {
    JsonNode result() throws Exception {
      return new ObjectMapper().readTree(out).get("result");
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedStoreFixture.shared();
  }

  @Test
  void itIsWhatAQueryAnswersAndCanBeLoadedAgain() throws Exception {
    String metric = "it.export.mixed";
    SplittableRandom random = new SplittableRandom(35);
    load("--sink", "puts", lines(metric, random, 0, 6));
    load("--sink", "hfiles", lines(metric, random, 3, 8));
    load("--sink", "puts", "--cells", "compacted", lines(metric, random, 5, 9));
    long annotations = addPlainColumns(metric, random);
    Path first = folder.resolve("first");
    JsonNode result = run(ExitCode.OK, "export", "--metric", metric, "--out", first).result();
    List<String> exported = linesOf(first);
    assertEquals(
        answers(START_S * 1000, (START_S + HOURS * 3600) * 1000, metric), parsed(exported));
    assertEquals(exported.size(), result.get("points").asLong());
    assertEquals(annotations, result.get("annotations").asLong());
    assertTrue(result.get("replaced").asLong() > 0, result.toString());
    assertEquals(0, result.get("broken").asLong(), result.toString());
    assertEquals(0, result.get("unknown_columns").asLong(), result.toString());
    assertTrue(result.get("bytes").asLong() > 0, result.toString());

    load("--rename-metric", metric + "=it.export.again", first + "/*");
    Path second = folder.resolve("second");
    run(ExitCode.OK, "export", "--metric", "it.export.again", "--out", second);
    assertEquals(exported, linesOf(second).stream().map(l -> l.replace("again", "mixed")).toList());

    for (String format : List.of("jsonl", "line", "csv", "parquet")) {
      Path inFormat = folder.resolve(format);
      run(ExitCode.OK, "export", "--metric", metric, "--format", format, "--out", inFormat);
      String renamed = "it.export." + format;
      load("--rename-metric", metric + "=" + renamed, inFormat + "/*");
      Path again = folder.resolve(format + ".again");
      run(ExitCode.OK, "export", "--metric", renamed, "--out", again);
      List<String> back = linesOf(again).stream().map(l -> l.replace(renamed, metric)).toList();
      if (format.equals("parquet")) {
        assertEquals(parsed(exported), parsed(back), format);
      } else {
        assertEquals(exported, back, format);
      }
    }

    // The same once more from packed cells alone, some series and a part of the time.
    Path part = folder.resolve("part");
    run(
        ExitCode.OK,
        "export",
        "--metric",
        "it.export.again",
        "--metric",
        metric,
        "--where",
        "host=h1|h2|h5",
        "--where",
        "rack=*",
        "--from",
        "2024-01-01T01:10:00.500Z",
        "--to",
        "2024-01-01T04:00",
        "--out",
        part);
    Map<String, Map<Long, Double>> expected = new TreeMap<>();
    for (String each : List.of("it.export.again", metric)) {
      expected.putAll(
          answers(
              START_S * 1000 + 4_200_500,
              START_S * 1000 + 4 * 3_600_000 - 1,
              each + "{host=literal_or(h1|h2|h5),rack=wildcard(*)}"));
    }
    assertEquals(expected, parsed(linesOf(part)));
    assertFalse(expected.isEmpty());
    assertFalse(expected.keySet().stream().anyMatch(series -> series.contains("h4")));
  }

  /** Two seconds in a thousand, of everything in the store. */
  @Test
  void allMetricsOfATimeAreExported() throws Exception {
    load(write("far.txt", List.of("it.export.a 1000000 1 k=v", "it.export.b 1000001 2.5 k=w")));
    Path out = folder.resolve("far");
    String to = "1000001";
    run(ExitCode.OK, "export", "--from", "1000000", "--to", to, "--out", out);
    assertEquals(List.of("it.export.a 1000000 1 k=v"), linesOf(out));
    Path none = folder.resolve("none");
    Ended ended = runText(ExitCode.OK, "export", "--from", "999", "--to", "1000", "--out", none);
    assertTrue(ended.out().contains("nothing stored has these"), ended.out());
  }

  @Test
  void brokenColumnsAreLeftOutAndListed() throws Exception {
    String metric = "it.export.broken";
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 4 * 3600; i += 60) {
      lines.add(metric + " " + (START_S + i) + " " + i + " host=a");
    }
    load(write("whole.txt", lines));
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.DATA))) {
      List<byte[]> rows = rows(cluster, metric);
      Result second = table.get(new Get(rows.get(1)));
      Cell cell = second.rawCells()[0];
      byte[] value = CellUtil.cloneValue(cell);
      byte[] third = rows.get(2);
      try {
        table.put(
            new Put(rows.get(1))
                .addColumn(
                    PACKED,
                    CellUtil.cloneQualifier(cell),
                    cell.getTimestamp(),
                    Arrays.copyOf(value, value.length / 2)));
        // A compacted column whose value ends too early, beside the packed cell of the hour.
        table.put(new Put(third).addColumn(POINTS, new byte[] {0, 0, 0, 0x10}, new byte[1]));
        table.put(new Put(third).addColumn(POINTS, new byte[] {9, 9, 9}, new byte[1]));
        Path out = folder.resolve("out");
        Path broken = folder.resolve("broken.tsv");
        Ended ended =
            run(ExitCode.REJECTS, "export", "--metric", metric, "--out", out, "--broken", broken);
        assertEquals(2, ended.result().get("broken").asLong(), ended.out());
        assertEquals(1, ended.result().get("unknown_columns").asLong(), ended.out());
        List<String> expected =
            lines.stream()
                .filter(line -> seconds(line) < 3600 || seconds(line) >= 7200)
                .sorted()
                .toList();
        assertEquals(expected, linesOf(out));
        List<String> listed = Files.readAllLines(broken);
        assertEquals(2, listed.size(), listed.toString());
        assertTrue(listed.get(0).startsWith(Bytes.toHex(rows.get(1)) + "\tp:a1"), listed.get(0));
        assertTrue(
            listed.get(1).startsWith(Bytes.toHex(third) + "\tt:00000010\tvalue ends too early"),
            listed.get(1));
      } finally {
        table.delete(new org.apache.hadoop.hbase.client.Delete(rows.get(1)));
        table.delete(new org.apache.hadoop.hbase.client.Delete(third));
      }
    }
  }

  @Test
  void mistakesAreToldBeforeAnythingIsRead() throws Exception {
    Path out = folder.resolve("no");
    Ended ended = runText(ExitCode.USAGE, "export", "--metric", "it.no.such", "--out", out);
    assertTrue(ended.err().contains("The store has no metric it.no.such"), ended.err());
    ended = runText(ExitCode.USAGE, "export", "--where", "host", "--out", out);
    assertTrue(ended.err().contains("'host' is no condition"), ended.err());
    ended = runText(ExitCode.USAGE, "export", "--format", "parquet");
    assertTrue(ended.err().contains("add --out DIR"), ended.err());
    ended = runText(ExitCode.USAGE, "export", "--json");
    assertTrue(ended.err().contains("add --out DIR"), ended.err());
    Files.writeString(folder.resolve("no").resolve("file"), "");
    ended = runText(ExitCode.PREFLIGHT, "export", "--out", out);
    assertTrue(ended.err().contains("is not empty: name a new directory"), ended.err());
    ended =
        runText(ExitCode.USAGE, "export", "--from", "5", "--to", "5", "--out", folder + "/other");
    assertTrue(ended.err().contains("--from must be before --to"), ended.err());
  }

  /** What a killed export leaves: parts without a record, with files that may be cut. */
  @Test
  void aStoppedExportGoesOn() throws Exception {
    String metric = "it.export.stopped";
    load("--sink", "puts", lines(metric, new SplittableRandom(7), 0, HOSTS));
    for (String format : List.of("opentsdb", "parquet")) {
      Path out = folder.resolve(format + ".stopped");
      run(ExitCode.OK, "export", "--metric", metric, "--format", format, "--out", out);
      Map<String, byte[]> whole = contents(out);
      assertTrue(whole.size() > 1, whole.toString());
      Path done = out.resolve(".packhorse-export").resolve("done");
      String kept = whole.keySet().iterator().next();
      String part = Integer.toString(Integer.parseInt(kept.substring(5, 10)));
      assertTrue(Files.readAllLines(done).contains(part), done.toString());
      Files.writeString(done, "\n" + part + "\n1");
      for (String name : whole.keySet()) {
        if (!name.startsWith(kept.substring(0, 10))) {
          Files.move(out.resolve(name), out.resolve(name + ".partial"));
        }
      }
      Files.write(out.resolve(kept), new byte[] {1, 2, 3});
      Ended ended =
          run(
              ExitCode.OK,
              "export",
              "--metric",
              metric,
              "--format",
              format,
              "--out",
              out,
              "--resume");
      assertTrue(ended.err().contains("1 of 4 regions exported before"), ended.err());
      Map<String, byte[]> after = contents(out);
      assertEquals(whole.keySet(), after.keySet());
      for (String name : whole.keySet()) {
        byte[] expected = name.equals(kept) ? new byte[] {1, 2, 3} : whole.get(name);
        assertArrayEquals(expected, after.get(name), name);
      }
      ended = runText(ExitCode.PREFLIGHT, "export", "--format", format, "--out", out, "--resume");
      assertTrue(ended.err().contains("Cannot resume: what was begun in " + out), ended.err());
    }
    Ended ended = runText(ExitCode.PREFLIGHT, "export", "--out", folder + "/none", "--resume");
    assertTrue(ended.err().contains("there is nothing to go on with"), ended.err());
  }

  private static Map<String, byte[]> contents(Path directory) throws Exception {
    Map<String, byte[]> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return contents;
  }

  private static long seconds(String line) {
    return Long.parseLong(line.split(" ", -1)[1]) - START_S;
  }

  /** Every kind of OpenTSDB's own columns, in rows with packed cells and without. */
  private long addPlainColumns(String metric, SplittableRandom random) throws Exception {
    long annotations = 0;
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.DATA))) {
      List<byte[]> rows = rows(cluster, metric);
      // Hours after those loaded have no packed cell.
      for (byte[] row : List.copyOf(rows)) {
        byte[] later = row.clone();
        long base = Bytes.toInt(row, TIME_AT) & 0xffff_ffffL;
        if (base < START_S + HOURS * 1800) {
          Bytes.putInt(later, TIME_AT, (int) (base + HOURS * 1800));
          rows.add(later);
        }
      }
      for (byte[] row : rows) {
        Put put = new Put(row);
        boolean loaded = (Bytes.toInt(row, TIME_AT) & 0xffff_ffffL) < START_S + HOURS * 1800;
        long stamp = System.currentTimeMillis() - 100_000;
        for (int i = random.nextInt(loaded ? 5 : 40); i >= 0; i--) {
          stamp += random.nextInt(1, 2000);
          addColumn(put, stamp, random);
        }
        // A time in two columns of one timestamp, as a live TSD stores them within a millisecond:
        // the first counts. Without a packed cell even OpenTSDB's choice is one of chance.
        if (!table.get(new Get(row).addFamily(PACKED)).isEmpty()) {
          byte[] seconds = new Qualifier(77_000, false, false, 1).toBytes();
          byte[] millis = new Qualifier(77_000, true, false, 1).toBytes();
          put.addColumn(POINTS, seconds, stamp + 1, new byte[] {1});
          put.addColumn(POINTS, millis, stamp + 1, new byte[] {2});
        }
        if (random.nextInt(3) == 0) {
          put.addColumn(
              POINTS,
              new byte[] {1, 0, 7},
              Bytes.toBytes("{\"startTime\":1,\"description\":\"a\"}"));
          annotations++;
        }
        table.put(put);
      }
    }
    return annotations;
  }

  private static void addColumn(Put put, long stamp, SplittableRandom random) {
    PointBlock points = new PointBlock();
    int offset = random.nextInt(500) * 1000;
    int count = random.nextInt(2, 30);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(4) == 0) {
        double value = random.nextBoolean() ? (float) random.nextDouble() : random.nextDouble();
        points.addDouble(offset, Double.doubleToRawLongBits(value));
      } else {
        points.addLong(offset, random.nextLong() >> random.nextInt(12, 64));
      }
      offset += random.nextInt(3) == 0 ? random.nextInt(1, 60_000) : 1000 * random.nextInt(1, 60);
    }
    switch (random.nextInt(6)) {
      case 0 -> {
        ByteWriter qualifier = new ByteWriter(0);
        ByteWriter value = new ByteWriter(0);
        CompactedCell.encode(points, qualifier, value);
        put.addColumn(POINTS, qualifier.toByteArray(), stamp, value.toByteArray());
      }
      case 1 -> put.addColumn(POINTS, new byte[] {5, 0, 0}, stamp, append(points, random));
      case 2 -> {
        // As old versions stored it: flags of eight bytes, a value of four; four zero bytes first.
        byte[] column = new Qualifier(offset / 1000 % 3600 * 1000, false, true, 4).toBytes();
        byte[] value = ByteBuffer.allocate(8).putInt(0).putFloat(0.5f).array();
        put.addColumn(POINTS, column, stamp, value);
        byte[] other = new Qualifier(random.nextInt(3600) * 1000, false, false, 8).toBytes();
        put.addColumn(POINTS, other, stamp, new byte[] {1, (byte) random.nextInt()});
      }
      default -> {
        for (int i = 0; i < Math.min(3, points.count()); i++) {
          boolean millis = points.offsetsMs()[i] % 1000 != 0 || random.nextBoolean();
          boolean isDouble = points.isDouble()[i];
          byte[] value = ByteBuffer.allocate(8).putLong(points.values()[i]).array();
          put.addColumn(
              POINTS,
              new Qualifier(points.offsetsMs()[i], millis, isDouble, 8).toBytes(),
              stamp,
              value);
        }
      }
    }
  }

  /** Points in the order of arrival, some twice. */
  private static byte[] append(PointBlock points, SplittableRandom random) {
    ByteBuffer value = ByteBuffer.allocate(points.count() * 24);
    for (int i = 0; i < points.count(); i++) {
      int at = random.nextInt(3) == 0 ? random.nextInt(points.count()) : i;
      boolean isDouble = points.isDouble()[at];
      long bits = points.values()[at] ^ (isDouble ? 0 : i);
      boolean narrow = isDouble && FloatBits.fits(bits);
      boolean millis = points.offsetsMs()[at] % 1000 != 0;
      value.put(new Qualifier(points.offsetsMs()[at], millis, isDouble, narrow ? 4 : 8).toBytes());
      if (narrow) {
        value.putInt(FloatBits.narrow(bits));
      } else {
        value.putLong(bits);
      }
    }
    return Arrays.copyOf(value.array(), value.position());
  }

  private static List<byte[]> rows(Cluster cluster, String metric) throws Exception {
    byte[] uid;
    try (Table names = cluster.connection().getTable(TableName.valueOf(StoreTables.UID))) {
      uid =
          names
              .get(new Get(UidRows.nameBytes(metric)))
              .getValue(Bytes.toBytes("id"), Bytes.toBytes("metrics"));
    }
    List<byte[]> rows = new ArrayList<>();
    try (Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.DATA));
        ResultScanner all = table.getScanner(new Scan())) {
      for (Result row : all) {
        byte[] key = row.getRow();
        if (key.length > TIME_AT && Arrays.equals(key, 1, TIME_AT, uid, 0, uid.length)) {
          rows.add(key);
        }
      }
    }
    return rows;
  }

  private Map<String, Map<Long, Double>> answers(long startMs, long endMs, String metric)
      throws Exception {
    TsdClient tsd = new TsdClient(server.tsd(TsdKind.PATCHED).orElseThrow().url());
    String name = metric.contains("{") ? metric.substring(0, metric.indexOf('{')) : metric;
    Map<String, Map<Long, Double>> answers = new TreeMap<>();
    for (TsdClient.Series series : tsd.parse(tsd.raw(startMs, endMs, "none:" + metric))) {
      answers.put(name + new TreeMap<>(series.tags()), new TreeMap<>(series.points()));
    }
    return answers;
  }

  private static Map<String, Map<Long, Double>> parsed(List<String> lines) {
    Map<String, Map<Long, Double>> points = new TreeMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      TreeMap<String, String> tags = new TreeMap<>();
      for (int i = 3; i < words.length; i++) {
        tags.put(words[i].split("=", -1)[0], words[i].split("=", -1)[1]);
      }
      long time = Long.parseLong(words[1]);
      Double before =
          points
              .computeIfAbsent(words[0] + tags, series -> new TreeMap<>())
              .put(time < 1L << 32 ? time * 1000 : time, Double.valueOf(words[2]));
      assertEquals(null, before, "exported once: " + line);
    }
    return points;
  }

  /** Hosts from one number to another, half of {@link #HOURS}; every third has a rack. */
  private Path lines(String metric, SplittableRandom random, int from, int to) throws Exception {
    List<String> lines = new ArrayList<>();
    for (long time = START_S * 1000; time < (START_S + HOURS * 1800) * 1000; time += 20_000) {
      for (int host = from; host < Math.min(to, HOSTS); host++) {
        if (random.nextInt(3) > 0) {
          String at =
              random.nextInt(9) == 0
                  ? Long.toString(time + random.nextInt(1, 999))
                  : Long.toString(time / 1000 + random.nextInt(19));
          String value =
              random.nextBoolean()
                  ? Integer.toString(random.nextInt(1000))
                  : Double.toString(random.nextInt(1000) / 10.0);
          lines.add(
              metric + " " + at + " " + value + " host=h" + host + (host % 3 > 0 ? " rack=r" : ""));
        }
      }
    }
    return write("lines" + from + ".txt", lines);
  }

  private Path write(String name, List<String> lines) throws Exception {
    return Files.write(folder.resolve(name), lines);
  }

  private static List<String> linesOf(Path directory) throws Exception {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertTrue(file.toString().endsWith(".txt"), file.toString());
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines.stream().sorted().toList();
  }

  private void load(Object... arguments) throws Exception {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.addAll(0, List.of("load", "--max-rejects", "0"));
    // Points of different loads meet on purpose; those of one load do by chance.
    runAny(List.of(ExitCode.OK, ExitCode.REPLACED), all);
  }

  private Ended run(ExitCode expected, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    return runAny(List.of(expected), all);
  }

  private Ended runText(ExitCode expected, Object... arguments) {
    return runAny(List.of(expected), List.of(arguments));
  }

  private Ended runAny(List<ExitCode> expected, List<Object> arguments) {
    List<String> all = new ArrayList<>(arguments.stream().map(Object::toString).toList());
    all.addAll(List.of("--dir", server.store().root().toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    assertTrue(
        expected.stream().anyMatch(each -> each.code() == code), () -> code + ": " + out + err);
    return new Ended(out.toString(), err.toString());
  }
}
