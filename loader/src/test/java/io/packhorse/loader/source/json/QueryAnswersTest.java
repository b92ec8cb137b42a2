package io.packhorse.loader.source.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class QueryAnswersTest {
  private static final SourceSpec DETECTED =
      new SourceSpec(Optional.empty(), Optional.empty(), SeriesRules.NONE);

  @Test
  void readsPointsOfMapsAndArraysInSecondsAndMilliseconds() throws Exception {
    Reading read =
        Reading.of(
            DETECTED,
            """
            [{"metric":"m","tags":{"host":"c"},"aggregateTags":[],"dps":{}},
            {"metric":"sys.cpu","tags":{"host":"a"},"aggregateTags":[],"tsuids":["00"],\
            "dps":{"1356998400":42,"1356998401":42.5,"1356998402":null}},
            {"metric":"sys.cpu","tags":{"host":"b"},"aggregateTags":[],"annotations":[{"a":{"b":1}}],\
            "dps":[[1356998400123,-1.5e3],[1356998400124,7]]},
            {"statsSummary":{"queryIdx_00":{"x":1}}}]
            """);
    assertEquals(
        List.of(
            "sys.cpu{host=a} 1356998400000 42",
            "sys.cpu{host=a} 1356998401000 42.5",
            "sys.cpu{host=b} 1356998400123 -1500.0",
            "sys.cpu{host=b} 1356998400124 7"),
        shown(read));
    assertEquals(0, read.rejected(), read.rejectLines()::toString);
  }

  @Test
  void rejectsEachPointThatIsNone() throws Exception {
    String answer =
        """
        [{"metric":"m","tags":{"host":"a"},"aggregateTags":["dc"],"dps":{"1356998400":1,"1356998401":2}},
        {"dps":{"1356998400":1},"metric":"m","tags":{"host":"a"}},
        {"metric":"m n","tags":{"host":"a"},"aggregateTags":[],"dps":{"1356998400":1}},
        {"metric":"m","tags":{},"aggregateTags":[],"dps":{"1356998400":1}},
        {"metric":"m","tags":{"h":"a"},"aggregateTags":[],
        "dps":{"1356998400":"NaN","1356998401":NaN,"1356998402":true,"x":1,"1356998403":5}},
        {"error":{"code":400}}]
        """;
    Reading read = Reading.of(DETECTED, answer);
    assertEquals(List.of("m{h=a} 1356998403000 5"), shown(read));
    assertEquals(
        Map.of(
            Reason.QUERY_AGGREGATED, 2L,
            Reason.QUERY_ORDER, 1L,
            Reason.NAME_CHARACTER, 1L,
            Reason.NO_TAG, 1L,
            Reason.VALUE_NOT_FINITE, 2L,
            Reason.VALUE_TEXT, 1L,
            Reason.TIMESTAMP_MALFORMED, 1L,
            Reason.QUERY_MALFORMED, 1L),
        read.reasons());
    assertTrue(read.rejectLines().get(4).startsWith("in\t4\t"), read.rejectLines().get(4));
  }

  @Test
  void goesOnWithTheNextObjectAfterDamage() throws Exception {
    String good = "{\"metric\":\"m\",\"tags\":{\"h\":\"a\"},\"dps\":{\"1356998400\":1}}";
    for (String damaged :
        List.of(
            good.replace("tags\":", "tags\"!"),
            good.replace("1}}", "1!}"),
            good.replace("{\"1356998400\":1}", "[[1356998400]]"),
            good.replace("{\"1356998400\":1}", "[1356998400,1]"),
            good.replace(":1}", ":[1]}"))) {
      for (String between : List.of(",", "\n")) {
        String text =
            between.equals(",")
                ? "[" + damaged + "," + good + "," + good + "]"
                : damaged + "\n" + good + "\n" + good + "\n";
        Reading read = Reading.of(Reading.in(Format.QUERY_JSON), text);
        assertEquals(2, read.points().size(), text + read.rejectLines());
        assertEquals(1, read.rejected(), text + read.rejectLines());
      }
    }
    Reading cut =
        Reading.of(Reading.in(Format.QUERY_JSON), "[" + good.substring(0, good.length() - 5));
    assertEquals(1, cut.rejected());
  }

  private static List<String> shown(Reading read) {
    return read.points().stream().map(QueryAnswersTest::shown).toList();
  }

  private static String shown(Point point) {
    return point.series()
        + " "
        + point.timestampMs()
        + " "
        + (point.isDouble() ? Double.longBitsToDouble(point.bits()) + "" : point.bits() + "");
  }
}
