package io.packhorse.loader.source.csv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.table.TableOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CsvFormatTest {
  private static final long START = 1_704_067_200_000L;

  private static Point point(String metric, long millis, long value) {
    return new Point(SeriesName.of(metric, "host", "a"), millis, value, false);
  }

  private static Point point(String metric, long millis, double value) {
    long bits = Double.doubleToRawLongBits(value);
    return new Point(SeriesName.of(metric, "host", "a"), millis, bits, true);
  }

  @Test
  void readsAWideTable() throws Exception {
    assertEquals(
        List.of(
            point("temp", START, 21.5),
            point("load", START, 7),
            point("load", START + 60_000, -8),
            point("temp", START + 120_000, 1e-3)),
        points(
            """
            time,host,temp,load
            2024-01-01 00:00:00,a,21.5,7
            2024-01-01 00:01:00,a,,-8
            2024-01-01 00:02:00,a,1e-3,
            """));
  }

  @Test
  void readsALongTable() throws Exception {
    assertEquals(
        List.of(point("temp", START, 21.5), point("load", START, 7), point("temp", START, 3)),
        points(
            """
            host;metric;value;timestamp
            a;temp;21.5;1704067200
            a;load;7;1704067200
            a;temp;3;1704067200
            """));
  }

  @Test
  void readsQuotedFieldsWithEverythingInThem() throws Exception {
    Reading reading =
        read(
            spec(replacing()),
            """
            time,"the ""host""\",v
            2024-01-01,"a, b
            c","5"
            2024-01-02,"",6
            2024-01-03,d,x
            """
                .replace("\n", "\r\n"));
    assertEquals(
        List.of(new Point(SeriesName.of("v", "the_host", "a__b__c"), START, 5, false)),
        reading.points());
    assertEquals(
        List.of(
            "in\t4\t49\t" + Reason.NO_TAG + "\t2024-01-02,\"\",6",
            "in\t5\t66\t" + Reason.VALUE_MALFORMED + "\t2024-01-03,d,x"),
        reading.rejectLines());
  }

  @Test
  void readsALastRowWithALineEndInQuotesAndNoneBehindIt() throws Exception {
    String text = "time,host,v,note\n2024-01-01,a,1,x\n2024-01-02,a,2,\"x\ny\"";
    SourceSpec spec = spec(replacing());
    Reading reading = read(spec, text);
    assertEquals(List.of(), reading.rejectLines());
    assertEquals(List.of(START, START + 86_400_000), times(reading));
    Reading slow =
        Reading.of(spec, List.of(Reading.slow(text.getBytes(StandardCharsets.UTF_8), 1)));
    assertEquals(reading.points(), slow.points());
  }

  @Test
  void readsTabsDecimalCommasAndTimesOfDayInTheirOwnColumn() throws Exception {
    assertEquals(
        List.of(point("v", START + 3_600_000, 21.5), point("v", START + 12 * 86_400_000L, -3)),
        points(
            """
            Date#Time#host#v
            1.1.2024#01:00#a#21,5
            1.1.2024#02:00#a#?
            13.1.2024#0:00#a#-3
            """
                .replace('#', '\t')));
  }

  @Test
  void readsTablesWhoseColumnsLieInAnotherOrder() throws Exception {
    Reading reading =
        Reading.of(
            spec(SeriesRules.NONE),
            List.of(
                Reading.input("a", "time,host,v,none\n2024-01-01,a,5,\n"),
                Reading.input("b", "none,v,host,time\n,5,a,2024-01-01\n")));
    assertEquals(List.of(point("v", START, 5), point("v", START, 5)), reading.points());
  }

  @Test
  void readsAllColumnsOfOneName() throws Exception {
    assertRefused(
        "would both be stored as value v",
        "time,v,host,v,v\n2024-01-01,5,a,6,\n2024-01-02,7,a,,\n");
    TableMapping mapping =
        new TableMapping(
            ",",
            "\"",
            true,
            ".",
            List.of(),
            TableOptions.ISO_TIME,
            List.of(
                new Column("v", Role.VALUE, "first"),
                new Column("v", Role.VALUE, "second"),
                new Column("time", Role.TIME, null),
                new Column("host", Role.TAG, null)));
    SourceSpec spec = Reading.mapped(mapping);
    assertEquals(
        List.of(point("first", START, 5), point("second", START, 6)),
        read(spec, "time,v,host,v,v\n2024-01-01,5,a,6,9\n").points());
    InputException e =
        assertThrows(InputException.class, () -> read(spec, "time,v,host\n2024-01-01,5,a\n"));
    assertTrue(String.valueOf(e.getMessage()).contains("too few columns 'v'"), e::toString);
  }

  @Test
  void passesOverEmptyLinesBeforeTheHeader() throws Exception {
    Reading reading =
        read(spec(SeriesRules.NONE), "\r\n\ntime,host,v\n2024-01-01,a,5\n2024-01-02,a,6\nx,a,7\n");
    assertEquals(List.of(START, START + 86_400_000), times(reading));
    assertEquals(
        List.of("in\t6\t45\t" + Reason.TIMESTAMP_MALFORMED + "\tx,a,7"), reading.rejectLines());
  }

  @Test
  void leavesColumnsWithoutNameOut() throws Exception {
    assertEquals(List.of(point("v", START, 5)), points(",time,host,v,\n0,2024-01-01,a,5,note\n"));
  }

  @Test
  void leavesDroppedTagsOutWhateverTheirBytes() throws Exception {
    SeriesRules rules =
        new SeriesRules(
            Map.of(), Map.of(), Map.of(), Set.of("note"), Map.of(), false, 8, 0, Long.MAX_VALUE);
    byte[] text = "time,host,note,v\n2024-01-01,a,\u00e9,5\n".getBytes(StandardCharsets.ISO_8859_1);
    Reading reading = Reading.of(spec(rules), text);
    assertEquals(List.of(), reading.rejectLines());
    assertEquals(List.of(point("v", START, 5)), reading.points());
  }

  @Test
  void passesOverTheHeaderWhereverItComesAgain() throws Exception {
    assertEquals(2, points("time,host,v\n2024-01-01,a,1\ntime,host,v\n2024-01-02,a,2\n").size());
  }

  @Test
  void readsLocalTimesByTheRuleForClocksThatAreChanged() throws Exception {
    String text =
        """
        time,host,v
        2024-03-31T01:59:59,a,1
        2024-03-31T02:30:00,a,2
        2024-03-31T03:00:00,a,3
        2024-10-27T02:30:00,a,4
        2024-10-27T02:30:00+01:00,a,5
        """;
    Reading rejected = read(spec("Europe/Oslo", Dst.REJECT), text);
    assertEquals(
        List.of(1_711_846_799_000L, 1_711_846_800_000L, 1_729_992_600_000L), times(rejected));
    assertEquals(
        Map.of(Reason.NONEXISTENT_LOCAL_TIME, 1L, Reason.AMBIGUOUS_LOCAL_TIME, 1L),
        rejected.reasons());
    assertEquals(
        List.of(
            1_711_846_799_000L,
            1_711_848_600_000L,
            1_711_846_800_000L,
            1_729_989_000_000L,
            1_729_992_600_000L),
        times(read(spec("Europe/Oslo", Dst.EARLIER), text)));
    assertEquals(
        List.of(
            1_711_846_799_000L,
            1_711_845_000_000L,
            1_711_846_800_000L,
            1_729_992_600_000L,
            1_729_992_600_000L),
        times(read(spec("Europe/Oslo", Dst.LATER), text)));
  }

  @ParameterizedTest
  @CsvSource({
    "d.M.uuuu,31.2.2024,30.4.2024",
    "uuuuMMdd,20240431,20240430",
    "d/M/uuuu H:mm,29/2/2023 24:00,29/4/2024 24:00",
    "M/d/uuuu H:mm,11/31/2023 0:00,4/30/2024 0:00",
  })
  void refusesDaysThatTheirMonthHasNotGot(String format, String none, String day) throws Exception {
    Reading reading =
        read(
            withTimes(format, "UTC"),
            "time,host,v\n" + day + ",a,1\n" + none + ",a,2\n" + day + ",a,3\n");
    assertEquals(Map.of(Reason.TIMESTAMP_MALFORMED, 1L), reading.reasons());
    assertEquals(List.of(START + 120 * 86_400_000L, START + 120 * 86_400_000L), times(reading));
  }

  @Test
  void takesTheZoneThatStandsBesideATime() throws Exception {
    String text =
        """
        time,host,v
        1.1.2024 00.00 Asia/Tokyo,a,1
        1.1.2024 00.00 UTC,a,2
        1.1.2024 00.00 +02:00,a,3
        31.3.2024 02.30 Europe/Oslo,a,4
        """;
    Reading reading = read(withTimes("d.M.uuuu HH.mm VV", "America/New_York"), text);
    assertEquals(List.of(START - 32_400_000, START, START - 7_200_000), times(reading));
    assertEquals(Map.of(Reason.NONEXISTENT_LOCAL_TIME, 1L), reading.reasons());
  }

  @Test
  void findsTheColumnOfTimesThatAreWrittenAsStated() throws Exception {
    assertEquals(
        List.of(START + 600_000),
        times(
            read(
                withTimes("EEE MMM d HH.mm uuuu", "UTC"),
                "host,when,v\na,Mon Jan 1 00.10 2024,1\n")));
    assertEquals(
        List.of(START), times(read(withTimes("s", "UTC"), "v,host,time\n5,a,1704067200\n")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ROW_LENGTH             | 2024-01-01,a",
        "ROW_LENGTH             | 2024-01-01,a,1,2",
        "ROW_MALFORMED          | 2024-01-01,a,\"1",
        "ROW_MALFORMED          | 2024-01-01,\"a\"b,1",
        "TIMESTAMP_MALFORMED    | ,a,1",
        "TIMESTAMP_MALFORMED    | 2024-02-30,a,1",
        "TIMESTAMP_MALFORMED    | 2024-01-01T25:00,a,1",
        "TIMESTAMP_OUT_OF_RANGE | 1969-12-31,a,1",
        "TIMESTAMP_OUT_OF_RANGE | 2200-01-01,a,1",
        "VALUE_MALFORMED        | 2024-01-01,a,high",
        "VALUE_NOT_FINITE       | 2024-01-01,a,inf",
        "INTEGER_TOO_LARGE      | 2024-01-01,a,9223372036854775808",
        "NO_TAG                 | 2024-01-01,,1",
        "NAME_CHARACTER         | 2024-01-01,a b,1",
      })
  void refusesWhatIsNoPointAndKeepsItsNeighbours(Reason reason, String row) throws Exception {
    String good = "2024-01-01,a,1\n";
    Reading reading =
        Reading.of(spec(SeriesRules.NONE), "time,host,v\n" + good + row + "\n" + good);
    assertEquals(Map.of(reason, 1L), reading.reasons());
    assertEquals(2, reading.points().size());
    assertTrue(reading.rejectLines().get(0).startsWith("in\t3\t27\t"));
  }

  @Test
  void losesOnlyTheLineOfAQuoteThatIsNotClosed() throws Exception {
    String good = "2024-01-01,a,1\n";
    Reading reading =
        read(spec(SeriesRules.NONE), "time,host,v\n2024-01-01,\"a,1\n" + good.repeat(10_000));
    assertEquals(10_000, reading.points().size());
    assertEquals(Map.of(Reason.ROW_MALFORMED, 1L), reading.reasons());
  }

  @Test
  void locatesNamesThatAreNotUtf8() throws Exception {
    byte[] text = "time,host,v\n2024-01-01,a,1\n2024-01-01,?,1\n".getBytes(StandardCharsets.UTF_8);
    text[38] = (byte) 0xe9;
    Reading reading = Reading.of(spec(SeriesRules.NONE), text);
    assertEquals(Map.of(Reason.NOT_UTF_8, 1L), reading.reasons());
    assertEquals(
        "in\t3\t27\t" + Reason.NOT_UTF_8 + "\t2024-01-01,\\xe9,1", reading.rejectLines().get(0));
  }

  @Test
  void saysWhatItCannotFindOut() {
    assertRefused("--timestamp-format", "time,host,v\n01/02/2024,a,1\n");
    assertRefused("no column that looks like times", "x,host,v\n5,a,1\n");
    assertRefused("--add-tag", "time,v\n2024-01-01,1\n");
    assertRefused("no column of numbers", "time,host\n2024-01-01,a\n");
    assertRefused("--timestamp-unit", "time,v,host\n12,1,a\n");
  }

  @Test
  void readsByAMappingWhateverTheOrderOfColumns() throws Exception {
    TableMapping mapping =
        new TableMapping(
            "|",
            "'",
            true,
            ".",
            List.of("nix"),
            new TableMapping.Time("d/M/uuuu", "Asia/Kathmandu", Dst.REJECT),
            List.of(
                new Column("v", Role.VALUE, "temp"),
                new Column("when", Role.TIME, null),
                new Column("where", Role.TAG, "host")));
    SourceSpec spec = Reading.mapped(mapping);
    Reading reading = Reading.of(spec, "note|where|v|when\n''|'a'|5|1/1/2024\n|a|nix|1/1/2024\n");
    assertEquals(List.of(point("temp", START - 20_700_000, 5)), reading.points());
    assertEquals(0, reading.rejected());
    InputException e =
        assertThrows(InputException.class, () -> Reading.of(spec, "where|when\na|1/1/2024\n"));
    assertTrue(String.valueOf(e.getMessage()).contains("has no column 'v'"), e::toString);
  }

  private static void assertRefused(String why, String text) {
    InputException e = assertThrows(InputException.class, () -> read(spec(SeriesRules.NONE), text));
    assertTrue(String.valueOf(e.getMessage()).contains(why), e::toString);
  }

  private static List<Long> times(Reading reading) {
    return reading.points().stream().map(Point::timestampMs).toList();
  }

  private static SourceSpec spec(SeriesRules rules) {
    return new SourceSpec(Optional.of(Format.CSV), Optional.empty(), rules);
  }

  private static SeriesRules replacing() {
    return new SeriesRules(
        Map.of(), Map.of(), Map.of(), Set.of(), Map.of(), true, 8, 0, Long.MAX_VALUE);
  }

  private static SourceSpec spec(String zone, Dst dst) {
    return new SourceSpec(
        Optional.of(Format.CSV),
        Optional.empty(),
        SeriesRules.NONE,
        new TableOptions(Optional.empty(), Optional.empty(), zone, dst));
  }

  private static SourceSpec withTimes(String format, String zone) {
    return new SourceSpec(
        Optional.of(Format.CSV),
        Optional.empty(),
        SeriesRules.NONE,
        new TableOptions(Optional.empty(), Optional.of(format), zone, Dst.REJECT));
  }

  private static Reading read(SourceSpec spec, String text) throws Exception {
    return Reading.of(spec, text);
  }

  private static List<Point> points(String text) throws Exception {
    Reading reading = read(spec(SeriesRules.NONE), text);
    assertEquals(List.of(), reading.rejectLines());
    return reading.points();
  }
}
