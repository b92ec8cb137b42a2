package io.packhorse.loader.source.influx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LineProtocolTest {
  private static final String NANOS = " 1356998400123456789";
  private static final long MILLIS = 1_356_998_400_123L;
  private static final SeriesName USER = SeriesName.of("cpu.user", "host", "a");

  @Test
  void makesAPointOfEachFieldInItsOwnKind() throws Exception {
    assertEquals(
        List.of(
            new Point(USER, MILLIS, -42, false),
            new Point(
                SeriesName.of("cpu.load", "host", "a"),
                MILLIS,
                Double.doubleToRawLongBits(42.0),
                true),
            new Point(
                SeriesName.of("cpu.e", "host", "a"),
                MILLIS,
                Double.doubleToRawLongBits(-1.5e-3),
                true),
            new Point(SeriesName.of("cpu.u", "host", "a"), MILLIS, 7, false)),
        points("cpu,host=a user=-42i,load=42,e=-1.5e-3,u=7u" + NANOS));
  }

  @Test
  void readsEscapedNames() throws Exception {
    SourceSpec spec =
        spec(
            new SeriesRules(
                Map.of(), Map.of(), Map.of(), Set.of(), Map.of(), true, 8, 0, Long.MAX_VALUE));
    Reading reading =
        Reading.of(
            spec,
            "my\\ cpu,host\\=name=a\\,b\\ c,back=x\\y us\\ er=1,q=\"a \\\" b, c=\",z=2" + NANOS);
    TreeMap<String, String> tags = new TreeMap<>(Map.of("host_name", "a_b_c", "back", "x_y"));
    assertEquals(
        List.of(new SeriesName("my_cpu.us_er", tags), new SeriesName("my_cpu.z", tags)),
        reading.points().stream().map(Point::series).toList());
    assertEquals(Map.of(Reason.VALUE_TEXT, 1L), reading.reasons());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TIMESTAMP_MISSING       | cpu,host=a user=1",
        "TIMESTAMP_MALFORMED     | cpu,host=a user=1 yesterday",
        "TIMESTAMP_OUT_OF_RANGE  | cpu,host=a user=1 -5",
        "LINE_PROTOCOL_MALFORMED | cpu,host=a user= 1356998400000000000",
        "LINE_PROTOCOL_MALFORMED | cpu,host=a =1 1356998400000000000",
        "LINE_PROTOCOL_MALFORMED | cpu,host=a 1356998400000000000",
        "LINE_PROTOCOL_MALFORMED | cpu,host=a user=\"x 1356998400000000000",
        "LINE_PROTOCOL_MALFORMED | cpu,host=a user=1,",
        "LINE_PROTOCOL_MALFORMED | ,host=a user=1 1356998400000000000",
        "NO_TAG                  | cpu user=1 1356998400000000000",
        "TAG_MALFORMED           | cpu,host user=1 1356998400000000000",
        "TAG_MALFORMED           | cpu,host= user=1 1356998400000000000",
        "TAG_MALFORMED           | cpu,=a user=1 1356998400000000000",
        "TAG_MALFORMED           | cpu,,host=a user=1 1356998400000000000",
        "TAG_TWICE               | cpu,host=a,host=b user=1 1356998400000000000",
        "NAME_CHARACTER          | cpu,host=a:1 user=1 1356998400000000000",
        "NAME_CHARACTER          | cpu,host=a us:er=1 1356998400000000000",
        "VALUE_TEXT              | cpu,host=a user=\"x\" 1356998400000000000",
        "VALUE_TEXT              | cpu,host=a user=true 1356998400000000000",
        "VALUE_TEXT              | cpu,host=a user=F 1356998400000000000",
        "VALUE_MALFORMED         | cpu,host=a user=12x 1356998400000000000",
        "VALUE_MALFORMED         | cpu,host=a user=i 1356998400000000000",
        "VALUE_MALFORMED         | cpu,host=a user=1.5i 1356998400000000000",
        "VALUE_NOT_FINITE        | cpu,host=a user=NaN 1356998400000000000",
        "INTEGER_TOO_LARGE       | cpu,host=a user=9223372036854775808i 1356998400000000000",
        "INTEGER_TOO_LARGE       | cpu,host=a user=18446744073709551615u 1356998400000000000",
      })
  void refusesWhatIsNoPointAndKeepsItsNeighbours(Reason reason, String line) throws Exception {
    String good = "cpu,host=a user=1i" + NANOS + "\n";
    Reading reading = Reading.of(Reading.in(Format.LINE), good + line + "\r\n" + good);
    assertEquals(Map.of(reason, 1L), reading.reasons());
    assertEquals(2, reading.points().size());
  }

  @Test
  void refusesLinesWithoutFieldsOfAHostThatHasNone() throws Exception {
    String text = "cpu,host=a note=\"x\"" + NANOS + "\n";
    Reading reading =
        Reading.of(Reading.in(Format.LINE), text + text + ("cpu,host=a" + NANOS + "\n").repeat(3));
    assertEquals(
        Map.of(Reason.VALUE_TEXT, 2L, Reason.LINE_PROTOCOL_MALFORMED, 3L), reading.reasons());
  }

  @Test
  void keepsTheGoodFieldsOfALineAndLocatesTheBadOne() throws Exception {
    Reading reading =
        Reading.of(Reading.in(Format.LINE), "# x\ncpu,host=a user=1,note=\"hm\",load=2" + NANOS);
    assertEquals(2, reading.points().size());
    assertEquals(
        List.of("in\t2\t22\t" + Reason.VALUE_TEXT + "\tnote=\"hm\""), reading.rejectLines());
  }

  @Test
  void knowsSeriesWhateverTheOrderOfFieldsAndTags() throws Exception {
    SplittableRandom random = new SplittableRandom(8);
    List<Point> expected = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 5000; line++) {
      String host = "h" + random.nextInt(50);
      boolean swapped = random.nextBoolean();
      text.append("cpu").append(swapped ? ",dc=x,host=" + host : ",host=" + host + ",dc=x");
      TreeMap<String, String> tags = new TreeMap<>(Map.of("host", host, "dc", "x"));
      int first = random.nextInt(12);
      for (int i = 0; i < 3; i++) {
        String field = "f" + (first + i * 5) % 12;
        long value = random.nextLong();
        text.append(i == 0 ? ' ' : ',').append(field).append('=').append(value).append('i');
        long millis = 1_356_998_400_000L + line;
        expected.add(new Point(new SeriesName("cpu." + field, tags), millis, value, false));
      }
      text.append(' ').append(1_356_998_400_000L + line).append("000000\n");
    }
    Reading reading = Reading.of(Reading.in(Format.LINE), text.toString());
    assertEquals(expected, reading.points());
    assertEquals(50 * 12, reading.names().size());
  }

  @Test
  void hostsWithFieldsOfTheirOwnTakeRoomForThoseAlone() throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    List<SeriesName> expected = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int hosts = 60_000;
    for (int line = 0; line < 2 * hosts; line++) {
      int host = line < hosts ? line : random.nextInt(hosts);
      text.append("opc,id=n").append(host).append(" v").append(host).append("=1i").append(NANOS);
      text.append('\n');
      expected.add(SeriesName.of("opc.v" + host, "id", "n" + host));
    }
    Reading reading = Reading.of(Reading.in(Format.LINE), text.toString());
    assertEquals(expected, reading.points().stream().map(Point::series).toList());
    assertEquals(hosts, reading.names().size());
  }

  @Test
  void infersTheUnitFromTheWholeBeginning() throws Exception {
    for (String zeros : List.of("", "000", "000000", "000000000")) {
      String line = "cpu,host=a user=1 1356998400" + zeros + "\n";
      Reading reading = Reading.of(Reading.in(Format.LINE), line);
      assertEquals(1_356_998_400_000L, reading.points().get(0).timestampMs());
    }
  }

  @Test
  void infersTheUnitFromTimestampsAlone() throws Exception {
    String text = "# written at 1700000000\ncpu,host=a user=1" + NANOS + " \t\n";
    Reading reading = Reading.of(Reading.in(Format.LINE), text);
    assertEquals(List.of(MILLIS), reading.points().stream().map(Point::timestampMs).toList());
  }

  @Test
  void asksForTheUnitWhereTimestampsDisagree() {
    String text = "cpu,host=a user=1 1356998400\ncpu,host=a user=1 1356998400000\n";
    Exception e =
        org.junit.jupiter.api.Assertions.assertThrows(
            io.packhorse.loader.source.input.InputException.class,
            () -> Reading.of(Reading.in(Format.LINE), text));
    assertTrue(String.valueOf(e.getMessage()).contains("--timestamp-unit"), e::toString);
  }

  private static SourceSpec spec(SeriesRules rules) {
    return new SourceSpec(Optional.of(Format.LINE), Optional.empty(), rules);
  }

  private static List<Point> points(String text) throws Exception {
    Reading reading = Reading.of(Reading.in(Format.LINE), text);
    assertEquals(List.of(), reading.rejectLines());
    return reading.points();
  }

  @Test
  void readsLineEndsInsideStrings() throws Exception {
    String text =
        """
        syslog,host=a message="disk full on sda,
        cpu,host=b usage=99 1700000000000000000
        end",severity=3i 1700000000000000001
        cpu,host=a user=1 1700000000000000002
        """;
    Reading reading = Reading.of(spec(SeriesRules.NONE), text);
    assertEquals(
        List.of("syslog.severity", "cpu.user"),
        reading.points().stream().map(each -> each.series().metric()).toList());
    assertEquals(Map.of(Reason.VALUE_TEXT, 1L), reading.reasons());
    Reading slow =
        Reading.of(spec(SeriesRules.NONE), List.of(Reading.slow(text.getBytes(UTF_8), 1)));
    assertEquals(reading.points(), slow.points());
  }

  @Test
  void losesOnlyTheLineOfAStringThatIsNotClosed() throws Exception {
    String good = "cpu,host=a note=\"x\",user=1" + NANOS + "\n";
    Reading reading =
        Reading.of(
            spec(SeriesRules.NONE), "cpu,host=a note=\"y,user=1" + NANOS + "\n" + good.repeat(3));
    assertEquals(3, reading.points().size());
    assertEquals(
        Map.of(Reason.LINE_PROTOCOL_MALFORMED, 1L, Reason.VALUE_TEXT, 3L), reading.reasons());
  }

  @Test
  void leavesTextOutAndStoresBooleansByChoice() throws Exception {
    SourceSpec spec =
        new SourceSpec(
            Optional.of(Format.LINE),
            Optional.empty(),
            SeriesRules.NONE,
            TableOptions.NONE,
            new FieldRules(true, true));
    Reading reading =
        Reading.of(spec, "cpu,host=a name=\"x\",up=true,down=F,odd=maybe,user=2i" + NANOS + "\n");
    assertEquals(List.of(1L, 0L, 2L), reading.points().stream().map(Point::bits).toList());
    assertEquals(1, reading.leftOut());
    assertEquals(1, reading.rejected());
  }

  @Test
  void refusesSecondsInAFileOfMilliseconds() throws Exception {
    Reading reading =
        Reading.of(
            spec(SeriesRules.NONE),
            "cpu,host=a user=1 1704067200000\ncpu,host=a user=3 1704067260000\n"
                + ("#" + " ".repeat(100) + "\n").repeat(20_000)
                + "cpu,host=a user=2 1704067200\n");
    assertEquals(2, reading.points().size());
    assertEquals(Map.of(Reason.TIMESTAMP_OTHER_UNIT, 1L), reading.reasons());
  }
}
