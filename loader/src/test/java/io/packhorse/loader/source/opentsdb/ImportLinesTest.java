package io.packhorse.loader.source.opentsdb;

import static io.packhorse.loader.source.format.Reading.input;
import static io.packhorse.loader.source.format.Reading.slow;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.input.GzipStreamTest;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ImportLinesTest {
  private static final String GOOD = "m 1356998400 42 host=a";

  @Test
  void readsAPoint() throws Exception {
    Reading loaded = load(GOOD + "\n");
    assertEquals(
        List.of(new Point(SeriesName.of("m", "host", "a"), 1_356_998_400_000L, 42, false)),
        loaded.points());
    assertEquals(0, loaded.rejected());
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
    Reading loaded = load(GOOD + " b=c\n" + line + "\n" + line);
    Point point = loaded.points().get(0);
    assertEquals(List.of(point, point, point), loaded.points());
    assertEquals(1, loaded.names().size());
  }

  @Test
  void readsAMetricNamedPut() throws Exception {
    Reading loaded = load("put 1356998400 42 host=a\nput put 1356998401 43 host=a\n");
    assertEquals(List.of(42L, 43L), loaded.points().stream().map(Point::bits).toList());
    assertEquals(1, loaded.names().size());
    assertEquals(SeriesName.of("put", "host", "a"), loaded.names().get(0));
  }

  @Test
  void passesOverCommentsAndEmptyLines() throws Exception {
    Reading loaded = load("# a remark\n\n   \t\n\r\n" + GOOD + "\n  # another: x y z\n#\n");
    assertEquals(1, loaded.points().size());
    assertEquals(0, loaded.rejected());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n", "# nothing", "\n\n\n"})
  void readsNothingFromAnEmptyInput(String text) throws Exception {
    Reading loaded = load(text);
    assertEquals(List.of(), loaded.points());
    assertEquals(0, loaded.rejected());
  }

  @Test
  void readsALastLineWithoutLineEnd() throws Exception {
    assertEquals(2, load(GOOD + "\n" + GOOD).points().size());
    Reading loaded = load(GOOD + "\nm 1 x host=a");
    assertEquals(1, loaded.points().size());
    assertEquals(1, loaded.rejected());
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "LINE_TOO_LONG",
        "TOO_FEW_WORDS",
        "TIMESTAMP_MALFORMED",
        "TIMESTAMP_OUT_OF_RANGE",
        "VALUE_MALFORMED",
        "VALUE_NOT_FINITE",
        "INTEGER_TOO_LARGE",
        "NO_TAG",
        "TAG_MALFORMED",
        "TAG_TWICE",
        "TOO_MANY_TAGS",
        "NAME_CHARACTER",
        "NAME_NOT_LATIN_1",
        "NAME_TOO_LONG",
        "NOT_UTF_8"
      })
  void locatesEveryRejectAndLoadsItsNeighbours(Reason reason) throws Exception {
    for (String lineEnd : new String[] {"\n", "\r\n"}) {
      byte[] bad = badLine(reason);
      byte[] before = ("# remark" + lineEnd + GOOD + lineEnd).getBytes(UTF_8);
      byte[] after = (lineEnd + GOOD + lineEnd).getBytes(UTF_8);
      Reading loaded = load(GzipStreamTest.concat(before, bad, after));
      assertEquals(2, loaded.points().size());
      assertEquals(Map.of(reason, 1L), loaded.reasons());
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
          case LINE_TOO_LONG -> GOOD + " ".repeat(Rejects.RECORD_BYTES_MAX);
          case TOO_FEW_WORDS -> "m 1356998400";
          case TIMESTAMP_MALFORMED -> "m yesterday 42 host=a";
          case TIMESTAMP_OUT_OF_RANGE -> "m -5 42 host=a";
          case VALUE_MALFORMED -> "m 1356998400 4x host=a";
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
          default -> throw new IllegalArgumentException("not of import lines: " + reason);
        };
    byte[] bytes = line.getBytes(UTF_8);
    if (reason == Reason.NOT_UTF_8) {
      bytes[bytes.length - 1] = (byte) 0xe9;
    }
    return bytes;
  }

  @Test
  void countsLinesAndBytesAnewInEachFile() throws Exception {
    Reading loaded =
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
    Reading loaded = load(List.of(input("one", "m 1356998400 4"), input("two", "2 host=a")));
    assertEquals(0, loaded.points().size());
    assertEquals(2, loaded.rejected());
  }

  @Test
  void takesTheLongestLineAndRefusesOneByteMore() throws Exception {
    int blanks = Rejects.RECORD_BYTES_MAX - GOOD.length();
    String longest = GOOD.replace(" 42 ", " 42 " + " ".repeat(blanks));
    String tooLong = longest.replace(" 42 ", " 42  ");
    for (String lineEnd : new String[] {"\n", "\r\n", ""}) {
      for (int buffered = 1; buffered < 300_000; buffered += 37_501) {
        byte[] longestBytes = (longest + lineEnd).getBytes(UTF_8);
        assertEquals(1, load(slow(longestBytes, buffered)).points().size());
        Reading refused = load(slow((tooLong + lineEnd).getBytes(UTF_8), buffered));
        assertEquals(0, refused.points().size());
        assertEquals(Map.of(Reason.LINE_TOO_LONG, 1L), refused.reasons());
      }
    }
  }

  @Test
  void skipsAHugeLineAndGoesOnBehindIt() throws Exception {
    String huge = "m 1356998400 1 host=" + "x".repeat(5 << 20);
    Reading loaded = load(GOOD + "\n" + huge + "\n" + GOOD + "\nbad\n" + huge);
    assertEquals(2, loaded.points().size());
    assertEquals(Map.of(Reason.LINE_TOO_LONG, 2L, Reason.TOO_FEW_WORDS, 1L), loaded.reasons());
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
    assertEquals(expected, load(GzipStreamTest.gzip(bytes)).points());
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
    Reading loaded = load(text.toString());
    assertEquals(0, loaded.rejected(), () -> loaded.rejectLines().toString());
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
    List<Integer> tags = new ArrayList<>();
    for (int tag = 0; tag < point.series().tags().size(); tag++) {
      tags.add(tag);
    }
    Collections.shuffle(tags, random);
    for (int tag : tags) {
      line.append(' ').append(point.series().tags().key(tag));
      line.append('=').append(point.series().tags().value(tag));
    }
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
      Reading loaded = load(text);
      long lines =
          Arrays.stream(new String(text, ISO_8859_1).split("\n"))
              .map(line -> line.replaceAll("\r\\z", "").replaceAll("^[ \t]+|[ \t]+\\z", ""))
              .filter(line -> !line.isEmpty() && !line.startsWith("#"))
              .count();
      assertEquals(lines, loaded.points().size() + loaded.rejected(), "round " + round);
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
    InputException e = assertThrows(InputException.class, () -> load(List.of(missing)));
    assertEquals("gone.txt cannot be read: no such file or directory", e.getMessage());
  }

  @Test
  void takesWhatComesBeforeDamageAndGoesOnWithTheNextInput() throws Exception {
    byte[] packed = GzipStreamTest.gzip((GOOD + "\n").repeat(5000).getBytes(UTF_8));
    byte[] cut = Arrays.copyOf(packed, packed.length - 12);
    Reading loaded = load(List.of(input("cut.gz", cut), input("next", GOOD + "\n")));
    int before = loaded.points().size() - 1;
    assertTrue(before > 0 && before < 5000, "points before the cut: " + before);
    assertEquals(Map.of(Reason.INPUT_DAMAGED, 1L), loaded.reasons());
    assertEquals(
        "cut.gz\t"
            + (before + 1)
            + "\t"
            + before * (GOOD.length() + 1)
            + "\t"
            + Reason.INPUT_DAMAGED
            + "\tgzip is cut short",
        loaded.rejectLines().get(0));
  }

  @Test
  void takesNoLineThatDamageHasCut() throws Exception {
    byte[] packed = GzipStreamTest.gzip((GOOD + "bcdef").getBytes(UTF_8));
    packed[packed.length - 1] ^= 1;
    Reading loaded = load(packed);
    assertEquals(List.of(), loaded.points());
    assertEquals(Map.of(Reason.INPUT_DAMAGED, 1L), loaded.reasons());
  }

  @Test
  void passesOverAByteOrderMark() throws Exception {
    assertEquals(1, load("\ufeff" + GOOD).points().size());
    assertEquals(1, load("\ufeff" + GOOD).names().size());
    assertEquals("m", load("\ufeff" + GOOD).names().get(0).metric());
    assertThrows(
        InputException.class, () -> load(GOOD.getBytes(java.nio.charset.StandardCharsets.UTF_16)));
  }

  private static Reading load(String text) throws Exception {
    return load(text.getBytes(UTF_8));
  }

  private static Reading load(byte[] text) throws Exception {
    return load(List.of(input("in", text)));
  }

  private static Reading load(Input input) throws Exception {
    return load(List.of(input));
  }

  private static Reading load(List<Input> inputs) throws Exception {
    return Reading.of(Reading.in(Format.OPENTSDB), inputs);
  }
}
