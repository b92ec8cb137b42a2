package io.packhorse.loader.source.openmetrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.util.List;
import java.util.Map;
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
