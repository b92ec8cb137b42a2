package io.packhorse.loader.source.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonPointsTest {
  private static final String GOOD =
      "{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":42,\"tags\":{\"host\":\"a\"}}";
  private static final Point POINT =
      new Point(SeriesName.of("m", "host", "a"), 1_356_998_400_000L, 42, false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        GOOD + GOOD,
        GOOD + "\n" + GOOD + "\n",
        "[" + GOOD + "," + GOOD + "]",
        "[" + GOOD + "]\n[" + GOOD + "]\r\n",
        "[\n  " + GOOD + ",\n  " + GOOD + "\n]\n",
      })
  void readsObjectsInLinesAndArrays(String text) throws Exception {
    assertEquals(List.of(POINT, POINT), points(text));
  }

  @Test
  void rejectsBracketsAndCommasThatSeparateNothing() throws Exception {
    Reading reading =
        Reading.of(Reading.in(Format.JSONL), "[[[[\n" + GOOD + "\n,,,,\n[]\n]\n[\n" + GOOD + "]]");
    assertEquals(List.of(POINT, POINT), reading.points());
    assertEquals(Map.of(Reason.JSON_MALFORMED, 3L), reading.reasons());
    assertEquals(
        List.of("in\t1\t0\t", "in\t3\t" + (6 + GOOD.length()) + "\t"),
        reading.rejectLines().stream()
            .limit(2)
            .map(line -> line.substring(0, line.lastIndexOf("\tnot")) + "\t")
            .toList());
  }

  @Test
  void readsObjectsOverSeveralLines() throws Exception {
    String pretty = GOOD.replace(",", ",\r\n  ").replace("{", "{\n    ").replace("}", "\n}");
    assertEquals(List.of(POINT, POINT), points("[\n" + pretty + ",\n" + pretty + "]"));
  }

  @Test
  void readsNumbersInTextAndPassesOverOtherMembers() throws Exception {
    assertEquals(
        List.of(
            new Point(
                SeriesName.of("m", "core", "7"),
                1_356_998_400_123L,
                Double.doubleToRawLongBits(-0.5),
                true)),
        points(
            "{\"x\":[{\"metric\":\"no\"}],\"value\":\"-0.5\",\"timestamp\":\"1356998400123\","
                + "\"tags\":{\"core\":7},\"metric\":\"m\"}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "JSON_MALFORMED         | {\"metric\":\"m\",\"timestamp\":1}",
        "JSON_MALFORMED         |"
            + " {\"metric\":{},\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "JSON_MALFORMED         |"
            + " {\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":[]}}",
        "JSON_MALFORMED         | {\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":[]}",
        "JSON_MALFORMED         |"
            + " {\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}",
        "JSON_MALFORMED         |"
            + " {\"metric\":\"m,\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "JSON_MALFORMED         | nonsense",
        "JSON_MALFORMED         |"
            + " {\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\\",
        "NO_TAG                 | {\"metric\":\"m\",\"timestamp\":1,\"value\":1}",
        "NO_TAG                 | {\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{}}",
        "TIMESTAMP_MALFORMED    |"
            + " {\"metric\":\"m\",\"timestamp\":\"x\",\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "TIMESTAMP_OUT_OF_RANGE |"
            + " {\"metric\":\"m\",\"timestamp\":-1,\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "VALUE_TEXT             |"
            + " {\"metric\":\"m\",\"timestamp\":1,\"value\":true,\"tags\":{\"a\":\"b\"}}",
        "VALUE_NOT_FINITE       |"
            + " {\"metric\":\"m\",\"timestamp\":1,\"value\":NaN,\"tags\":{\"a\":\"b\"}}",
        "VALUE_NOT_FINITE       |"
            + " {\"metric\":\"m\",\"timestamp\":1,\"value\":1e999,\"tags\":{\"a\":\"b\"}}",
        "INTEGER_TOO_LARGE      |"
            + " {\"metric\":\"m\",\"timestamp\":1,\"value\":9223372036854775808,\"tags\":{\"a\":\"b\"}}",
        "TAG_TWICE              |"
            + " {\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\",\"a\":\"c\"}}",
        "NAME_CHARACTER         | {\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b"
            + " c\"}}",
      })
  void refusesWhatIsNoPointAndKeepsItsNeighbours(Reason reason, String text) throws Exception {
    Reading reading = Reading.of(Reading.in(Format.JSONL), GOOD + "\n" + text + "\n" + GOOD);
    assertEquals(List.of(POINT, POINT), reading.points());
    assertEquals(Map.of(reason, 1L), reading.reasons());
    assertTrue(
        reading.rejectLines().get(0).startsWith("in\t2\t" + (GOOD.length() + 1) + "\t"),
        reading.rejectLines()::toString);
  }

  private static List<Point> points(String text) throws Exception {
    Reading reading = Reading.of(Reading.in(Format.JSONL), text);
    assertEquals(List.of(), reading.rejectLines());
    return reading.points();
  }
}
