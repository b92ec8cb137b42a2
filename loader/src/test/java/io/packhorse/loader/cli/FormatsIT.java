package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.source.parquet.ParquetRows;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.TsdKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same points in every format, through the command line and back through the TSD. */
@Timeout(600)
final class FormatsIT {
  private static final long START_MS = 1_704_067_200_000L;
  private static final int POINTS = 5000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private StoreDirectory store;

  private final NavigableMap<Long, Double> expected = new TreeMap<>();

  @BeforeEach
  void openStore() throws Exception {
    store = StoreDirectory.open(folder.resolve("store"));
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < POINTS; i++) {
      double value = random.nextBoolean() ? random.nextInt() : random.nextDouble() * 1e6 - 5e5;
      expected.put(START_MS + i * 1500L, value);
    }
  }

  @AfterEach
  void stopStore() throws Exception {
    EmbeddedServer.stop(store);
  }

  private interface Writer {
    String line(long millis, String value);
  }

  @Test
  void everyFormatComesBackThroughTheTsd() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    Map<String, Writer> writers = new LinkedHashMap<>();
    writers.put("opentsdb", (time, value) -> "f.opentsdb " + time + " " + value + " host=a\n");
    writers.put("line", (time, value) -> "f,host=a line=" + value + " " + time + "000000\n");
    writers.put(
        "openmetrics", (time, value) -> "f.openmetrics{host=\"a\"} " + value + " " + time + "\n");
    writers.put(
        "jsonl",
        (time, value) ->
            "{\"metric\":\"f.jsonl\",\"timestamp\":%d,\"value\":%s,\"tags\":{\"host\":\"a\"}}\n"
                .formatted(time, value));
    writers.put("csv", (time, value) -> Instant.ofEpochMilli(time) + ",a," + value + "\n");
    for (Map.Entry<String, Writer> each : writers.entrySet()) {
      StringBuilder text =
          new StringBuilder(each.getKey().equals("csv") ? "time,host,f.csv\n" : "");
      expected.forEach((time, value) -> text.append(each.getValue().line(time, written(value))));
      Path file = Files.writeString(folder.resolve(each.getKey()), text);
      load(file.toString());
      assertEquals(expected, answer(server, "none:f." + each.getKey()), each.getKey());
    }
    List<Map.Entry<Long, Double>> rows = List.copyOf(expected.entrySet());
    Path parquet =
        new ParquetRows(
                """
                required int64 at (TIMESTAMP(NANOS,true));
                required binary host (STRING);
                required double f.parquet;
                """)
            .write(
                folder.resolve("parquet"),
                POINTS,
                (row, i) ->
                    row.append("at", rows.get(i).getKey() * 1_000_000)
                        .append("host", "a")
                        .append("f.parquet", rows.get(i).getValue()));
    load(parquet.toString());
    assertEquals(expected, answer(server, "none:f.parquet"), "parquet");
    // A file that was loaded already is refused; this one is another by its last line.
    Path again = folder.resolve("again");
    Files.writeString(again, Files.readString(folder.resolve("csv")) + "\n");
    load("--format", "csv", "--rename-metric", "f.csv=f.again", again.toString());
    assertEquals(expected, answer(server, "none:f.again"), "renamed");
  }

  private static String written(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private Map<Long, Double> answer(EmbeddedServer server, String expression) throws Exception {
    TsdClient tsd = new TsdClient(server.tsd(TsdKind.PATCHED).orElseThrow().url());
    long end = expected.lastKey() + 1;
    List<TsdClient.Series> series = tsd.parse(tsd.raw(START_MS, end, expression));
    assertEquals(1, series.size(), expression);
    assertEquals(Map.of("host", "a"), series.get(0).tags());
    return series.get(0).points();
  }

  private void load(String... arguments) {
    List<String> all = new ArrayList<>(List.of("load", "--json"));
    all.addAll(List.of("--dir", store.root().toString()));
    all.addAll(List.of("--rejects", folder.resolve("rejects.tsv").toString()));
    all.addAll(List.of(arguments));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    assertEquals(ExitCode.OK.code(), code, () -> "" + out + err);
  }
}
