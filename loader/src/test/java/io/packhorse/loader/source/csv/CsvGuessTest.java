package io.packhorse.loader.source.csv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.ColumnOptions;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.table.UnsureGuessException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables whose first rows mislead: what they hold is stored, a reject, or asked about. */
final class CsvGuessTest {
  private static final long START = 1_705_276_800;

  private static String rows(String header, int count, IntFunction<String> row) {
    return header
        + "\n"
        + IntStream.range(0, count).mapToObj(row).collect(Collectors.joining("\n"))
        + "\n";
  }

  private static SourceSpec stated(ColumnOptions columns) {
    return new SourceSpec(
        Optional.of(Format.CSV),
        Optional.empty(),
        SeriesRules.NONE,
        new TableOptions(Optional.empty(), Optional.empty(), "UTC", Dst.REJECT, columns));
  }

  private static Reading read(String text) throws Exception {
    return Reading.of(Reading.in(Format.CSV), text);
  }

  private static String question(String text) {
    UnsureGuessException e = assertThrows(UnsureGuessException.class, () -> read(text));
    return String.valueOf(e.getMessage());
  }

  private static long points(Reading reading, String metric) {
    return reading.points().stream().filter(p -> p.series().metric().equals(metric)).count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NA", "?"})
  void loadsAColumnThatIsEmptyAtFirst(String nothing) throws Exception {
    Reading reading =
        read(
            rows(
                "ts,tag,a,b",
                12_000,
                i -> START + 420L * i + ",x," + i + "," + (i < 6000 ? nothing : i)));
    assertEquals(12_000, points(reading, "a"));
    assertEquals(6000, points(reading, "b"));
    assertEquals(0, reading.rejected());
  }

  @Test
  void rejectsTextInAColumnThatIsEmptyAtFirst() throws Exception {
    Reading reading =
        read(
            rows("ts,tag,a,b", 12_000, i -> START + 420L * i + ",x,1," + (i < 11_998 ? "" : "on")));
    assertEquals(12_000, points(reading, "a"));
    assertEquals(Map.of(Reason.VALUE_MALFORMED, 2L), reading.reasons());
  }

  @Test
  void rejectsRowsOfALongTableWhoseEmptyColumnIsFilled() throws Exception {
    Reading reading =
        read(
            rows(
                "ts,metric,value,host,site",
                8000,
                i -> START + i + ",m,1,a," + (i < 7990 ? "" : "north")));
    assertEquals(7990, reading.points().size());
    assertEquals(Map.of(Reason.COLUMN_NOT_EMPTY, 10L), reading.reasons());
  }

  @Test
  void rejectsNumbersInAColumnThatHeldOnlyText() throws Exception {
    Reading reading =
        read(
            rows(
                "ts,tag,a,b",
                12_000,
                i -> START + 420L * i + ",x,1," + (i < 11_000 ? "OFF" : 2 * i)));
    assertEquals(11_000, reading.points().size());
    assertEquals(Map.of(Reason.TAG_NUMBER, 1000L), reading.reasons());
  }

  @Test
  void takesWordsForMissingValuesThatTurnUpLate() throws Exception {
    Reading reading =
        read(rows("ts,tag,a", 12_000, i -> START + i + ",x," + (i < 11_000 ? i : "?")));
    assertEquals(11_000, reading.points().size());
    assertEquals(0, reading.rejected());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ts,host,v,v", "ts,host,T (C),T [C]"})
  void refusesTwoColumnsOfOneStoredName(String header) {
    InputException e =
        assertThrows(InputException.class, () -> read(header + "\n1705276800,a,1,2\n"));
    assertTrue(
        String.valueOf(e.getMessage()).contains("would both be stored as value"), e::toString);
  }

  @Test
  void joinsADateWithATimeOfDayInDots() throws Exception {
    Reading reading =
        read("Date;Time;host;CO(GT)\n10/03/2004;18.00.00;a;2,6\n13/03/2004;19.30.00;a;2\n");
    assertEquals(
        List.of(1_078_941_600_000L, 1_079_206_200_000L),
        reading.points().stream().map(Point::timestampMs).toList());
  }

  @Test
  void joinsADateWithAnHour() throws Exception {
    Reading reading =
        read(
            rows(
                "date,hour,host,v",
                48,
                i -> "2024-01-" + (10 + i / 24) + "," + i % 24 + ",a," + i));
    assertEquals(48, reading.points().stream().map(Point::timestampMs).distinct().count());
    assertEquals(1, reading.names().size());
  }

  @Test
  void joinsADateWithATimeOfFourDigits() throws Exception {
    Reading reading =
        read(
            rows(
                "Date,Time,host,v",
                48,
                i -> "2024-01-10," + String.format("%02d%02d", i / 2, i % 2 * 30) + ",a," + i));
    assertEquals(48, reading.points().stream().map(Point::timestampMs).distinct().count());
    assertEquals(1, reading.names().size());
  }

  @Test
  void joinsYearMonthDayAndHour() throws Exception {
    Reading reading =
        read(
            rows(
                "No,year,month,day,hour,pm2.5,cbwd",
                48,
                i -> i + ",2010,1," + (1 + i / 24) + "," + i % 24 + "," + 2 * i + ",NW"));
    assertEquals(1_262_304_000_000L, reading.points().get(0).timestampMs());
    assertEquals(48, reading.points().stream().map(Point::timestampMs).distinct().count());
  }

  @Test
  void asksAboutTimesOfDayThatCannotBeRead() {
    String asked =
        question(rows("date,time,host,v", 48, i -> "2024-01-10," + i % 24 + "h" + i + ",a," + i));
    assertTrue(asked.contains("'time' holds times by its name, but they cannot be read"), asked);
    assertTrue(asked.contains("--time-column"), asked);
  }

  @Test
  void asksIfRowsWouldReplaceEachOther() {
    String asked =
        question(rows("ts,sensor_id,site,v", 300, i -> START + i / 3 + "," + i % 3 + ",a," + i));
    assertTrue(asked.contains("200 of the first 300 rows"), asked);
    assertTrue(asked.contains("'sensor_id' may be what tells them apart: --tag"), asked);
    assertTrue(asked.contains("value sensor_id=0, v=0"), asked);
  }

  @Test
  void readsColumnsAsStated() throws Exception {
    ColumnOptions columns =
        new ColumnOptions(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of("-999"),
            0,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(
                new Column("1", Role.TIME, null),
                new Column("sensor_id", Role.TAG, null),
                new Column("note", Role.IGNORE, null)));
    Reading reading =
        Reading.of(
            stated(columns),
            rows(
                "ts,sensor_id,note,v",
                300,
                i -> START + i / 3 + "," + i % 3 + ",x" + i + "," + (i == 7 ? -999 : i)));
    assertEquals(299, reading.points().size());
    assertEquals(3, reading.names().size());
    assertEquals(0, reading.rejected());
  }

  @Test
  void asksAboutAColumnThatMixesNumbersAndText() {
    String asked =
        question(rows("ts,room,v", 60, i -> START + i + "," + (i % 3 == 0 ? i : "r") + ",1"));
    assertTrue(asked.contains("'room' mixes numbers and text"), asked);
  }

  @Test
  void asksAboutATagThatIsNewInEachRow() {
    String asked = question(rows("ts,note,v", 200, i -> START + i + ",event " + i + ",1"));
    assertTrue(asked.contains("each row a series of its own"), asked);
  }

  @Test
  void trimsBlanksAroundFields() throws Exception {
    Reading reading = read("time, host, PRCP\n2024-01-01, a,   50\n2024-01-02, a,  -7\n");
    assertEquals(List.of(50L, -7L), reading.points().stream().map(Point::bits).toList());
    assertEquals("PRCP{host=a}", reading.points().get(0).series().toString());
  }

  @Test
  void readsNothingOfATableWithoutRows() throws Exception {
    assertEquals(List.of(), read("time,host,v\n").points());
  }

  @Test
  void rejectsSecondsAmongMilliseconds() throws Exception {
    Reading reading =
        read(rows("ts,tag,a", 12_000, i -> (i < 11_000 ? 1000 * (START + i) : START + i) + ",x,1"));
    assertEquals(11_000, reading.points().size());
    assertEquals(Map.of(Reason.TIMESTAMP_OTHER_UNIT, 1000L), reading.reasons());
  }

  @Test
  void rowsOfOneTimeAndSeriesWithEqualValuesAreNoQuestion() throws Exception {
    assertFalse(read("time,host,v\n" + "2024-01-01,a,1\n".repeat(20)).points().isEmpty());
  }
}
