package io.packhorse.loader.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.Rejects.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LineNamesTest {
  private final LineNames names = new LineNames();

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
  void acceptsWhatOpenTsdbAccepts(String metric, String tags) {
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
  void refusesWhatOpenTsdbRefuses(String metric, String tags, Reason reason) {
    assertNull(read(metric, tags));
    assertEquals(reason, names.reason());
    assertNull(StockRules.tags(metric, tags.split(" ")));
  }

  @Test
  void refusesLettersThatTheUidTableCannotHold() {
    assertNull(read("m", "city=Łódź"));
    assertEquals(Reason.NAME_NOT_LATIN_1, names.reason());
    assertNull(read("温度", "a=b"));
    assertEquals(Reason.NAME_NOT_LATIN_1, names.reason());
  }

  @Test
  void refusesNamesLongerThanARow() {
    assertNull(read("m", "a=" + "v".repeat(32768)));
    assertEquals(Reason.NAME_TOO_LONG, names.reason());
  }

  @Test
  void refusesBytesThatAreNotUtf8() {
    for (byte[] line :
        new byte[][] {
          {'m', ' ', 'a', '=', (byte) 0xe9},
          {'m', ' ', 'a', '=', (byte) 0xc3},
          {(byte) 0xff, ' ', 'a', '=', 'b'}
        }) {
      assertNull(names.read(line, 0, 1, 2, line.length));
      assertEquals(Reason.NOT_UTF_8, names.reason());
    }
  }

  @Test
  void decidesOnEveryByteAsOpenTsdbDoes() {
    for (char c = 1; c < 256; c++) {
      if (c != ' ' && c != '\t') {
        String tag = "a=x" + c + "y";
        assertEquals(
            StockRules.tags("m", tag) == null, read("m", tag) == null, "character " + (int) c);
      }
    }
  }

  @Test
  void agreesWithOpenTsdbOnRandomTags() {
    Random random = new Random(11);
    String alphabet = "aab=. ,";
    for (int i = 0; i < 30_000; i++) {
      StringBuilder text = new StringBuilder("k=v");
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String tags = text.toString().trim();
      Map<String, String> stock = StockRules.tags("m", tags.split(" +"));
      assertEquals(
          stock == null ? null : new SeriesName("m", new TreeMap<>(stock)), read("m", tags), tags);
    }
  }

  private @Nullable SeriesName read(String metric, String tags) {
    byte[] m = metric.getBytes(StandardCharsets.UTF_8);
    byte[] line = (metric + ' ' + tags).getBytes(StandardCharsets.UTF_8);
    return names.read(line, 0, m.length, m.length + 1, line.length);
  }
}
