package io.packhorse.loader.source.openmetrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OpenMetricsTest {
  @Test
  void readsPrometheusText() throws Exception {
    Reading reading =
        read(
            """
            # HELP http_requests_total The total.
            # TYPE http_requests_total counter
            http_requests_total{method="post",code="200"} 1027 1395066363000
            http_requests_total { code = "400" , method="post", } 3.5 1395066363500

            """);
    SeriesName first =
        new SeriesName(
            "http_requests_total", new TreeMap<>(Map.of("method", "post", "code", "200")));
    SeriesName second =
        new SeriesName(
            "http_requests_total", new TreeMap<>(Map.of("method", "post", "code", "400")));
    assertEquals(
        List.of(
            new Point(first, 1_395_066_363_000L, 1027, false),
            new Point(second, 1_395_066_363_500L, Double.doubleToRawLongBits(3.5), true)),
        reading.points());
  }

  @Test
  void readsWhatPromtoolDumps() throws Exception {
    SourceSpec detected = new SourceSpec(Optional.empty(), Optional.empty(), SeriesRules.NONE);
    Reading reading =
        Reading.of(
            detected,
            """
            {__name__="up", instance="h1"} 1 1700000000000
            {"__name__"="up",instance="h2"} 0 1700000000001
            {"my.metric", "a-b"="c"} 2.5 1700000000002
            {instance="h1"} 1 1700000000003
            {__name__="h",a="b"} {count:4, sum:2} 1700000000004
            """);
    assertEquals(
        List.of("up{instance=h1}", "up{instance=h2}", "my.metric{a-b=c}"),
        reading.points().stream().map(point -> point.series().toString()).toList());
    assertEquals(1_700_000_000_002L, reading.points().get(2).timestampMs());
    assertEquals(Map.of(Reason.SAMPLE_MALFORMED, 2L), reading.reasons());
  }

  @Test
  void keepsTheBackslashOfAnEscapeThatThereIsNot() throws Exception {
    SeriesRules replacing =
        new SeriesRules(Map.of(), Map.of(), Map.of(), Set.of(), Map.of(), true, 8, 0, 1L << 60);
    Reading reading =
        Reading.of(
            new SourceSpec(Optional.of(Format.OPENMETRICS), Optional.empty(), replacing),
            "m{a=\"y\\d\",b=\"q\\\\q\\\"\"} 1 1700000000\n");
    assertEquals("m{a=y_d,b=q_q_}", reading.points().get(0).series().toString());
  }

  @Test
  void asksForATimeWhereThereIsNone() throws Exception {
    String text = "# TYPE load gauge\nload{h=\"a\"} 0.5\nload{h=\"b\"} 0.25\n";
    InputException thrown = assertThrows(InputException.class, () -> read(text));
    assertTrue(
        String.valueOf(thrown.getMessage()).contains("no timestamps; state one for all of them"),
        thrown::toString);
    SourceSpec stated =
        new SourceSpec(
            Optional.empty(),
            Optional.empty(),
            SeriesRules.NONE,
            TableOptions.NONE,
            new FieldRules(false, false, 1_700_000_000_000L));
    Reading reading = Reading.of(stated, text + "load{h=\"c\"} 1 1700000001000\n");
    assertEquals(
        List.of(1_700_000_000_000L, 1_700_000_000_000L, 1_700_000_001_000L),
        reading.points().stream().map(Point::timestampMs).toList());
    Reading lines = Reading.of(stated, "cpu,h=a v=1\ncpu,h=b v=1 1700000001\n");
    assertEquals(
        List.of(1_700_000_000_000L, 1_700_000_001_000L),
        lines.points().stream().map(Point::timestampMs).toList());
    assertThrows(
        InputException.class,
        () ->
            Reading.of(
                new SourceSpec(Optional.empty(), Optional.empty(), SeriesRules.NONE),
                "cpu,h=a v=1\ncpu,h=b v=1\n"));
  }

  @Test
  void readsOpenMetricsWithSecondsAndExemplars() throws Exception {
    Reading reading =
        read(
            """
            # TYPE foo histogram
            foo_bucket{le="0.1",a=""} 8.0 1520879607.7891 # {trace="x"} 0.054
            # EOF
            """);
    assertEquals(
        List.of(
            new Point(
                SeriesName.of("foo_bucket", "le", "0.1"),
                1_520_879_607_789L,
                Double.doubleToRawLongBits(8.0),
                true)),
        reading.points());
  }

  @ParameterizedTest
  @CsvSource({
    "1.520879607789e+09,1520879607789",
    "1.5E9,1500000000000",
    "152087960778912e-5,1520879607789",
    "+.15e10,1500000000000",
    "01.52087960778999999999999999e+0009,1520879607789",
  })
  void readsTimestampsWithExponents(String timestamp, long millis) throws Exception {
    Reading reading = read("up{job=\"a\"} 1 " + timestamp + "\n");
    assertEquals(List.of(millis), reading.points().stream().map(Point::timestampMs).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "TIMESTAMP_MISSING      | up{a=\"b\"} 1",
        "TIMESTAMP_MALFORMED    | up{a=\"b\"} 1 now",
        "TIMESTAMP_OUT_OF_RANGE | up{a=\"b\"} 1 -1",
        "TIMESTAMP_OUT_OF_RANGE | up{a=\"b\"} 1 1e99",
        "TIMESTAMP_OUT_OF_RANGE | up{a=\"b\"} 1 1e999999999",
        "TIMESTAMP_OUT_OF_RANGE | up{a=\"b\"} 1 1e-999999999",
        "TIMESTAMP_OUT_OF_RANGE | up{a=\"b\"} 1 -1.5e9",
        "TIMESTAMP_OUT_OF_RANGE | up{a=\"b\"} 1 0e9",
        "TIMESTAMP_MALFORMED    | up{a=\"b\"} 1 1e9999999999",
        "TIMESTAMP_MALFORMED    | up{a=\"b\"} 1 1e",
        "TIMESTAMP_MALFORMED    | up{a=\"b\"} 1 1.5e9s",
        "VALUE_NOT_FINITE       | up{a=\"b\"} NaN 1395066363",
        "VALUE_NOT_FINITE       | up{a=\"b\"} +Inf 1395066363",
        "VALUE_MALFORMED        | up{a=\"b\"} x 1395066363",
        "SAMPLE_MALFORMED       | up{a=\"b\" 1 1395066363",
        "SAMPLE_MALFORMED       | up{a} 1 1395066363",
        "SAMPLE_MALFORMED       | up{a=b} 1 1395066363",
        "SAMPLE_MALFORMED       | up{a=\"b\" c=\"d\"} 1 1395066363",
        "SAMPLE_MALFORMED       | up{a=\"b\"} 1 1395066363 more",
        "SAMPLE_MALFORMED       | {a=\"b\"} 1 1395066363",
        "NO_TAG                 | up 1 1395066363",
        "NO_TAG                 | up{} 1 1395066363",
        "TAG_TWICE              | up{a=\"b\",a=\"c\"} 1 1395066363",
        "NAME_CHARACTER         | up{le=\"+Inf\"} 1 1395066363",
        "NAME_CHARACTER         | a:b{a=\"b\"} 1 1395066363",
        "NAME_CHARACTER         | up{a=\"b\\\"}\"} 1 1395066363",
      })
  void refusesWhatIsNoPointAndKeepsItsNeighbours(Reason reason, String line) throws Exception {
    String good = "up{job=\"a\"} 1 1395066363\n";
    Reading reading = read(good + line + "\n" + good);
    assertEquals(Map.of(reason, 1L), reading.reasons());
    assertEquals(2, reading.points().size());
  }

  private static Reading read(String text) throws Exception {
    return Reading.of(Reading.in(Format.OPENMETRICS), text);
  }
}
