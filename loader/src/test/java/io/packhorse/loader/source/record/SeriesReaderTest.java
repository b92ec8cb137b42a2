package io.packhorse.loader.source.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SeriesReaderTest {
  private final SeriesNames names = new SeriesNames();

  @Test
  void dropsRenamesAndAddsTagsAndRenamesMetrics() {
    SeriesReader reader =
        reader(
            new SeriesRules(
                Map.of("cpu", "sys.cpu"),
                Map.of("hostname", "host"),
                Map.of("dc", "oslo", "rack", "1"),
                Set.of("pid"),
                Map.of(),
                false,
                8,
                0,
                Long.MAX_VALUE));
    int series = read(reader, "cpu", "hostname", "a", "pid", "bad value", "rack", "7");
    assertEquals(
        new SeriesName("sys.cpu", new TreeMap<>(Map.of("host", "a", "dc", "oslo", "rack", "7"))),
        names.get(series));
    assertEquals(series, read(reader, "sys.cpu", "host", "a", "rack", "7"));
  }

  @Test
  void leavesOutWhatHasNoneOfTheValuesAskedFor() {
    SeriesReader reader =
        reader(
            new SeriesRules(
                Map.of(),
                Map.of("h", "host"),
                Map.of(),
                Set.of(),
                Map.of("host", Set.of("a", "b"), "dc", Set.of("x")),
                false,
                8,
                0,
                Long.MAX_VALUE));
    assertTrue(read(reader, "m", "h", "a", "dc", "x") >= 0);
    assertTrue(read(reader, "m", "host", "b", "dc", "x") >= 0);
    assertEquals(SeriesReader.LEFT_OUT, read(reader, "m", "host", "c", "dc", "x"));
    assertEquals(SeriesReader.LEFT_OUT, read(reader, "m", "host", "a"));
    assertEquals(2, names.size());
  }

  @Test
  void replacesCharactersWhereAskedTo() {
    SeriesReader reader =
        reader(
            new SeriesRules(
                Map.of(), Map.of(), Map.of(), Set.of(), Map.of(), true, 8, 0, Long.MAX_VALUE));
    int series = read(reader, "a:b c", "le", "+Inf", "city", "Łódź");
    assertEquals("a_b_c{city=_ód_,le=_Inf}", names.get(series).toString());
  }

  @Test
  void takesAsManyTagsAsItIsTold() {
    SeriesReader two =
        reader(
            new SeriesRules(
                Map.of(), Map.of(), Map.of(), Set.of(), Map.of(), false, 2, 0, Long.MAX_VALUE));
    assertTrue(read(two, "m", "a", "1", "b", "2") >= 0);
    assertEquals(SeriesReader.REJECTED, read(two, "m", "a", "1", "b", "2", "c", "3"));
    assertEquals(Reason.TOO_MANY_TAGS, two.reason());
  }

  @Test
  void refusesTwoTagsThatGetTheSameKey() {
    SeriesReader reader =
        reader(
            new SeriesRules(
                Map.of(),
                Map.of("h", "host"),
                Map.of(),
                Set.of(),
                Map.of(),
                false,
                8,
                0,
                Long.MAX_VALUE));
    reader.begin();
    assertTrue(reader.tag("host", "a"));
    assertTrue(reader.tag("h", "a"));
    assertFalse(reader.tag("h", "b"));
    assertEquals(Reason.TAG_TWICE, reader.reason());
  }

  private SeriesReader reader(SeriesRules rules) {
    return new SeriesReader(names, rules);
  }

  private static int read(SeriesReader reader, String metric, String... tags) {
    reader.begin();
    for (int i = 0; i < tags.length; i += 2) {
      if (!reader.tag(tags[i], tags[i + 1])) {
        return SeriesReader.REJECTED;
      }
    }
    return reader.endTags() ? reader.series(metric) : SeriesReader.REJECTED;
  }
}
