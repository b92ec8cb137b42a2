package io.packhorse.loader.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.input.Input;
import io.packhorse.schema.cell.PointBlock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are read by the loader, with the library's decoders. */
class TableFilesTest {
  private static final long HOUR_S = 1_704_067_200;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void rowsAreInOrderOfSeriesAndTime() throws Exception {
    SeriesName a = new SeriesName("m", new TreeMap<>(Map.of("host", "a", "rack", "r")));
    SeriesName b = new SeriesName("m", new TreeMap<>(Map.of("host", "\u00e9", "rack", "r")));
    try (ExportPart part = in(TableFiles.parquet(false)).open(3)) {
      part.take(a, HOUR_S, block(0, 1.5, 1000, 2), 0, 2);
      part.take(b, HOUR_S, block(500, 3, 1000, -0.0, 2000, 9), 1, 2);
      part.take(a, HOUR_S + 3600, block(0, 7), 0, 1);
      part.finish();
      assertEquals(Files.size(folder.resolve("part-00003.parquet")), part.bytes());
    }
    assertEquals(List.of("part-00003.parquet"), files());
    assertEquals(
        List.of(point(a, 0, 1.5), point(a, 1000, 2), point(a, 3_600_000, 7), point(b, 1000, -0.0)),
        read("part-00003.parquet").points());
  }

  @Test
  void anotherTagKeyBeginsAnotherFile() throws Exception {
    ExportTarget target = in(TableFiles.parquet(false));
    PointBlock large = new PointBlock();
    large.addLong(0, (1L << 53) + 1);
    large.addLong(1, Long.MAX_VALUE);
    large.addLong(2, Long.MIN_VALUE);
    try (ExportPart part = target.open(0)) {
      part.take(SeriesName.of("m", "k", "v"), HOUR_S, block(0, 1), 0, 1);
      part.take(SeriesName.of("n", "value", "w"), HOUR_S, block(0, 2), 0, 1);
      part.take(SeriesName.of("m", "k", "x"), HOUR_S, block(0, 3), 0, 1);
      part.take(SeriesName.of("m", "k", "x"), HOUR_S + 3600, large, 0, 3);
      part.finish();
    }
    assertEquals(List.of("part-00000-1.parquet", "part-00000.parquet"), files());
    assertEquals(
        List.of(point(SeriesName.of("m", "k", "v"), 0, 1)), read("part-00000.parquet").points());
    List<Point> second = read("part-00000-1.parquet").points();
    SeriesName x = SeriesName.of("m", "k", "x");
    assertEquals(
        List.of(
            point(SeriesName.of("n", "tag_value", "w"), 0, 2),
            point(x, 0, 3),
            point(x, 3_600_000, 0x1p53),
            point(x, 3_600_001, 0x1p63),
            point(x, 3_600_002, -0x1p63)),
        second);
    assertEquals(2, target.rounded());
  }

  @Test
  void valuesThatAreNotFiniteAreWritten() throws Exception {
    SeriesName series = SeriesName.of("m", "k", "v");
    try (ExportPart part = in(TableFiles.parquet(false)).open(0)) {
      part.take(series, HOUR_S, block(0, Double.NaN, 1, Double.NEGATIVE_INFINITY, 2, 5), 0, 3);
      part.finish();
    }
    Reading reading = read("part-00000.parquet");
    assertEquals(List.of(point(series, 2, 5)), reading.points());
    assertEquals(2, reading.rejected(), "OpenTSDB cannot store them");
  }

  @Test
  void aPartThatIsNotFinishedStaysPartial() throws Exception {
    try (ExportPart part = in(TableFiles.parquet(false)).open(0)) {
      part.take(SeriesName.of("m", "k", "v"), HOUR_S, block(0, 1), 0, 1);
    }
    assertEquals(List.of("part-00000.parquet.partial"), files());
  }

  /** Several row groups and pages, and tags that some series have. */
  @Test
  void everyPointOfManyComesBack() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    List<Point> expected = new ArrayList<>();
    PointBlock points = new PointBlock();
    SeriesName first = new SeriesName("a", new TreeMap<>(Map.of("host", "h", "rack", "r")));
    try (ExportPart part = in(TableFiles.parquet(false)).open(0)) {
      part.take(first, HOUR_S, block(0, 1), 0, 1);
      expected.add(point(first, 0, 1));
      for (int hour = 0; hour < 50; hour++) {
        for (int host = 0; host < 9; host++) {
          TreeMap<String, String> tags = new TreeMap<>(Map.of("host", "h" + host));
          if (host % 4 == 0) {
            tags.put("rack", "r" + host % 3);
          }
          SeriesName series = new SeriesName("m", tags);
          points.clear();
          for (int i = 0; i < 3600; i++) {
            if (random.nextInt(50) > 0) {
              double value = random.nextInt(1000) / 8.0;
              int offset = i * 1000 + random.nextInt(1000);
              points.addDouble(offset, Double.doubleToRawLongBits(value));
              expected.add(point(series, hour * 3_600_000L + offset, value));
            }
          }
          part.take(series, HOUR_S + hour * 3600L, points, 0, points.count());
        }
      }
      part.finish();
    }
    assertEquals(List.of("part-00000.parquet"), files());
    assertTrue(expected.size() > ParquetRowGroup.ROWS + ParquetRowGroup.ROWS / 4);
    Comparator<Point> order =
        Comparator.comparing((Point point) -> point.series().toString())
            .thenComparing(Point::timestampMs);
    expected.sort(order);
    assertEquals(expected, read("part-00000.parquet").points().stream().sorted(order).toList());
  }

  @Test
  void integersStayIntegers() throws Exception {
    SeriesName series = SeriesName.of("m", "k", "v");
    PointBlock large = new PointBlock();
    large.addLong(0, (1L << 53) + 1);
    large.addLong(1, Long.MIN_VALUE);
    large.addDouble(2, Double.doubleToRawLongBits(-5));
    ExportTarget target = in(TableFiles.parquet(true));
    try (ExportPart part = target.open(0)) {
      part.take(series, HOUR_S, large, 0, 3);
      for (double fraction : new double[] {0.5, Double.NaN, 0x1p63, Double.NEGATIVE_INFINITY}) {
        assertThrows(
            UnwritableException.class,
            () -> part.take(series, HOUR_S + 3600, block(0, 1, 1, fraction), 0, 2));
      }
      part.finish();
    }
    assertEquals(
        List.of(
            new Point(series, HOUR_S * 1000, (1L << 53) + 1, false),
            new Point(series, HOUR_S * 1000 + 1, Long.MIN_VALUE, false),
            new Point(series, HOUR_S * 1000 + 2, -5, false)),
        read("part-00000.parquet").points());
    assertEquals(0, target.rounded());
  }

  @Test
  void aFolderForEachMetricAndDay() throws Exception {
    DirectoryTarget target = new DirectoryTarget(TableFiles.csv(), folder, true, true);
    Files.createDirectories(folder.resolve("metric=m/day=2024-01-01"));
    Files.writeString(folder.resolve("metric=m/day=2024-01-01/part-00002-9.csv.partial"), "cut");
    Files.writeString(folder.resolve("metric=m/day=2024-01-01/part-00020.csv"), "of another part");
    long nextDay = HOUR_S + 86_400;
    try (ExportPart part = target.open(2)) {
      part.take(SeriesName.of("m", "k", "v"), HOUR_S, block(0, 1), 0, 1);
      part.take(SeriesName.of("m", "k", "w"), HOUR_S + 23 * 3600, block(0, 2), 0, 1);
      part.take(SeriesName.of("m", "k", "v"), nextDay, block(0, 3), 0, 1);
      part.take(SeriesName.of("a/b c", "k", "v"), HOUR_S, block(0, 4), 0, 1);
      // The first metric in another salt bucket.
      part.take(SeriesName.of("m", "day", "v"), HOUR_S, block(0, 5), 0, 1);
      part.finish();
      assertTrue(part.bytes() > 0);
    }
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(
          List.of(
              "metric=a%2Fb%20c/day=2024-01-01/part-00002-2.csv",
              "metric=m/day=2024-01-01/part-00002-3.csv",
              "metric=m/day=2024-01-01/part-00002.csv",
              "metric=m/day=2024-01-01/part-00020.csv",
              "metric=m/day=2024-01-02/part-00002-1.csv"),
          files
              .filter(Files::isRegularFile)
              .map(file -> folder.relativize(file).toString())
              .sorted()
              .toList());
    }
    assertEquals(
        """
        time,value,k
        1704067200000,1.0,v
        1704150000000,2.0,w
        """,
        Files.readString(folder.resolve("metric=m/day=2024-01-01/part-00002.csv")));
    assertEquals(
        "time,value,tag_day\n1704067200000,5.0,v\n",
        Files.readString(folder.resolve("metric=m/day=2024-01-01/part-00002-3.csv")));
  }

  @Test
  void csvHasAHeaderAndQuotes() throws Exception {
    try (ExportPart part = in(TableFiles.csv()).open(7)) {
      PointBlock points = new PointBlock();
      points.addLong(500, 1L << 60);
      points.addDouble(1000, Double.doubleToRawLongBits(2));
      part.take(
          new SeriesName("m,1", new TreeMap<>(Map.of("host", "a\"b", "time", "noon"))),
          HOUR_S,
          points,
          0,
          2);
      part.take(SeriesName.of("n", "host", "c"), HOUR_S, points, 1, 2);
      part.take(SeriesName.of("n", "rack", "d"), HOUR_S, points, 1, 2);
      part.finish();
      assertTrue(part.bytes() > 0);
    }
    assertEquals(
        """
        metric,time,value,host,tag_time
        "m,1",1704067200500,1152921504606846976,"a""b",noon
        "m,1",1704067201000,2.0,"a""b",noon
        n,1704067201000,2.0,c,
        """,
        Files.readString(folder.resolve("part-00007.csv")));
    assertEquals(
        """
        metric,time,value,host,rack,tag_time
        n,1704067201000,2.0,,d,
        """,
        Files.readString(folder.resolve("part-00007-1.csv")));
  }

  private DirectoryTarget in(FileForm form) {
    return new DirectoryTarget(form, folder, false, false);
  }

  private static Point point(SeriesName series, long offsetMs, double value) {
    return new Point(series, HOUR_S * 1000 + offsetMs, Double.doubleToRawLongBits(value), true);
  }

  private Reading read(String file) throws Exception {
    Input input = Input.ofFile(file, folder.resolve(file));
    return Reading.of(Reading.in(Format.PARQUET), List.of(input));
  }

  private List<String> files() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Offset, value, offset, value, ... */
  private static PointBlock block(double... offsetsAndValues) {
    PointBlock block = new PointBlock();
    for (int i = 0; i < offsetsAndValues.length; i += 2) {
      block.addDouble(
          (int) offsetsAndValues[i], Double.doubleToRawLongBits(offsetsAndValues[i + 1]));
    }
    return block;
  }
}
