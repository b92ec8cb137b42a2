package io.packhorse.loader.source.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.text.InputHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FormatsTest {
  static final SourceSpec AUTO =
      new SourceSpec(Optional.empty(), Optional.empty(), SeriesRules.NONE);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OPENTSDB    | m 1356998400 42 host=a",
        "OPENTSDB    | put m 1356998400000 -4.2e3 host=a b=c",
        "OPENTSDB    | # only a remark",
        "LINE        | cpu,host=a usage=1 1356998400000000000",
        "LINE        | cpu,host=a,b=c\\ d usage=1i,text=\"a b, c\" 1356998400000000000",
        "LINE        | cpu value=1.5",
        "OPENMETRICS | up{job=\"a b\",le=\"+Inf\"} 1 1356998400000",
        "OPENMETRICS | # TYPE up gauge~up 1 1356998400",
        "JSONL       | {\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{}}",
        "JSONL       | [~  {\"metric\": \"m\"}]",
        "CSV         | time,value~2024-01-01,5",
        "CSV         | a;b;c~1;2;3",
        "PARQUET     | PAR1xxxx",
        "CSV         | 1356998400,5,a~1356998401,5,b",
      })
  void tellsFormatsByTheirFirstLines(Format format, String text) throws InputException {
    assertEquals(format, FormatGuess.of(head(text.replace('~', '\n'))));
  }

  @Test
  void tellsFormatsByLinesOfAnyLength() throws InputException {
    String columns = ",sensor".repeat(9000);
    assertEquals(Format.CSV, FormatGuess.of(head("time" + columns + "\n1" + columns)));
    String tags = ",host=\\ a".repeat(7000);
    assertEquals(Format.LINE, FormatGuess.of(head("cpu" + tags + " usage=1 1356998400")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "hello world", "\u0000\u0001\u0002", "<html>"})
  void refusesWhatLooksLikeNothing(String text) {
    InputException e = assertThrows(InputException.class, () -> FormatGuess.of(head(text)));
    assertTrue(String.valueOf(e.getMessage()).contains("--format"), e::toString);
  }

  @Test
  void readsEachInputInItsOwnFormatIntoTheSameSeries() throws Exception {
    Reading reading =
        Reading.of(
            AUTO,
            List.of(
                Reading.input("a", "cpu.idle 1356998400 42.0 host=a\n"),
                Reading.input("b", "cpu,host=a idle=42 1356998400000000000\n"),
                Reading.input("c", "cpu.idle{host=\"a\"} 42.0 1356998400.000\n"),
                Reading.input(
                    "d",
                    "[{\"metric\":\"cpu.idle\",\"timestamp\":1356998400,\"value\":42.0,"
                        + "\"tags\":{\"host\":\"a\"}}]")));
    assertEquals(4, reading.points().size(), reading.rejectLines()::toString);
    assertEquals(1, reading.points().stream().distinct().count(), reading.points()::toString);
    assertEquals(1, reading.names().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OPENTSDB    | m.v 1356998400 # host=a req=",
        "LINE        | m,host=a,req=@ v=#i,w=\"x\",u=# 1356998400",
        "OPENMETRICS | m.v{host=\"a\",req=\"@\"} # 1356998400",
      })
  void readsMoreSpellingsOfASeriesThanThereIsRoomFor(Format format, String line) throws Exception {
    SeriesRules rules =
        new SeriesRules(
            Map.of(), Map.of(), Map.of(), Set.of("req"), Map.of(), false, 8, 0, Long.MAX_VALUE);
    SourceSpec spec = new SourceSpec(Optional.of(format), Optional.empty(), rules);
    StringBuilder text = new StringBuilder();
    List<Long> expected = new ArrayList<>();
    for (long i = 0; i < 300_000; i++) {
      String request = "x" + i % 290_000;
      String here = line.endsWith("=") ? line + "@" : line;
      text.append(here.replace("@", request).replace("#", "" + i)).append('\n');
      expected.add(i);
    }
    Reading reading = Reading.of(spec, text.toString());
    assertEquals(format == Format.LINE ? 2 : 1, reading.names().size());
    assertEquals(format == Format.LINE ? 300_000 : 0, reading.rejected());
    SeriesName series = SeriesName.of("m.v", "host", "a");
    assertEquals(
        expected,
        reading.points().stream().filter(p -> p.series().equals(series)).map(Point::bits).toList());
  }

  private static InputHead head(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new InputHead("in", bytes, 0, bytes.length, true);
  }
}
