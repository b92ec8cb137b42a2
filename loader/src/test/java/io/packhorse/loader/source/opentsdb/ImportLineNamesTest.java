package io.packhorse.loader.source.opentsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.StockRules;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImportLineNamesTest {
  @ParameterizedTest
  @CsvSource({
    "m,a=b",
    "sys.cpu-0/user_x,Host=web01.example",
    "m,a=b a=b",
    "m,b=1 a=2",
    "température,lieu=salle-à-côté",
    "m,a=ß",
    "m,k1=v k2=v k3=v k4=v k5=v k6=v k7=v k8=v",
    "m,k1=v k1=v k2=v k3=v k4=v k5=v k6=v k7=v k8=v",
  })
  void acceptsWhatOpenTsdbAccepts(String metric, String tags) throws Exception {
    Map<String, String> stock = StockRules.tags(metric, tags.split(" "));
    SeriesName name = read(metric, tags);
    assertEquals(stock == null ? null : new SeriesName(metric, new TreeMap<>(stock)), name);
  }

  @ParameterizedTest
  @CsvSource({
    "m,a,TAG_MALFORMED",
    "m,a=,TAG_MALFORMED",
    "m,=b,TAG_MALFORMED",
    "m,=,TAG_MALFORMED",
    "m,a=b=c,TAG_MALFORMED",
    "m,a=b c,TAG_MALFORMED",
    "m,a=b a=c,TAG_TWICE",
    "m,k1=v k2=v k3=v k4=v k5=v k6=v k7=v k8=v k9=v,TOO_MANY_TAGS",
    "m:x,a=b,NAME_CHARACTER",
    "m,a:b=c,NAME_CHARACTER",
    "m,a=b:c,NAME_CHARACTER",
    "m,a=b*,NAME_CHARACTER",
    "m{},a=b,NAME_CHARACTER",
    "m,a=5²,NAME_CHARACTER",
    "m,a=\uD83D\uDE00,NAME_CHARACTER",
  })
  void refusesWhatOpenTsdbRefuses(String metric, String tags, Reason reason) throws Exception {
    assertEquals(Map.of(reason, 1L), reading(metric, tags).reasons());
    assertNull(StockRules.tags(metric, tags.split(" ")));
  }

  @Test
  void refusesLettersThatTheUidTableCannotHold() throws Exception {
    assertEquals(Map.of(Reason.NAME_NOT_LATIN_1, 1L), reading("m", "city=Łódź").reasons());
    assertEquals(Map.of(Reason.NAME_NOT_LATIN_1, 1L), reading("温度", "a=b").reasons());
  }

  @Test
  void refusesNamesLongerThanARow() throws Exception {
    assertEquals(
        Map.of(Reason.NAME_TOO_LONG, 1L), reading("m", "a=" + "v".repeat(32768)).reasons());
  }

  @Test
  void refusesBytesThatAreNotUtf8() throws Exception {
    for (byte[] line :
        new byte[][] {
          {'m', ' ', '9', ' ', '9', ' ', 'a', '=', (byte) 0xe9},
          {'m', ' ', '9', ' ', '9', ' ', 'a', '=', (byte) 0xc3},
          {(byte) 0xff, ' ', '9', ' ', '9', ' ', 'a', '=', 'b'}
        }) {
      assertEquals(
          Map.of(Reason.NOT_UTF_8, 1L), Reading.of(Reading.in(Format.OPENTSDB), line).reasons());
    }
  }

  @Test
  void decidesOnEveryByteAsOpenTsdbDoes() throws Exception {
    for (char c = 1; c < 256; c++) {
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
        String tag = "a=x" + c + "y";
        assertEquals(
            StockRules.tags("m", tag) == null, read("m", tag) == null, "character " + (int) c);
      }
    }
  }

  @Test
  void agreesWithOpenTsdbOnRandomTags() throws Exception {
    Random random = new Random(11);
    String alphabet = "aab=. ,";
    StringBuilder lines = new StringBuilder();
    Map<Long, SeriesName> expected = new TreeMap<>();
    for (long second = 1; second <= 30_000; second++) {
      StringBuilder text = new StringBuilder("k=v");
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String tags = text.toString().trim();
      Map<String, String> stock = StockRules.tags("m", tags.split(" +"));
      if (stock != null) {
        expected.put(second * 1000, new SeriesName("m", new TreeMap<>(stock)));
      }
      lines.append("m ").append(second).append(" 1 ").append(tags).append('\n');
    }
    Map<Long, SeriesName> found = new TreeMap<>();
    for (Reading.Point point : Reading.of(Reading.in(Format.OPENTSDB), lines.toString()).points()) {
      found.put(point.timestampMs(), point.series());
    }
    assertEquals(expected, found);
  }

  private static @Nullable SeriesName read(String metric, String tags) throws Exception {
    Reading reading = reading(metric, tags);
    return reading.points().isEmpty() ? null : reading.points().get(0).series();
  }

  private static Reading reading(String metric, String tags) throws Exception {
    return Reading.of(Reading.in(Format.OPENTSDB), metric + " 9 9 " + tags);
  }
}
