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

  /** A word that stands for a missing number says that its column should hold numbers. */
  @ParameterizedTest
  @ValueSource(strings = {"nan,~", "NaN,off", "NA,off", "?,off"})
  void asksAboutAColumnOfTextAndMissingValues(String words) {
    String[] load = words.split(",", -1);
    String question =
        question(
            "datetime,room,PM2.5,load\n2029-04-12 20:31:36,beta,797910,"
                + load[0]
                + "\n2029-04-14 03:11:13,beta,214105,"
                + load[1]
                + "\n");
    assertTrue(
        question.contains("'" + load[1] + "' and '" + load[0] + "', which stands for a missing"),
        question);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A date of two digits is as good as another column's, beside a time of day.
        """
        date,PM2.5,month,time
        25.03.21,301450,2003-04,05:50
        25.03.21,116464,2003-04,05:49
        """,
        """
        day,month,year,hour,host,installed,v
        26,8,05,21,a,2005-05-06,1
        26,8,05,22,a,2005-05-06,2
        """,
        """
        PM2.5,site,date,Date,Time
        9418.79,d-4,2006-09-06,2006/09/05,21:26:27.768
        4597.83,d-4,2006-09-09,2006/09/08,21:26:27.172
        """,
        // Only one of the two days is right.
        """
        day,value,metric,date,month,year,hour
        14,-245.978,cpu.load,2021-05-15,5,21,22
        14,267.725,temp,2021-05-15,5,21,21
        """,
        """
        when,v,host,received
        2009-11-19,168303,a,2009-11-19T02:59:01Z
        2009-11-18,604891,a,2009-11-18T18:40:07Z
        """,
        // The number counts milliseconds of 1976, or it is a time of the day before.
        """
        t,temp,host,date
        200703181840,881118,a,2007-03-19
        200703181845,118802,a,2007-03-19
        """
      })
  void asksWhichOfTwoColumnsIsTheTime(String table) {
    String question = question(table);
    assertTrue(question.contains("the time of a row may be in"), question);
  }

  @Test
  void asksAboutATitleThatTakesTheHeadersPlace() {
    String question =
        question(
            """
            Pumps of the north
            20080128T083014 8053.56 170203.7   -848.892
            20080129T083014 17220.28 199231.6   1395.105
            """);
    assertTrue(question.contains("which may be a title"), question);
  }

  @Test
  void asksWhichOfTwoColumnsIsTheDate() {
    String question =
        question(
            """
            unit,Time,temp,Date
            kWh,23.10.36,464.106,08.01.13
            kWh,23.08.36,782.386,08.01.13
            """);
    assertTrue(question.contains("a date and a time of day in either order"), question);
  }

  @Test
  void asksWhatACommaIsBesideTimesWithPoints() {
    String question =
        question(
            """
            Zeit,site,v
            1600298536.955,south,"-651,487"
            1600212136.688,south,"-682,101"
            """);
    assertTrue(question.contains("before decimals, or between thousands"), question);
  }

  /** One damaged word does not make values of numbers that tell series apart. */
  @Test
  void keepsIdsBesideADamagedOne() throws Exception {
    Reading reading = read("ts,sensor_id,v\n1705276800,of,1\n1705276801,007,2\n1705276802,008,3\n");
    assertEquals(3, reading.points().size());
    assertEquals(3, reading.names().size());
  }

  @Test
  void storesTruthsAsNumbersByChoice() throws Exception {
    String table = "ts,host,v,alarm\n1705276800,a,1,yes\n1705276860,a,2,no\n1705276920,a,3,?\n";
    String question = question(table);
    assertTrue(
        question.contains("'alarm' says no or yes, which is not a number: --booleans-as-numbers"),
        question);
    SourceSpec booleans =
        new SourceSpec(
            Optional.of(Format.CSV),
            Optional.empty(),
            SeriesRules.NONE,
            new TableOptions(
                Optional.empty(), Optional.empty(), "UTC", Dst.REJECT, ColumnOptions.NONE, true));
    Reading reading = Reading.of(booleans, table);
    assertEquals(3, points(reading, "v"));
    assertEquals(
        List.of(1L, 0L),
        reading.points().stream()
            .filter(point -> point.series().metric().equals("alarm"))
            .map(Point::bits)
            .toList());
  }

  @Test
  void asksAboutATitleThatFitsTheHeader() {
    String question =
        question(
            """
            # made by a logger
            Pumps of the north
            Date   Time metric value
            29.05.2025 22:36:50 cpu.load 7671,97
            29.05.2025 22:37:50 cpu.load 7671,98
            """);
    assertTrue(
        question.contains("--skip-lines 2 makes that the header")
            && question.contains("with --skip-lines 3 states the names"),
        question);
  }

  @Test
  void loadsALongTableWhoseOnlyValueIsMissing() throws Exception {
    Reading reading =
        read(
            """
            "ts"|"area"|"metric"|"value"
            "9.2.2002 20:25:52"|"alpha"|"cpu.load"|""
            """);
    assertEquals(0, reading.points().size() + reading.rejected());
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
        question(rows("ts,probe,site,v", 300, i -> START + i / 3 + "," + i % 3 + ",a," + i));
    assertTrue(asked.contains("200 of the first 300 rows"), asked);
    assertTrue(asked.contains("'probe' may be what tells them apart: --tag"), asked);
    assertTrue(asked.contains("value probe=0, v=0"), asked);
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

  /** The times of a table that has one column of them. */
  private static List<Long> times(String... words) throws Exception {
    String rows = String.join(",a,1\n", words);
    return read("time,host,v\n" + rows + ",a,1\n").points().stream()
        .map(Point::timestampMs)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "20240131235959",
        "20240131235959000",
        "20240131T235959",
        "20240131T235959Z",
        "2024-01-31 23:59:59 UTC",
        "2024-01-31 23:59:59 Z",
        "2024-01-31 23:59:59 GMT",
        "31.01.2024 23:59:59 UTC",
        "31.01.2024 23:59:59 +00:00",
        "Wed Jan 31 23:59:59 2024",
        "Wed Jan 31 23:59:59 UTC 2024",
        "31/Jan/2024:23:59:59 +0000",
        "31-Jan-24 23:59:59",
        "01/31/24 23:59:59"
      })
  void readsTimesInManyForms(String word) throws Exception {
    assertEquals(List.of(1_706_745_599_000L), times(word));
  }

  @Test
  void readsDaysThatCtimePadsWithABlank() throws Exception {
    assertEquals(
        List.of(1_704_240_000_000L, 1_704_931_200_000L),
        times("Wed Jan  3 00:00:00 2024", "Thu Jan 11 00:00:00 2024"));
  }

  @Test
  void takesYearsOfTwoDigitsFor1970To2069() throws Exception {
    assertEquals(
        List.of(946_598_400_000L, 946_684_800_000L), times("31-Dec-99 00:00", "01-Jan-00 00:00"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"31.01.24 10:00", "24-01-31 10:00", "01/02/24", "2034020312", "202401312359"})
  void asksAboutTimesOfSeveralMeanings(String word) {
    InputException e = assertThrows(InputException.class, () -> times(word));
    String asked = String.valueOf(e.getMessage());
    assertTrue(asked.contains("more than one way; state which with --timestamp-format: '"), asked);
  }

  @Test
  void takesNumbersOfDevicesForTags() throws Exception {
    Reading reading =
        read(rows("ts,sensor_id,v", 50, i -> START + 7L * i * i + "," + (1000 + i % 3) + ",1"));
    assertEquals(50, reading.points().size());
    assertEquals(3, reading.names().size());
  }

  @Test
  void asksAboutNumbersWithLeadingZeros() {
    String asked = question(rows("ts,line,v", 50, i -> START + 9L * i * i + ",000" + i % 3 + ",1"));
    assertTrue(asked.contains("'line' has numbers that begin with 0"), asked);
  }

  @Test
  void rejectsANumberAmongFewWordsOfText() throws Exception {
    Reading reading =
        read(
            rows(
                "ts,site,state,v",
                9000,
                i -> START + i + ",a," + (i < 8000 ? i % 900 > 0 ? "" : "on" : "1") + ",1"));
    assertEquals(Map.of(Reason.TAG_NUMBER, 1000L), reading.reasons());
  }

  @Test
  void asksAboutOneNumberAmongText() {
    String asked =
        question(rows("ts,room,v", 900, i -> START + i + "," + (i == 800 ? "7" : "hall") + ",1"));
    assertTrue(asked.contains("'room' mixes numbers and text (1 number among"), asked);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5%", "12.5 kW", "$3.50", "7 °C"})
  void asksAboutNumbersWithSomethingBesideThem(String word) {
    String asked = question(rows("ts;v;w", 10, i -> START + i + ";1;" + word));
    assertTrue(asked.contains("'w' holds numbers with something beside them"), asked);
    assertTrue(asked.contains("--ignore"), asked);
  }

  @Test
  void asksAboutBooleans() {
    String asked = question(rows("ts,alarm,v", 10, i -> START + i + "," + (i % 2 > 0) + ",1"));
    assertTrue(asked.contains("'alarm' says false or true"), asked);
  }

  @Test
  void readsNumbersWithThousands() throws Exception {
    Reading german = read("time;host;v;n\n2024-01-01;a;1.234,56;7\n2024-01-02;a;1.234;1.000.000\n");
    assertEquals(List.of(1234.56, 7.0, 1234.0, 1e6), numbers(german));
    Reading english = read("time,host,v\n2024-01-01,a,\"1,234.5\"\n2024-01-02,a,\"-1,234\"\n");
    assertEquals(List.of(1234.5, -1234.0), numbers(english));
    Reading swiss = read("time,host,v\n2024-01-01,a,1'234.5\n2024-01-02,a,1'000'234\n");
    assertEquals(List.of(1234.5, 1_000_234.0), numbers(swiss));
    assertEquals(List.of(1.234), numbers(read("time;host;v\n2024-01-01;a;1.234\n")));
    assertEquals(
        List.of(1.234, 0.5), numbers(read("time;host;v\n2024-01-01;a;1,234\n2024-01-02;a;0,5\n")));
  }

  private static List<Double> numbers(Reading reading) {
    return reading.points().stream()
        .map(p -> p.isDouble() ? Double.longBitsToDouble(p.bits()) : (double) p.bits())
        .toList();
  }

  @Test
  void asksWhatAnOnlyCommaSeparates() throws Exception {
    String rows = "time;host;v\n2024-01-01;a;1,234\n2024-01-02;a;5,678\n";
    String asked = question(rows);
    assertTrue(asked.contains("--decimal , or --decimal ."), asked);
    assertEquals(List.of(1.234, 5.678), numbers(Reading.of(decimal(","), rows)));
    assertEquals(List.of(1234.0, 5678.0), numbers(Reading.of(decimal("."), rows)));
  }

  private static SourceSpec decimal(String character) {
    ColumnOptions none = ColumnOptions.NONE;
    return stated(
        new ColumnOptions(
            none.delimiter(),
            none.header(),
            Optional.of(character),
            none.missing(),
            none.skipLines(),
            none.comment(),
            none.widths(),
            none.names(),
            none.columns()));
  }

  @Test
  void rejectsGroupsOfDigitsThatAreNoThousands() throws Exception {
    StringBuilder table = new StringBuilder("time;host;v\n");
    int day = 1;
    for (String word :
        List.of("1.234,5", "1,5", "2,5", "3,5", "4,5", "5,5", "12.34", "1.2345,6", "1.234.5")) {
      table.append("2024-01-0").append(day++).append(";a;").append(word).append('\n');
    }
    Reading reading = Reading.of(decimal(","), table.toString());
    assertEquals(List.of(1234.5, 1.5, 2.5, 3.5, 4.5, 5.5), numbers(reading));
    assertEquals(Map.of(Reason.VALUE_MALFORMED, 3L), reading.reasons());
  }

  @Test
  void asksIfDecimalsAreWrittenInTwoWays() {
    String asked = question("time;host;v;w\n2024-01-01;a;1,5;2.5\n");
    assertTrue(asked.contains("decimal commas and others decimal points"), asked);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "start,end,v\n2024-01-01T00:00,2024-01-01T00:15,1\n",
        "when,unix,v\n2024-01-01,1704103200,1\n",
        "time,timestamp,v\n2024-01-01T00:00,1704103200,1\n",
        "t,installed,v\n1704103200,2020-05-06,1\n",
        "measured,v,timestamp2\n2024-01-01,1,1704103200\n2024-01-02,2,1704189700\n",
        """
        epoch,v,date
        #,1,logger
        2024-01-01T08:00,1,1704103200
        2024-01-01T09:00,1,1704103300
        2024-01-01T10:00,1,1704103400
        """,
        "installed;Uhrzeit;Datum;v\n2005-05-06;03:15:22;11.11.20;1\n2005-05-06;03:15:22;17.11.20;2\n"
      })
  void asksWhichOfTwoTimesCounts(String table) {
    String asked = question(table);
    assertTrue(asked.contains("the time of a row may be in '"), asked);
    assertTrue(asked.contains("--time-column"), asked);
  }

  @Test
  void asksNotWhereTimesAreTheSameOrOneIsNamedSo() throws Exception {
    SourceSpec spec = stated(ColumnOptions.of(List.of(new Column("host", Role.TAG, null))));
    Reading same = Reading.of(spec, "time,epoch,host,v\n2024-01-01T10:00Z,1704103200,a,1\n");
    assertEquals(
        List.of(1_704_103_200_000L), same.points().stream().map(Point::timestampMs).toList());
    assertEquals(1, same.points().size());
    Reading named = read("received,time,host,v\n2024-01-01T10:01,2024-01-01T10:00,a,1\n");
    assertEquals(1_704_103_200_000L, named.points().get(0).timestampMs());
  }

  @Test
  void asksWhichMidnightHour24Is() throws Exception {
    String asked = question(rows("date,hour,host,v", 24, i -> "2024-01-01," + (i + 1) + ",a," + i));
    assertTrue(asked.contains("--timestamp-format 'uuuu-MM-dd H'"), asked);
    assertTrue(asked.contains("'uuuu-MM-dd k'"), asked);
    String late =
        rows("date,hour,host,v", 9000, i -> "2024-01-01," + (i < 8999 ? i % 24 : 24) + ",a,0");
    assertEquals(Map.of(Reason.TIMESTAMP_MALFORMED, 1L), read(late).reasons());
  }

  @Test
  void asksAboutPartsOfTimesThatAreNotJoined() {
    assertTrue(question("date,time,half,v\n2024-01-01,01:30,PM,1\n").contains("before noon"));
    assertTrue(
        question("time,tz,v\n2024-01-01 01:30,+02:00,1\n").contains("time zone its row's time"));
    assertTrue(
        question("time,ms,v\n2024-01-01 01:30:00,250,1\n").contains("milliseconds of the time"));
  }

  @Test
  void asksIfOnlyTheFirstRowCanBeDivided() {
    ColumnOptions none = ColumnOptions.NONE;
    ColumnOptions percent =
        new ColumnOptions(
            none.delimiter(),
            none.header(),
            none.decimal(),
            none.missing(),
            0,
            Optional.of("%"),
            none.widths(),
            none.names(),
            none.columns());
    String table = "# made by a logger\n\"time\";\"host\";\"v\"\n\"2024-01-01\";\"a\";\"1\"\n";
    assertThrows(InputException.class, () -> Reading.of(stated(percent), table));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "nan", "NA", "null", "?", "-"})
  void takesNaNForAMissingValue(String word) throws Exception {
    Reading reading =
        read(rows("time,host,v", 9000, i -> START + i + ",a," + (i < 8000 ? "" + i : word)));
    assertEquals(8000, reading.points().size());
    assertEquals(0, reading.rejected());
    assertEquals(1000, reading.leftOut());
  }
}
