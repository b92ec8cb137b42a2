package io.packhorse.loader.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.ImportLinesSource.Input;
import io.packhorse.loader.source.Rejects.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ImportLinesSourceTest {
  private static final String GOOD = "m 1356998400 42 host=a";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private record Point(SeriesName series, long timestampMs, long bits, boolean isDouble) {}

  /** Everything that came of some inputs. */
  private record Loaded(List<Point> points, SeriesNames names, Rejects rejects, Path rejectsFile) {
    List<String> rejectLines() throws IOException {
      return Files.exists(rejectsFile) ? Files.readAllLines(rejectsFile) : List.of();
    }
  }

  @Test
  void readsAPoint() throws Exception {
    Loaded loaded = load(GOOD + "\n");
    assertEquals(
        List.of(new Point(SeriesName.of("m", "host", "a"), 1_356_998_400_000L, 42, false)),
        loaded.points());
    assertEquals(0, loaded.rejects().total());
    assertFalse(Files.exists(loaded.rejectsFile()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "m 1356998400 42 host=a b=c",
        "m 1356998400 42 b=c host=a",
        "put m 1356998400 42 host=a b=c",
        "put\tm\t1356998400\t42\thost=a\tb=c",
        "  m   1356998400000  42 \t b=c   host=a  \t ",
        "m 1356998400.000 +42 host=a b=c host=a",
        "put m 1356998400 42 host=a b=c\r",
      })
  void readsEverySpellingOfAPointAsTheSameSeries(String line) throws Exception {
    Loaded loaded = load(GOOD + " b=c\n" + line + "\n" + line);
    Point point = loaded.points().get(0);
    assertEquals(List.of(point, point, point), loaded.points());
    assertEquals(1, loaded.names().size());
  }

  @Test
  void readsAMetricNamedPut() throws Exception {
    Loaded loaded = load("put 1356998400 42 host=a\nput put 1356998401 43 host=a\n");
    assertEquals(List.of(42L, 43L), loaded.points().stream().map(Point::bits).toList());
    assertEquals(1, loaded.names().size());
    assertEquals(SeriesName.of("put", "host", "a"), loaded.names().get(0));
  }

  @Test
  void passesOverCommentsAndEmptyLines() throws Exception {
    Loaded loaded = load("# a remark\n\n   \t\n\r\n" + GOOD + "\n  # another: x y z\n#\n");
    assertEquals(1, loaded.points().size());
    assertEquals(0, loaded.rejects().total());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n", "# nothing", "\n\n\n"})
  void readsNothingFromAnEmptyInput(String text) throws Exception {
    Loaded loaded = load(text);
    assertEquals(List.of(), loaded.points());
    assertEquals(0, loaded.rejects().total());
  }

  @Test
  void readsALastLineWithoutLineEnd() throws Exception {
    assertEquals(2, load(GOOD + "\n" + GOOD).points().size());
    Loaded loaded = load(GOOD + "\nm 1 x host=a");
    assertEquals(1, loaded.points().size());
    assertEquals(1, loaded.rejects().total());
  }

  @ParameterizedTest
  @EnumSource(value = Reason.class, mode = EnumSource.Mode.EXCLUDE, names = "NOT_TWO_WORDS")
  void locatesEveryRejectAndLoadsItsNeighbours(Reason reason) throws Exception {
    for (String lineEnd : new String[] {"\n", "\r\n"}) {
      byte[] bad = badLine(reason);
      byte[] before = ("# remark" + lineEnd + GOOD + lineEnd).getBytes(UTF_8);
      byte[] after = (lineEnd + GOOD + lineEnd).getBytes(UTF_8);
      Loaded loaded = load(ImportLinesGzipTest.concat(before, bad, after));
      assertEquals(2, loaded.points().size());
      assertEquals(Map.of(reason, 1L), loaded.rejects().byReason());
      String[] columns = loaded.rejectLines().get(0).split("\t");
      assertEquals(5, columns.length);
      assertEquals(
          List.of("in", "3", "" + before.length, reason.toString()),
          Arrays.asList(columns).subList(0, 4));
      assertEquals(1, loaded.rejectLines().size());
    }
  }

  private static byte[] badLine(Reason reason) {
    String many = "k1=v k2=v k3=v k4=v k5=v k6=v k7=v k8=v k9=v";
    String line =
        switch (reason) {
          case LINE_TOO_LONG -> GOOD + " ".repeat(ImportLinesSource.LINE_BYTES_MAX);
          case TOO_FEW_WORDS -> "m 1356998400";
          case NOT_TWO_WORDS -> throw new IllegalArgumentException("of two columns: " + reason);
          case TIMESTAMP_MALFORMED -> "m yesterday 42 host=a";
          case TIMESTAMP_OUT_OF_RANGE -> "m -5 42 host=a";
          case VALUE_MALFORMED -> "m 1356998400 NaN host=a";
          case VALUE_NOT_FINITE -> "m 1356998400 1e400 host=a";
          case INTEGER_TOO_LARGE -> "m 1356998400 9223372036854775808 host=a";
          case NO_TAG -> "m 1356998400 42";
          case TAG_MALFORMED -> "m 1356998400 42 host";
          case TAG_TWICE -> "m 1356998400 42 host=a host=b";
          case TOO_MANY_TAGS -> "m 1356998400 42 " + many;
          case NAME_CHARACTER -> "m 1356998400 42 host=a:1";
          case NAME_NOT_LATIN_1 -> "m 1356998400 42 host=Ł";
          case NAME_TOO_LONG -> "m 1356998400 42 host=" + "a".repeat(40_000);
          case NOT_UTF_8 -> "m 1356998400 42 host=?";
        };
    byte[] bytes = line.getBytes(UTF_8);
    if (reason == Reason.NOT_UTF_8) {
      bytes[bytes.length - 1] = (byte) 0xe9;
    }
    return bytes;
  }

  @Test
  void countsLinesAndBytesAnewInEachFile() throws Exception {
    Loaded loaded =
        load(
            List.of(
                input("one", GOOD + "\nbad\n"), input("two", "\n\nworse\n"), input("three", GOOD)));
    assertEquals(2, loaded.points().size());
    List<String> rejects = loaded.rejectLines();
    assertTrue(rejects.get(0).startsWith("one\t2\t23\t"), rejects::toString);
    assertTrue(rejects.get(1).startsWith("two\t3\t2\t"), rejects::toString);
  }

  @Test
  void joinsNoLinesAcrossFiles() throws Exception {
    Loaded loaded = load(List.of(input("one", "m 1356998400 4"), input("two", "2 host=a")));
    assertEquals(0, loaded.points().size());
    assertEquals(2, loaded.rejects().total());
  }

  @Test
  void takesTheLongestLineAndRefusesOneByteMore() throws Exception {
    int blanks = ImportLinesSource.LINE_BYTES_MAX - GOOD.length();
    String longest = GOOD.replace(" 42 ", " 42 " + " ".repeat(blanks));
    String tooLong = longest.replace(" 42 ", " 42  ");
    for (String lineEnd : new String[] {"\n", "\r\n", ""}) {
      for (int buffered = 1; buffered < 300_000; buffered += 37_501) {
        byte[] longestBytes = (longest + lineEnd).getBytes(UTF_8);
        assertEquals(1, load(slow(longestBytes, buffered)).points().size());
        Loaded refused = load(slow((tooLong + lineEnd).getBytes(UTF_8), buffered));
        assertEquals(0, refused.points().size());
        assertEquals(Map.of(Reason.LINE_TOO_LONG, 1L), refused.rejects().byReason());
      }
    }
  }

  @Test
  void skipsAHugeLineAndGoesOnBehindIt() throws Exception {
    String huge = "m 1356998400 1 host=" + "x".repeat(5 << 20);
    Loaded loaded = load(GOOD + "\n" + huge + "\n" + GOOD + "\nbad\n" + huge);
    assertEquals(2, loaded.points().size());
    assertEquals(
        Map.of(Reason.LINE_TOO_LONG, 2L, Reason.TOO_FEW_WORDS, 1L), loaded.rejects().byReason());
    List<String> rejects = loaded.rejectLines();
    long second = GOOD.length() + 1L;
    long fourth = second + huge.length() + 1 + GOOD.length() + 1;
    assertTrue(rejects.get(0).startsWith("in\t2\t" + second + "\t"));
    assertTrue(rejects.get(1).startsWith("in\t4\t" + fourth + "\t"));
    assertTrue(rejects.get(2).startsWith("in\t5\t" + (fourth + 4) + "\t"));
    assertTrue(rejects.get(0).length() < 1200, "the line is cut");
  }

  @Test
  void readsTheSamePointsHoweverTheBytesArrive() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append("m ").append(1_356_998_400 + i).append(' ').append(i).append(".25 host=h");
      text.append(i % 7).append(i % 3 == 0 ? "\r\n" : "\n");
    }
    byte[] bytes = text.toString().getBytes(UTF_8);
    List<Point> expected = load(bytes).points();
    assertEquals(500, expected.size());
    for (int step : new int[] {1, 2, 3, 7, 8, 9, 31, 1000}) {
      assertEquals(expected, load(slow(bytes, step)).points());
    }
    assertEquals(expected, load(ImportLinesGzipTest.gzip(bytes)).points());
  }

  @Test
  void keepsAnyPointBitExact() throws Exception {
    long seed = 42;
    Random random = new Random(seed);
    List<Point> expected = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      Point point = randomPoint(random);
      expected.add(point);
      text.append(line(point, random)).append(random.nextBoolean() ? "\n" : "\r\n");
    }
    Loaded loaded = load(text.toString());
    assertEquals(0, loaded.rejects().total(), () -> loaded.rejects().first().toString());
    assertEquals(expected, loaded.points(), "seed " + seed);
  }

  private static Point randomPoint(Random random) {
    TreeMap<String, String> tags = new TreeMap<>();
    for (int tag = random.nextInt(3); tag >= 0; tag--) {
      tags.put("k" + random.nextInt(4), "värde-" + random.nextInt(5));
    }
    SeriesName series = new SeriesName("metric/" + random.nextInt(10), tags);
    boolean wholeSeconds = random.nextBoolean();
    long seconds = 4_294_968 + (long) (random.nextDouble() * 4_290_000_000L);
    long millis = seconds * 1000 + (wholeSeconds ? 0 : random.nextInt(1000));
    if (random.nextBoolean()) {
      return new Point(series, millis, random.nextLong() >> random.nextInt(64), false);
    }
    double value =
        switch (random.nextInt(3)) {
          case 0 -> Double.longBitsToDouble(random.nextLong() & ~(1L << 62));
          case 1 -> Math.rint(random.nextGaussian() * 1e5) / 100;
          default -> (float) random.nextGaussian();
        };
    return new Point(series, millis, Double.doubleToRawLongBits(value), true);
  }

  private static String line(Point point, Random random) {
    long millis = point.timestampMs();
    String time =
        millis % 1000 == 0 && random.nextBoolean()
            ? Long.toString(millis / 1000)
            : Long.toString(millis);
    String value =
        point.isDouble()
            ? Double.toString(Double.longBitsToDouble(point.bits()))
            : Long.toString(point.bits());
    StringBuilder line = new StringBuilder(point.series().metric());
    line.append(' ').append(time).append(' ').append(value);
    List<Map.Entry<String, String>> tags = new ArrayList<>(point.series().tags().entrySet());
    Collections.shuffle(tags, random);
    tags.forEach(tag -> line.append(' ').append(tag.getKey()).append('=').append(tag.getValue()));
    return line.toString();
  }

  @Test
  void survivesNoise() throws Exception {
    Random random = new Random(3);
    byte[] alphabet = "mm 1356998400 4.2 host=a\n\r\t#put".getBytes(UTF_8);
    for (int round = 0; round < 300; round++) {
      byte[] text = new byte[2000];
      for (int i = 0; i < text.length; i++) {
        text[i] =
            random.nextInt(40) == 0
                ? (byte) random.nextInt(256)
                : alphabet[random.nextInt(alphabet.length)];
      }
      text[0] = 'm';
      Loaded loaded = load(text);
      long lines =
          Arrays.stream(new String(text, ISO_8859_1).split("\n"))
              .map(line -> line.replaceAll("\r\\z", "").replaceAll("^[ \t]+|[ \t]+\\z", ""))
              .filter(line -> !line.isEmpty() && !line.startsWith("#"))
              .count();
      assertEquals(lines, loaded.points().size() + loaded.rejects().total(), "round " + round);
    }
  }

  @Test
  void saysWhichFileCannotBeReadAndWhere() {
    Input missing =
        new Input(
            "gone.txt",
            () -> {
              throw new NoSuchFileException("gone.txt");
            });
    ImportLinesException e = assertThrows(ImportLinesException.class, () -> load(List.of(missing)));
    assertEquals("gone.txt cannot be read: no such file or directory", e.getMessage());

    Input cut =
        new Input(
            "cut.gz",
            () ->
                new ByteArrayInputStream(
                    Arrays.copyOf(ImportLinesGzipTest.gzip(GOOD.getBytes(UTF_8)), 30)));
    e = assertThrows(ImportLinesException.class, () -> load(List.of(cut)));
    assertEquals("cut.gz cannot be read any further at line 1: gzip is cut short", e.getMessage());
  }

  private Loaded load(String text) throws Exception {
    return load(text.getBytes(UTF_8));
  }

  private Loaded load(byte[] text) throws Exception {
    return load(List.of(new Input("in", () -> new ByteArrayInputStream(text))));
  }

  private Loaded load(InputStream in) throws Exception {
    return load(List.of(new Input("in", () -> in)));
  }

  private Loaded load(List<Input> inputs) throws Exception {
    Path file = Files.createTempDirectory(directory, "rejects").resolve("rejects.tsv");
    SeriesNames names = new SeriesNames();
    List<Point> points = new ArrayList<>();
    try (Rejects rejects = new Rejects(file);
        ImportLinesSource source = new ImportLinesSource(inputs, names, rejects)) {
      PointBatch batch = source.next();
      while (batch != null) {
        assertTrue(batch.points() > 0, "a batch has a point");
        for (int run = 0; run < batch.runs(); run++) {
          for (int i = batch.start(run); i < batch.end(run); i++) {
            points.add(
                new Point(
                    names.get(batch.series(run)),
                    batch.timestampsMs()[i],
                    batch.bits()[i],
                    batch.isDouble()[i]));
          }
        }
        batch = source.next();
      }
      return new Loaded(points, names, rejects, file);
    }
  }

  private static Input input(String name, String text) {
    return new Input(name, () -> new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  /** Gives at most {@code step} bytes a read. */
  private static InputStream slow(byte[] bytes, int step) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int from, int length) {
        return super.read(into, from, Math.min(length, step));
      }
    };
  }
}
