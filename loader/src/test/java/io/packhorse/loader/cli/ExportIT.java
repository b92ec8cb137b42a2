package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    ended = runText(ExitCode.USAGE, "export", "--format", "csv-wide", "--out", folder + "/w");
    assertTrue(ended.err().contains("add --metric NAME"), ended.err());
    ended = runText(ExitCode.USAGE, "export", "--format", "csv", "--integers", "--out", out);
    assertTrue(ended.err().contains("--integers is for --format parquet"), ended.err());
    ended = runText(ExitCode.USAGE, "export", "--hive");
    assertTrue(ended.err().contains("--hive makes folders: add --out DIR"), ended.err());
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

  /** A row a time and a column a series: the points are those of import lines. */
  @Test
  void wideTablesHaveEveryPoint() throws Exception {
    String metric = "it.export.wide";
    MixedRows rows = new MixedRows(server, new SplittableRandom(11));
    load("--sink", "puts", lines(rows, metric, 0, 6));
    rows.addPlainColumns(metric);
    String other = metric + ".other";
    long nextDay = START_S + 86_400;
    load(
        write(
            "other.txt",
            List.of(other + " " + START_S + " 1 host=h1", other + " " + nextDay + " 2.5 host=h1")));
    Path lines = folder.resolve("narrow");
    Path wide = folder.resolve("wide");
    String[] wanted = {"export", "--metric", metric, "--metric", other, "--out"};
    runAll(ExitCode.OK, wanted, lines);
    JsonNode result = runAll(ExitCode.OK, wanted, wide, "--format", "csv-wide").result();
    assertEquals(List.of("part-00000.csv", "part-00001.csv"), List.copyOf(contents(wide).keySet()));
    List<String> points = new ArrayList<>();
    for (String file : contents(wide).keySet()) {
      points.addAll(pointsOfWide(Files.readAllLines(wide.resolve(file))));
    }
    assertEquals(
        linesOf(lines).stream().map(ExportIT::inMilliseconds).sorted().toList(),
        points.stream().sorted().toList());
    assertEquals(points.size(), result.get("points").asLong());
    assertEquals(
        "time," + other + "{host=h1}", headerOf(wide, other), "one column of one series, unquoted");

    // A resumed export has the columns of the stopped one; if series were added, it is refused.
    Map<String, byte[]> whole = contents(wide);
    Files.delete(wide.resolve("part-00001.csv"));
    Files.writeString(wide.resolve("part-00001.csv.partial"), "cut");
    Path done = wide.resolve(".packhorse-export").resolve("done");
    Files.write(
        done, Files.readAllLines(done).stream().filter(line -> line.startsWith("0 ")).toList());
    runAll(ExitCode.OK, wanted, wide, "--format", "csv-wide", "--resume");
    assertEquals(whole.keySet(), contents(wide).keySet());
    assertArrayEquals(whole.get("part-00001.csv"), contents(wide).get("part-00001.csv"));
    load(write("new.txt", List.of(other + " " + START_S + " 1 host=new")));
    Ended ended =
        runText(
            ExitCode.PREFLIGHT,
            "export",
            "--metric",
            metric,
            "--metric",
            other,
            "--out",
            wide,
            "--format",
            "csv-wide",
            "--resume");
    assertTrue(ended.err().contains("other series are stored now"), ended.err());
  }

  /** More points in an hour than a wide export holds at a time. */
  @Test
  void aWideHourLargerThanMemoryIsWhole() throws Exception {
    String metric = "it.export.wide.large";
    int sensors = 600;
    run(
        ExitCode.OK,
        "loadtest",
        "fill",
        "--metric",
        metric,
        "--sensors",
        sensors,
        "--span",
        "1h",
        "--sink",
        "hfiles");
    Path wide = folder.resolve("large");
    JsonNode result =
        run(ExitCode.OK, "export", "--metric", metric, "--format", "csv-wide", "--out", wide)
            .result();
    assertEquals(sensors * 3600, result.get("points").asInt(), result.toString());
    assertEquals(sensors, result.get("rows").asInt(), result.toString());
    Path narrow = folder.resolve("large.narrow");
    run(ExitCode.OK, "export", "--metric", metric, "--out", narrow);
    List<String> lines = Files.readAllLines(wide.resolve("part-00000.csv"));
    assertEquals(3601, lines.size());
    assertEquals(
        linesOf(narrow).stream().map(ExportIT::inMilliseconds).sorted().toList(),
        pointsOfWide(lines).stream().sorted().toList());
  }

  @Test
  void foldersByMetricAndDayAreLoadedAgain() throws Exception {
    String metric = "it.export/hive";
    MixedRows rows = new MixedRows(server, new SplittableRandom(12));
    load("--sink", "puts", lines(rows, metric, 0, 3));
    load(write("later.txt", List.of(metric + " " + (START_S + 86_400) + " 7 host=h1")));
    Path plain = folder.resolve("plain");
    run(ExitCode.OK, "export", "--metric", metric, "--out", plain);
    for (String format : List.of("opentsdb", "csv", "parquet")) {
      Path out = folder.resolve("hive." + format);
      run(ExitCode.OK, "export", "--metric", metric, "--hive", "--format", format, "--out", out);
      try (Stream<Path> days = Files.list(out.resolve("metric=it.export%2Fhive"))) {
        assertEquals(
            List.of("day=2024-01-01", "day=2024-01-02"),
            days.map(day -> day.getFileName().toString()).sorted().toList());
      }
      String renamed = "it.export.hive." + format;
      // Tables have the metric in the folder's name alone, and are loaded one metric at a time.
      String from = format.equals("opentsdb") ? metric : "value";
      load(
          "--allow-duplicate-input",
          "--rename-metric",
          from + "=" + renamed,
          "--drop-tag",
          "metric",
          out);
      Path again = folder.resolve("hive.again." + format);
      run(ExitCode.OK, "export", "--metric", renamed, "--out", again);
      List<String> back = linesOf(again).stream().map(l -> l.replace(renamed, metric)).toList();
      assertEquals(parsed(linesOf(plain)), parsed(back), format);
    }
  }

  /** What was exported is deleted and loaded again: the files of the next export are the same. */
  @Test
  void anExportOfALoadedExportIsTheSameBytes() throws Exception {
    String metric = "it.export.bytes";
    MixedRows rows = new MixedRows(server, new SplittableRandom(13));
    load("--sink", "puts", lines(rows, metric, 0, 6));
    load("--sink", "puts", "--cells", "compacted", lines(rows, metric, 3, MixedRows.HOSTS));
    rows.addPlainColumns(metric);
    Map<String, Map<String, byte[]>> first = exports(metric, "first");
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.DATA))) {
      for (byte[] row : MixedRows.rows(cluster, metric)) {
        table.delete(new org.apache.hadoop.hbase.client.Delete(row));
      }
    }
    Path none = folder.resolve("none");
    assertEquals(
        0,
        run(ExitCode.OK, "export", "--metric", metric, "--out", none)
            .result()
            .get("points")
            .asLong());
    load(folder.resolve("first.opentsdb") + "/*");
    Map<String, Map<String, byte[]>> second = exports(metric, "second");
    for (Map.Entry<String, Map<String, byte[]>> format : first.entrySet()) {
      Map<String, byte[]> again = second.getOrDefault(format.getKey(), Map.of());
      assertEquals(format.getValue().keySet(), again.keySet(), format.getKey());
      format.getValue().forEach((name, bytes) -> assertArrayEquals(bytes, again.get(name), name));
    }
  }

  private Map<String, Map<String, byte[]>> exports(String metric, String name) throws Exception {
    Map<String, Map<String, byte[]>> exports = new TreeMap<>();
    for (String format : List.of("opentsdb", "jsonl", "line", "csv", "csv-wide", "parquet")) {
      Path out = folder.resolve(name + "." + format);
      run(ExitCode.OK, "export", "--metric", metric, "--format", format, "--out", out);
      exports.put(format, contents(out));
      assertFalse(exports.get(format).isEmpty(), format);
    }
    return exports;
  }

  /** With a Python that has DuckDB and pandas: {@code pip install duckdb pandas pyarrow}. */
  @Test
  void duckDbAndPandasReadTheSums() throws Exception {
    String python = System.getenv().getOrDefault("PACKHORSE_PYTHON", "python3");
    assumeTrue(
        runs(python, "-c", "import duckdb, pandas, pyarrow").isPresent(),
        "no DuckDB and pandas: pip install duckdb pandas pyarrow, and name its python in"
            + " PACKHORSE_PYTHON");
    String metric = "it.export.sums";
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      lines.add(metric + " " + (START_S + i * 10L) + " " + i % 1000 + " host=h" + i % 7);
    }
    load(write("sums.txt", lines));
    String[] wanted = {"export", "--metric", metric, "--out"};
    runAll(ExitCode.OK, wanted, folder.resolve("p"), "--format", "parquet");
    runAll(ExitCode.OK, wanted, folder.resolve("i"), "--format", "parquet", "--integers");
    runAll(ExitCode.OK, wanted, folder.resolve("h"), "--format", "parquet", "--hive");
    runAll(ExitCode.OK, wanted, folder.resolve("c"), "--format", "csv");
    runAll(ExitCode.OK, wanted, folder.resolve("w"), "--format", "csv-wide");
    Path script =
        Files.writeString(
            folder.resolve("sums.py"),
            """
            import duckdb, glob, os, sys
            import pandas as pd
            os.chdir(sys.argv[1])
            def ask(sql): print(*(int(x) if isinstance(x, float) else x for x in duckdb.sql(sql).fetchall()[0]))
            ask("select count(*), sum(value), sum(epoch_ms(time)), count(distinct host) from 'p/*.parquet'")
            ask("select count(*), sum(value), sum(epoch_ms(time)), typeof(any_value(value)) from 'i/*.parquet'")
            ask("select count(*), sum(value), count(distinct day), any_value(metric)"
                " from read_parquet('h/*/*/*.parquet', hive_partitioning=true)")
            ask("select count(*), sum(value), sum(time) from 'c/*.csv'")
            long = pd.read_parquet('p')
            print(len(long), int(long.value.sum()), long.value.dtype, long.host.nunique())
            whole = pd.read_parquet('i')
            print(len(whole), whole.value.sum(), whole.value.dtype)
            days = pd.read_parquet('h')
            print(len(days), int(days.value.sum()), days.day.nunique())
            wide = pd.concat(pd.read_csv(f, index_col='time') for f in sorted(glob.glob('w/*.csv')))
            wide.index = pd.to_datetime(wide.index, unit='ms')
            print(wide.shape[0], wide.shape[1], int(wide.sum().sum()), wide.index.is_monotonic_increasing)
            """);
    long sum = lines.stream().mapToLong(line -> Long.parseLong(line.split(" ", -1)[2])).sum();
    long times = lines.stream().mapToLong(line -> seconds(line) + START_S).sum() * 1000;
    String all = 30_000 + " " + sum;
    assertEquals(
        List.of(
            all + " " + times + " 7",
            all + " " + times + " BIGINT",
            all + " 4 " + metric,
            all + " " + times,
            all + " float64 7",
            all + " int64",
            all + " 4",
            "30000 7 " + sum + " True"),
        runs(python, script.toString(), folder.toString()).orElseThrow().lines().toList());
  }

  /** What a program printed; empty if it is not there or failed. */
  private Optional<String> runs(String... command) throws Exception {
    Path output = folder.resolve("output");
    try {
      int code =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      if (code != 0) {
        System.out.println(Files.readString(output));
      }
      return code == 0 ? Optional.of(Files.readString(output)) : Optional.empty();
    } catch (IOException notInstalled) {
      return Optional.empty();
    }
  }

  private Ended runAll(ExitCode expected, String[] first, Object... more) {
    List<Object> all = new ArrayList<>(List.of((Object[]) first));
    all.addAll(List.of(more));
    return run(expected, all.toArray());
  }

  private static String headerOf(Path wide, String metric) throws Exception {
    String header = Files.readAllLines(wide.resolve("part-00000.csv")).get(0);
    List<String> columns = new ArrayList<>(List.of("time"));
    for (String column : header.split(",(?=it)", -1)) {
      if (column.startsWith(metric)) {
        columns.add(column);
      }
    }
    return String.join(",", columns);
  }

  /** Import lines with times in milliseconds. */
  private static List<String> pointsOfWide(List<String> lines) {
    List<String> titles = new ArrayList<>();
    for (String column : lines.get(0).split(",(?=it|\"it)", -1)) {
      titles.add(column.replace("\"", "").replace("{", " ").replace("}", "").replace(", ", " "));
    }
    List<String> points = new ArrayList<>();
    String last = "";
    for (String line : lines.subList(1, lines.size())) {
      String[] values = line.split(",", -1);
      assertEquals(titles.size(), values.length, line);
      assertTrue(last.compareTo(values[0]) < 0, "rows rise: " + values[0]);
      last = values[0];
      for (int i = 1; i < values.length; i++) {
        if (!values[i].isEmpty()) {
          String[] title = titles.get(i).split(" ", 2);
          points.add(title[0] + " " + values[0] + " " + values[i] + " " + title[1]);
        }
      }
    }
    return points;
  }

  private static String inMilliseconds(String line) {
    String[] words = line.split(" ", 4);
    long time = Long.parseLong(words[1]);
    return words[0]
        + " "
        + (time < 1L << 32 ? time * 1000 : time)
        + " "
        + words[2]
        + " "
        + words[3];
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
