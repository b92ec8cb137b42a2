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
import io.packhorse.schema.table.StoreTables;
import java.io.PrintWriter;
import java.io.StringWriter;
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
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is exported is what a query answers, over rows of every kind. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ExportIT {
  private static final long START_S = MixedRows.START_S;

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
    MixedRows rows = new MixedRows(server, new SplittableRandom(35));
    load("--sink", "puts", lines(rows, metric, 0, 6));
    load("--sink", "hfiles", lines(rows, metric, 3, 8));
    load("--sink", "puts", "--cells", "compacted", lines(rows, metric, 5, 9));
    long annotations = rows.addPlainColumns(metric);
    Path first = folder.resolve("first");
    JsonNode result = run(ExitCode.OK, "export", "--metric", metric, "--out", first).result();
    List<String> exported = linesOf(first);
    assertEquals(
        answers(START_S * 1000, (START_S + MixedRows.HOURS * 3600) * 1000, metric),
        parsed(exported));
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
    // Three processes export what one does, each in a directory of its own.
    List<String> ofShards = new ArrayList<>();
    for (String shard : List.of("1/3", "2/3", "3/3")) {
      Path out = folder.resolve("shard" + shard.charAt(0));
      run(
          ExitCode.OK,
          "export",
          "--metric",
          metric,
          "--from",
          Long.toString(START_S),
          "--to",
          Long.toString(START_S + MixedRows.HOURS * 3600),
          "--shard",
          shard,
          "--out",
          out);
      assertFalse(linesOf(out).isEmpty(), shard);
      ofShards.addAll(linesOf(out));
    }
    assertEquals(exported, ofShards.stream().sorted().toList());
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
      List<byte[]> rows = MixedRows.rows(cluster, metric);
      Result second = table.get(new Get(rows.get(1)));
      Cell cell = second.rawCells()[0];
      byte[] value = CellUtil.cloneValue(cell);
      byte[] third = rows.get(2);
      try {
        table.put(
            new Put(rows.get(1))
                .addColumn(
                    MixedRows.PACKED,
                    CellUtil.cloneQualifier(cell),
                    cell.getTimestamp(),
                    Arrays.copyOf(value, value.length / 2)));
        // A compacted column whose value ends too early, beside the packed cell of the hour.
        table.put(
            new Put(third).addColumn(MixedRows.POINTS, new byte[] {0, 0, 0, 0x10}, new byte[1]));
        table.put(new Put(third).addColumn(MixedRows.POINTS, new byte[] {9, 9, 9}, new byte[1]));
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
    load(
        "--sink",
        "puts",
        lines(new MixedRows(server, new SplittableRandom(7)), metric, 0, MixedRows.HOSTS));
    for (String format : List.of("opentsdb", "parquet")) {
      Path out = folder.resolve(format + ".stopped");
      run(ExitCode.OK, "export", "--metric", metric, "--format", format, "--out", out);
      Map<String, byte[]> whole = contents(out);
      assertTrue(whole.size() > 1, whole.toString());
      Path done = out.resolve(".packhorse-export").resolve("done");
      String kept = whole.keySet().iterator().next();
      String part = Integer.toString(Integer.parseInt(kept.substring(5, 10)));
      assertTrue(
          Files.readAllLines(done).stream().anyMatch(line -> line.startsWith(part + " ")),
          done.toString());
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
      assertTrue(ended.err().contains("1 of 4 parts exported before"), ended.err());
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

  private Path lines(MixedRows rows, String metric, int from, int to) throws Exception {
    return write("lines" + from + ".txt", rows.lines(metric, from, to));
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
