package io.packhorse.loader.source.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.opentsdb.ImportLines;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.table.TableOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextSourcePositionTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  /** Gives a few bytes a read, so that batches end anywhere. */
  private static final class Trickle extends ByteArrayInputStream {
    private final SplittableRandom random;

    Trickle(byte[] bytes, long seed) {
      super(bytes);
      random = new SplittableRandom(seed);
    }

    @Override
    public int read(byte[] into, int from, int length) {
      return super.read(into, from, Math.min(length, 1 + random.nextInt(400)));
    }
  }

  @Test
  void aSourceOpenedAtAPositionGivesTheRest() throws Exception {
    int positions = 0;
    for (long seed = 1; seed <= 40; seed++) {
      List<byte[]> files = files(new SplittableRandom(seed));
      List<String> all = new ArrayList<>();
      List<SourcePosition> places = new ArrayList<>();
      List<Integer> given = new ArrayList<>();
      List<Long> rejected = new ArrayList<>();
      Path rejectsFile = folder.resolve(seed + ".tsv");
      long rejects;
      try (Rejects into = new Rejects(rejectsFile);
          TextSource source = source(inputs(files, seed), into, SourcePosition.START)) {
        for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
          describe(batch, all);
          if (source.position().isPresent()) {
            places.add(source.position().get());
            given.add(all.size());
            rejected.add(into.total());
          }
        }
        places.add(source.position().orElseThrow());
        given.add(all.size());
        rejected.add(into.total());
        rejects = into.total();
      }
      List<String> rejectLines = Files.readAllLines(rejectsFile);
      for (int i = 0; i < places.size(); i += 2) {
        positions++;
        String with = "seed " + seed + ", " + places.get(i);
        List<String> rest = new ArrayList<>();
        Path restRejects = folder.resolve("rest.tsv");
        Files.deleteIfExists(restRejects);
        try (Rejects into = new Rejects(restRejects);
            TextSource source = source(inputs(files, seed + i), into, places.get(i))) {
          for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
            describe(batch, rest);
          }
          assertEquals(rejects, rejected.get(i) + into.total(), with);
        }
        assertEquals(all.subList(given.get(i), all.size()), rest, with);
        int from = Math.toIntExact(rejected.get(i));
        assertEquals(
            rejectLines.subList(from, rejectLines.size()),
            from == rejectLines.size() ? List.of() : Files.readAllLines(restRejects),
            with);
      }
    }
    assertTrue(positions > 200, "positions=" + positions);
  }

  @Test
  void threadsBesideEachOtherGiveTheSameOfLines() throws Exception {
    assertSameWithThreads(
        TextSourcePositionTest::largeFiles,
        names -> {
          ImportLines format = importLines(names);
          return head -> format;
        });
  }

  @Test
  void threadsBesideEachOtherGiveTheSameOfTables() throws Exception {
    TableMapping mapping =
        new TableMapping(
            ",",
            "\"",
            true,
            ".",
            List.of(),
            new TableMapping.Time("s", "UTC", Dst.REJECT),
            List.of(
                new Column("time", Role.TIME, null),
                new Column("host", Role.TAG, null),
                new Column("v", Role.VALUE, null),
                new Column("w", Role.VALUE, null)));
    SourceSpec spec = Reading.mapped(mapping);
    assertSameWithThreads(TextSourcePositionTest::largeTables, names -> new Formats(spec, names));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lines", "array", "aligned", "pretty"})
  void threadsBesideEachOtherGiveTheSameOfJson(String layout) throws Exception {
    assertSameWithThreads(
        random -> largeJson(random, layout), names -> new Formats(spec(Format.JSONL), names));
  }

  @Test
  void threadsBesideEachOtherGiveTheSameOfSamples() throws Exception {
    assertSameWithThreads(
        TextSourcePositionTest::largeSamples,
        names -> new Formats(spec(Format.OPENMETRICS), names));
  }

  @Test
  void annotatedTablesAreReadFromTheMiddleOn() throws Exception {
    assertSameWithThreads(
        TextSourcePositionTest::largeAnnotated,
        names -> new Formats(spec(Format.ANNOTATED_CSV), names));
  }

  @Test
  void answersOfQueriesAreReadFromTheMiddleOn() throws Exception {
    assertSameWithThreads(
        TextSourcePositionTest::largeAnswers, names -> new Formats(spec(Format.QUERY_JSON), names));
  }

  private static List<byte[]> largeAnnotated(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int row = 0; text.length() < 5_000_000; row++) {
      if (row % 3000 == 0) {
        boolean pivoted = random.nextBoolean();
        text.append("\n#group,false,false,false,")
            .append(pivoted ? "false,false,true,true\n" : "false,true,true,true\n")
            .append("#datatype,string,long,dateTime:RFC3339,double,")
            .append(
                pivoted ? "long,string,string\n#default,_result,,,,,,\n" : "string,string,string\n")
            .append(",result,table,_time,")
            .append(
                pivoted ? "load,procs,_measurement,host\n" : "_value,_field,_measurement,host\n");
      }
      text.append(",,").append(row / 3000).append(",2024-01-01T00:").append(10 + row / 60 % 50);
      text.append(':').append(10 + row % 50).append("Z,").append(row % 7).append(".5,");
      text.append(random.nextInt(2000) == 0 ? "x" : random.nextInt(9));
      text.append(",cpu,h").append(random.nextInt(4)).append('\n');
    }
    return List.of(text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static List<byte[]> largeAnswers(SplittableRandom random) {
    StringBuilder text = new StringBuilder("[");
    for (int series = 0; text.length() < 5_000_000; series++) {
      boolean arrays = random.nextBoolean();
      text.append(series == 0 ? "" : ",");
      text.append("{\"metric\":\"m\",\"tags\":{\"host\":\"h").append(series).append("\"},");
      text.append("\"aggregateTags\":[],\"dps\":").append(arrays ? '[' : '{');
      for (int i = 0; i < 20_000; i++) {
        long time = 1_700_000_000L + i;
        String value = random.nextInt(500) == 0 ? "\"x\"" : i % 3 == 0 ? "4" : i + ".25";
        text.append(i == 0 ? "" : ",");
        text.append(arrays ? "[" + time + "," + value + "]" : "\"" + time + "\":" + value);
      }
      text.append(arrays ? "]}" : "}}");
    }
    return List.of(text.append(']').toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static SourceSpec spec(Format format) {
    return new SourceSpec(
        Optional.of(format), Optional.empty(), SeriesRules.NONE, TableOptions.NONE);
  }

  private void assertSameWithThreads(
      Function<SplittableRandom, List<byte[]>> files, Function<SeriesNames, FormatChooser> formats)
      throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      for (long seed = 1; seed <= 3; seed++) {
        List<Input> inputs = new ArrayList<>();
        for (byte[] bytes : files.apply(new SplittableRandom(seed))) {
          inputs.add(
              new Input(
                  "file" + inputs.size(), bytes.length, () -> new ByteArrayInputStream(bytes)));
        }
        Path alone = folder.resolve("alone.tsv");
        List<String> expected =
            bySeries(
                read(
                    formats,
                    inputs,
                    alone,
                    SourcePosition.START,
                    TextSource.ParserPool.NONE,
                    (place, points) -> {}));
        for (int chunkBytes :
            seed > 1 ? List.of(Integer.MAX_VALUE) : List.of(Integer.MAX_VALUE, 5000)) {
          assertSame(
              formats,
              inputs,
              new TextSource.ParserPool(executor, 3, chunkBytes),
              bySeries(expected),
              alone,
              "seed " + seed + " chunkBytes=" + chunkBytes);
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void assertSame(
      Function<SeriesNames, FormatChooser> formats,
      List<Input> inputs,
      TextSource.ParserPool parsers,
      List<String> expected,
      Path rejects,
      String which)
      throws Exception {
    Path helped = folder.resolve("helped.tsv");
    List<SourcePosition> places = new ArrayList<>();
    List<Integer> given = new ArrayList<>();
    List<String> all =
        read(
            formats,
            inputs,
            helped,
            SourcePosition.START,
            parsers,
            (place, points) -> {
              places.add(place);
              given.add(points);
            });
    assertEquals(expected, bySeries(all), which);
    assertEquals(Files.readAllLines(rejects), Files.readAllLines(helped), which);
    assertTrue(places.size() > 3, "places=" + places.size());
    int middle = places.size() / 2;
    List<String> rest =
        read(formats, inputs, helped, places.get(middle), parsers, (place, points) -> {});
    assertEquals(
        bySeries(all.subList(given.get(middle), all.size())), bySeries(rest), "rest, " + which);
  }

  private interface AtEachBatch {
    void reached(SourcePosition place, int points);
  }

  private static List<String> read(
      Function<SeriesNames, FormatChooser> formats,
      List<Input> inputs,
      Path rejects,
      SourcePosition from,
      TextSource.ParserPool parsers,
      AtEachBatch each)
      throws Exception {
    Files.deleteIfExists(rejects);
    List<String> points = new ArrayList<>();
    try (Rejects into = new Rejects(rejects)) {
      SeriesNames names = new SeriesNames();
      try (TextSource source =
          new TextSource(
              inputs, formats.apply(names), new Points(SeriesRules.NONE, into), from, parsers)) {
        for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
          for (int run = 0; run < batch.runs(); run++) {
            for (int i = batch.start(run); i < batch.end(run); i++) {
              points.add(
                  names.get(batch.series(run))
                      + " "
                      + batch.timestampsMs()[i]
                      + " "
                      + batch.bits()[i]
                      + " "
                      + batch.isDouble()[i]);
            }
          }
          source.position().ifPresent(place -> each.reached(place, points.size()));
        }
      }
    }
    return points;
  }

  /** Those of each series in their own order. */
  private static List<String> bySeries(List<String> points) {
    return points.stream()
        .sorted(Comparator.comparing(point -> point.substring(0, point.indexOf('}'))))
        .toList();
  }

  /** Mostly in the order of series, as such files are, with all that may stand between. */
  private static List<byte[]> largeFiles(SplittableRandom random) {
    List<byte[]> files = new ArrayList<>();
    for (int file = 0; file < 2; file++) {
      StringBuilder text = new StringBuilder();
      for (int line = 0; text.length() < 3_000_000; line++) {
        int kind = random.nextInt(400);
        text.append(
            switch (kind) {
              case 0 -> "no point";
              case 1 -> "";
              case 2 -> "# remark";
              case 3 -> "x".repeat(line % 30 == 0 ? Rejects.RECORD_BYTES_MAX - 9 + line % 20 : 50);
              case 4 -> "y".repeat(line % 300 == 0 ? 1_500_000 : 20);
              case 5 -> "m\t1700000000  5   host=tab";
              case 6 -> "put m 1700000000 7 host=h" + random.nextInt(9);
              default ->
                  "metric "
                      + (1_700_000_000 + line / 50)
                      + (random.nextInt(50) == 0 ? ".123 " : " ")
                      + (kind < 40 ? random.nextInt(999) + ".5" : random.nextInt(1 << 27))
                      + " host=h"
                      + (kind < 50 ? random.nextInt(50) : line % 50);
            });
        text.append(kind == 60 ? "\r\n" : "\n");
      }
      files.add(text.toString().getBytes(StandardCharsets.US_ASCII));
    }
    return files;
  }

  /** Rows with all that may stand in quotes, and quotes where they should not be. */
  private static List<byte[]> largeTables(SplittableRandom random) {
    List<byte[]> files = new ArrayList<>();
    for (int file = 0; file < 2; file++) {
      StringBuilder text = new StringBuilder("time,host,note,v,w\n");
      while (text.length() < 3_000_000) {
        int kind = random.nextInt(20_000);
        String note =
            switch (kind < 10_000 ? kind % 4 : kind) {
              case 0 -> "\"two\r\nlines\"";
              case 1 -> "\"a \"\"word\"\", and\nmore\"";
              case 2 -> "\"\n" + "n".repeat(200) + "\"";
              case 3 -> "\"\"";
              case 10_000 -> "\"" + "long\n".repeat(Rejects.RECORD_BYTES_MAX / 5) + "\"";
              case 10_001 -> "n".repeat(Rejects.RECORD_BYTES_MAX - 40 + random.nextInt(40));
              case 10_002 -> random.nextInt(30) == 0 ? "n".repeat(1_500_000) : "";
              case 10_003 -> "\"" + "n\n".repeat(700) + "\"";
              case 10_008, 10_009 -> "in\rside";
              case 10_004, 10_005 -> "\"not closed";
              case 10_006, 10_007 -> "not \"quoted\"";
              default -> "";
            };
        int line = random.nextInt(100_000);
        text.append(1_700_000_000 + line).append(",h").append(line % 50).append(',').append(note);
        text.append(',').append(line % 997).append(',').append(kind == 300 ? "x" : "2.5");
        text.append(kind < 400 ? "\r\n" : "\n");
        text.append(kind == 500 ? "time,host,note,v,w\n" : kind == 501 ? "\n" : "");
      }
      files.add(text.toString().getBytes(StandardCharsets.US_ASCII));
    }
    return files;
  }

  /** Objects with all that may stand in a text; broken ones where a line end bounds the damage. */
  private static List<byte[]> largeJson(SplittableRandom random, String layout) {
    boolean lines = layout.equals("lines");
    boolean aligned = layout.equals("aligned");
    String gap = layout.equals("pretty") ? "\n  " : "";
    List<byte[]> files = new ArrayList<>();
    for (int file = 0; file < 2; file++) {
      StringBuilder text = new StringBuilder(lines ? "" : "[");
      for (int line = 0; text.length() < 3_000_000; line++) {
        int kind = random.nextInt(20_000);
        String object =
            ("{@\"metric\":\"m\",@\"timestamp\":%d,@\"value\":%s,@\"tags\":{@\"host\":\"h%d\"@},@"
                    + "\"note\":\"%%s\"@}")
                .formatted(
                    1_700_000_000 + line,
                    kind < 100 ? "null" : kind < 2_000 ? "0.5" : "" + random.nextInt(1 << 27),
                    line % 50)
                .replace("@", gap);
        String note =
            switch (aligned ? -1 : kind) {
              // With what stands between it and the next one so long that pieces end behind one.
              case -1 -> "n".repeat(127 + 2 - object.length());
              case 0, 1, 2, 3 -> "}{][,\\\"}";
              case 4 -> lines ? "n".repeat(Rejects.RECORD_BYTES_MAX) : "";
              case 5 -> lines ? "{" : "";
              case 6, 7 -> "n".repeat(Rejects.RECORD_BYTES_MAX - 200);
              default -> "";
            };
        object = object.formatted(note);
        int cut = lines && kind > 19_990 ? random.nextInt(object.length()) : object.length();
        text.append(object, 0, cut).append(lines ? "\n" : ",");
      }
      files.add(text.append(lines ? "" : "]").toString().getBytes(StandardCharsets.US_ASCII));
    }
    return files;
  }

  private static List<byte[]> largeSamples(SplittableRandom random) {
    List<byte[]> files = new ArrayList<>();
    for (int file = 0; file < 2; file++) {
      StringBuilder text = new StringBuilder("# TYPE requests counter\n");
      for (int line = 0; text.length() < 3_000_000; line++) {
        int kind = random.nextInt(20_000);
        text.append(
            switch (kind) {
              case 0 -> "# HELP requests " + "n".repeat(Rejects.RECORD_BYTES_MAX);
              case 1, 2 -> "";
              case 3, 4 -> "requests{host=\"not closed} 1 1700000000";
              case 5, 6 -> "requests{host=\"h\"} NaN 1700000000";
              default ->
                  "requests{host=\"h"
                      + line % 50
                      + "\"} "
                      + random.nextInt(1 << 27)
                      + (kind < 2_000 ? ".5 " : " ")
                      + (1_700_000_000 + line);
            });
        text.append('\n');
      }
      files.add(text.append("# EOF\n").toString().getBytes(StandardCharsets.US_ASCII));
    }
    return files;
  }

  private static ImportLines importLines(SeriesNames names) {
    SeriesReader reader = new SeriesReader(names, SeriesRules.NONE);
    return new ImportLines(reader, new EpochTime(TimestampUnit.OPENTSDB));
  }

  private static TextSource source(List<Input> inputs, Rejects rejects, SourcePosition from) {
    ImportLines format = importLines(new SeriesNames());
    return new TextSource(
        inputs,
        head -> format,
        new Points(SeriesRules.NONE, rejects),
        from,
        TextSource.ParserPool.NONE);
  }

  private static List<Input> inputs(List<byte[]> files, long seed) {
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      byte[] bytes = files.get(i);
      inputs.add(new Input("file" + i, () -> trickle(bytes, seed)));
    }
    return inputs;
  }

  private static InputStream trickle(byte[] bytes, long seed) {
    return new Trickle(bytes, seed);
  }

  private static List<byte[]> files(SplittableRandom random) throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (int file = 0; file < 3; file++) {
      StringBuilder text = new StringBuilder();
      int lines = random.nextInt(120);
      for (int line = 0; line < lines; line++) {
        text.append(
            switch (random.nextInt(9)) {
              case 0 -> "no point";
              case 1 -> "";
              case 2 -> "# remark";
              default ->
                  "m " + (1_700_000_000 + random.nextInt(99)) + " " + random.nextInt(9) + " a=b";
            });
        text.append(random.nextInt(5) == 0 ? "\r\n" : "\n");
      }
      if (random.nextInt(4) == 0) {
        text.append("x".repeat(Rejects.RECORD_BYTES_MAX + 100)).append("\nm 1 1 a=b");
      }
      byte[] plain = text.toString().getBytes(StandardCharsets.US_ASCII);
      files.add(random.nextBoolean() ? plain : gzip(plain));
    }
    return files;
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  private static void describe(PointBatch batch, List<String> into) {
    for (int i = 0; i < batch.points(); i++) {
      into.add(batch.timestampsMs()[i] + " " + batch.bits()[i]);
    }
  }
}
