package io.packhorse.loader.source.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.format.InputSource;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.table.ColumnOptions;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.MappingFile;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.text.TextSource.ParserPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that the library has written, read again. */
final class ParquetSourceTest {
  private static final SourceSpec GUESSED =
      new SourceSpec(Optional.empty(), Optional.empty(), SeriesRules.NONE);
  private static final long START = 1_704_067_200_000L;
  private static final int ROWS = 3000;
  private static final String WIDE =
      """
      required int64 ts (TIMESTAMP(MICROS,true));
      optional binary host (STRING);
      optional double temp;
      optional int64 count;
      """;

  /**
   * The file is {@code pyarrow.parquet.write_table(pyarrow.Table.from_arrays([pyarrow.array(
   * [1704067200000], pyarrow.timestamp('ms')), ['a'], [5], [6], [7]], names=['time', 'host', 'v',
   * 'v', 'w']), 'twice', store_schema=False, write_statistics=False, use_dictionary=False)}.
   */
  private static final String TWICE =
      """
      UEFSMRUAFRwVICwVAhUAFQYVBhwAAAAONAIAAAACAQD0UcKMAQAAFQAVFhUaLBUCFQAVBhUGHAAAAAso
      AgAAAAIBAQAAAGEVABUcFSAsFQIVABUGFQYcAAAADjQCAAAAAgEFAAAAAAAAABUAFRwVICwVAhUAFQYV
      BhwAAAAONAIAAAACAQYAAAAAAAAAFQAVHBUgLBUCFQAVBhUGHAAAAA40AgAAAAIBBwAAAAAAAAAVBBls
      NQAYBnNjaGVtYRUKABUEJQIYBHRpbWUlEkyMEhwcAAAAAAAVDCUCGARob3N0JQBMHAAAABUEJQIYAXYA
      FQQlAhgBdgAVBCUCGAF3ABYCGRwZXCYAHBUEGSUGABkYBHRpbWUVAhYCFkIWRiYISRwVABUAFQIAPCkG
      GSYAAgAAACYAHBUMGSUGABkYBGhvc3QVAhYCFjwWQCZOSRwVABUAFQIAPBYCGQYZJgACAAAAJgAcFQQZ
      JQYAGRgBdhUCFgIWQhZGJo4BSRwVABUAFQIAPCkGGSYAAgAAACYAHBUEGSUGABkYAXYVAhYCFkIWRibU
      AUkcFQAVABUCADwpBhkmAAIAAAAmABwVBBklBgAZGAF3FQIWAhZCFkYmmgJJHBUAFQAVAgA8KQYZJgAC
      AAAAFsQCFgImCBbYAgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGVwcAAAcAAAcAAAc
      AAAcAAAAcgEAAFBBUjE=
      """;

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource(names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
  void everyPointComesBackFromEveryCodecVersionAndEncoding(CompressionCodecName codec)
      throws Exception {
    for (WriterVersion version : WriterVersion.values()) {
      for (boolean dictionaries : new boolean[] {false, true}) {
        List<Point> expected = new ArrayList<>();
        Path file =
            new ParquetRows(WIDE, codec, version, dictionaries, 4000)
                .write(folder.resolve("wide"), ROWS, (row, i) -> wide(row, i, expected));
        Reading reading = Reading.of(GUESSED, List.of(input(file)));
        assertEquals(expected, reading.points(), codec + ", " + version + ", " + dictionaries);
        assertEquals(0, reading.rejected());
      }
    }
  }

  /** Some values are null, and so are some hosts, whose rows then have no tag. */
  private static void wide(Group row, int number, List<Point> expected) {
    SplittableRandom random = new SplittableRandom(number);
    long millis = START + number * 10L;
    row.append("ts", millis * 1000 + 7);
    row.append("host", "h" + number % 7);
    if (random.nextInt(5) > 0) {
      double value = random.nextBoolean() ? random.nextInt(100) / 10.0 : random.nextDouble();
      row.append("temp", value);
      expected.add(point("temp", number, millis, Double.doubleToRawLongBits(value), true));
    }
    if (random.nextInt(5) > 0) {
      long value = random.nextBoolean() ? random.nextInt(9) : random.nextLong();
      row.append("count", value);
      expected.add(point("count", number, millis, value, false));
    }
  }

  private static Point point(String metric, int number, long millis, long bits, boolean floating) {
    return new Point(SeriesName.of(metric, "host", "h" + number % 7), millis, bits, floating);
  }

  @Test
  void everyKindOfNumberIsAValue() throws Exception {
    Path file =
        new ParquetRows(
                """
                required int64 time (TIMESTAMP(MILLIS,true));
                required int32 small (INTEGER(8,true));
                required int32 unsigned (INTEGER(32,false));
                required int64 large (INTEGER(64,false));
                required float single;
                required int32 cents (DECIMAL(9,2));
                required int64 whole (DECIMAL(18,0));
                required fixed_len_byte_array(16) long (DECIMAL(38,3));
                required binary text (STRING);
                """)
            .write(
                folder.resolve("kinds"),
                1,
                (row, i) ->
                    row.append("time", START)
                        .append("small", -3)
                        .append("unsigned", -1)
                        .append("large", 1L << 40)
                        .append("single", 0.1f)
                        .append("cents", 1050)
                        .append("whole", -7L)
                        .append(
                            "long",
                            Binary.fromConstantByteArray(
                                ByteBuffer.allocate(16).putLong(-1).putLong(-1500).array()))
                        .append("text", "a"));
    Reading reading = Reading.of(GUESSED, List.of(input(file)));
    assertEquals(
        List.of(
            "small -3",
            "unsigned 4294967295",
            "large 1099511627776",
            "single " + (double) 0.1f,
            "cents 10.5",
            "whole -7",
            "long -1.5"),
        reading.points().stream()
            .map(
                point ->
                    point.series().metric()
                        + " "
                        + (point.isDouble()
                            ? Double.toString(Double.longBitsToDouble(point.bits()))
                            : Long.toString(point.bits())))
            .toList());
    assertEquals(SeriesName.of("small", "text", "a"), reading.points().get(0).series());
  }

  @Test
  void timesAreReadByTheirTypes() throws Exception {
    assertEquals(START, timeOf("int64 t (TIMESTAMP(MILLIS,true))", row -> row.append("t", START)));
    assertEquals(
        START + 1,
        timeOf("int64 t (TIMESTAMP(MICROS,true))", row -> row.append("t", START * 1000 + 1999)));
    assertEquals(
        START + 1,
        timeOf(
            "int64 t (TIMESTAMP(NANOS,true))",
            row -> row.append("t", START * 1_000_000 + 1999999)));
    ByteBuffer moment = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    moment.putLong(3_600_001_999_999L).putInt(2_440_588 + (int) (START / 86_400_000));
    assertEquals(
        START + 3_600_001,
        timeOf("int96 t", row -> row.append("t", Binary.fromConstantByteArray(moment.array()))));
    assertEquals(
        START, timeOf("int32 t (DATE)", row -> row.append("t", (int) (START / 86_400_000))));
    assertEquals(START, timeOf("int64 time", row -> row.append("time", START / 1000)));
    assertEquals(START, timeOf("int64 time", row -> row.append("time", START * 1000)));
    assertEquals(START + 500, timeOf("double ts", row -> row.append("ts", START / 1e3 + 0.5)));
    assertEquals(
        START, timeOf("binary at (STRING)", row -> row.append("at", "2024-01-01T01:00+01:00")));
  }

  @Test
  void timesWithoutAZoneAreThoseOfTheOption() throws Exception {
    SourceSpec oslo =
        new SourceSpec(
            Optional.empty(),
            Optional.empty(),
            SeriesRules.NONE,
            new TableOptions(Optional.empty(), Optional.empty(), "Europe/Oslo", Dst.REJECT));
    assertEquals(
        START - 3_600_000,
        timeOf(oslo, "int64 t (TIMESTAMP(MILLIS,false))", row -> row.append("t", START)));
    assertEquals(
        START - 3_600_000,
        timeOf(oslo, "int32 t (DATE)", row -> row.append("t", (int) (START / 86_400_000))));
    assertEquals(
        START, timeOf(oslo, "int64 t (TIMESTAMP(MILLIS,true))", row -> row.append("t", START)));
  }

  private interface Fill {
    void accept(Group row);
  }

  private long timeOf(String column, Fill fill) throws Exception {
    return timeOf(GUESSED, column, fill);
  }

  private long timeOf(SourceSpec spec, String column, Fill fill) throws Exception {
    Path file =
        new ParquetRows("required " + column + "; required binary host (STRING); required int32 v;")
            .write(
                folder.resolve("times"),
                1,
                (row, i) -> {
                  fill.accept(row);
                  row.append("host", "a").append("v", 1);
                });
    Reading reading = Reading.of(spec, List.of(input(file)));
    assertEquals(1, reading.points().size(), column + reading.rejectLines());
    return reading.points().get(0).timestampMs();
  }

  @Test
  void aTextColumnOfMetricsMakesALongTable() throws Exception {
    Path file =
        new ParquetRows(
                """
                required int64 time (TIMESTAMP(MILLIS,true));
                required binary metric (STRING);
                required binary host (STRING);
                required double value;
                """)
            .write(
                folder.resolve("long"),
                2,
                (row, i) ->
                    row.append("time", START + i)
                        .append("metric", "m" + i)
                        .append("host", "a")
                        .append("value", 1.5));
    Reading reading = Reading.of(GUESSED, List.of(input(file)));
    assertEquals(
        List.of("m0", "m1"),
        reading.points().stream().map(point -> point.series().metric()).toList());
    assertEquals(
        "Parquet; time from time (ms); metric from metric; values from value; tags from host",
        table(file, GUESSED).description());
  }

  @Test
  void whatWasFoundOutIsSavedAndTakenBack() throws Exception {
    Path file =
        new ParquetRows(WIDE)
            .write(folder.resolve("wide"), 10, (row, i) -> wide(row, i, new ArrayList<>()));
    TableMapping mapping = table(file, GUESSED).mapping();
    Path saved = folder.resolve("mapping.json");
    MappingFile.write(mapping, saved);
    assertEquals(mapping.toString(), MappingFile.read(saved).whole().orElseThrow().toString());
    Files.writeString(
        saved, Files.readString(saved).replace("\"as\" : \"temp\"", "\"as\" : \"plant.temp\""));
    SourceSpec given =
        new SourceSpec(
            Optional.empty(),
            Optional.empty(),
            SeriesRules.NONE,
            new TableOptions(
                Optional.of(MappingFile.read(saved).whole().orElseThrow()),
                Optional.empty(),
                "UTC",
                Dst.REJECT));
    assertEquals(
        "Parquet; time from ts (us); values from temp as plant.temp, count; tags from host",
        table(file, given).description());
  }

  @Test
  void someColumnsAreStatedAndTheOthersGuessed() throws Exception {
    String columns =
        "required int64 ts (TIMESTAMP(MILLIS,true)); required int64 seen (TIMESTAMP(MILLIS,true));"
            + " required int32 sensor; required double v; required binary note (STRING);";
    Path file = new ParquetRows(columns).write(folder.resolve("stated"), 0, (row, i) -> {});
    ParquetTable table =
        table(
            file,
            stated(
                new Column("seen", Role.TIME, null),
                new Column("3", Role.TAG, "id"),
                new Column("note", Role.IGNORE, null)));
    assertEquals(
        "Parquet; time from seen (ms); values from v; tags from sensor as id; left out: ts (another"
            + " time), note (as stated)",
        table.description());
    InputException none =
        assertThrows(
            InputException.class, () -> table(file, stated(new Column("x", Role.TAG, null))));
    assertTrue(String.valueOf(none.getMessage()).contains("has no column 'x'"), none::toString);
    InputException both =
        assertThrows(
            InputException.class,
            () ->
                table(
                    file,
                    stated(new Column("v", Role.TAG, null), new Column("4", Role.VALUE, null))));
    assertTrue(String.valueOf(both.getMessage()).contains("cannot be both"), both::toString);
  }

  private static SourceSpec stated(Column... columns) {
    return new SourceSpec(
        Optional.empty(),
        Optional.empty(),
        SeriesRules.NONE,
        new TableOptions(
            Optional.empty(),
            Optional.empty(),
            "UTC",
            Dst.REJECT,
            ColumnOptions.of(List.of(columns))));
  }

  private static ParquetTable table(Path file, SourceSpec spec) throws Exception {
    try (ParquetFile opened = ParquetFile.open(input(file))) {
      return new Formats(spec, new SeriesNames()).choose(opened);
    }
  }

  @Test
  void whatCannotBeFoundOutIsSaid() throws Exception {
    assertSaid(
        "has no column that looks like times", "required int32 v;", row -> row.append("v", 1));
    assertSaid(
        "no tag column",
        "required int64 t (TIMESTAMP(MILLIS,true)); required int32 v;",
        row -> row.append("t", START).append("v", 1));
    assertSaid(
        "has no column of numbers",
        "required int64 t (TIMESTAMP(MILLIS,true)); required binary b (STRING);",
        row -> row.append("t", START).append("b", "x"));
    assertSaid(
        "its columns are [t, host, half (FLOAT16)]",
        "required int64 t (TIMESTAMP(MILLIS,true)); required binary host (STRING);"
            + " required fixed_len_byte_array(2) half (FLOAT16);",
        row ->
            row.append("t", START)
                .append("host", "a")
                .append("half", Binary.fromConstantByteArray(new byte[2])));
    assertSaid(
        "in any unit",
        "required int64 time; required int32 v; required binary b (STRING);",
        row -> row.append("time", 5L).append("v", 1).append("b", "x"));
  }

  /** A guess that is not sure is asked about, as of other tables. */
  @Test
  void whatIsUnclearIsAskedAbout() throws Exception {
    String rows = "required int64 t (TIMESTAMP(MILLIS,true)); required binary host (STRING);";
    assertSaid(
        "'on' says true, which is not a number: --booleans-as-numbers",
        rows + "required int32 v; required boolean on;",
        row -> row.append("t", START).append("host", "a").append("v", 1).append("on", true));
    assertSaid(
        "the time of a row may be in 't' or in 'seen'",
        rows + "required int64 seen (TIMESTAMP(MILLIS,true)); required int32 v;",
        row -> row.append("t", START).append("host", "a").append("seen", START - 5).append("v", 1));
    assertSaid(
        "'code' is text and holds numbers, such as '00123': --value reads them",
        rows + "required int32 v; required binary code (STRING);",
        row -> row.append("t", START).append("host", "a").append("v", 1).append("code", "00123"));
    assertSaid(
        "the columns 'T[C]' and 'T<C>' would both be stored as value T_C; leave one out with"
            + " --ignore",
        rows + "required double T[C]; required double T<C>;",
        row -> row.append("t", START).append("host", "a").append("T[C]", 1.0).append("T<C>", 2.0));
  }

  /** The library finds a column by its name alone, so it would read the first of them twice. */
  @Test
  void columnsOfOneNameAreLeftOutTogetherOrRefused() throws Exception {
    Path file = folder.resolve("twice");
    Files.write(file, Base64.getMimeDecoder().decode(TWICE));
    for (String ignored : List.of("", "3", "4")) {
      InputException said =
          assertThrows(
              InputException.class, () -> Reading.of(ignoring(ignored), List.of(input(file))));
      assertTrue(
          String.valueOf(said.getMessage())
              .contains("2 columns are named 'v', and in Parquet nothing else tells them apart"),
          said::toString);
    }
    Reading reading = Reading.of(ignoring("v"), List.of(input(file)));
    assertEquals(
        List.of("w"), reading.points().stream().map(each -> each.series().metric()).toList());
  }

  @Test
  void columnsAreReadByNameAndTypeAndNoneIsLeftOutInSilence() throws Exception {
    Path file =
        new ParquetRows(
                """
                required int32 Date (DATE);
                required int64 clock (TIME(MICROS,true));
                required int32 station;
                required double temp;
                required boolean open;
                required int64 __index_level_0__;
                required fixed_len_byte_array(2) half (FLOAT16);
                optional double later;
                """)
            .write(
                folder.resolve("roles"),
                2,
                (row, i) ->
                    row.append("Date", (int) (START / 86_400_000))
                        .append("clock", 3_600_000_000L + i * 1000L)
                        .append("station", 7)
                        .append("temp", 1.5)
                        .append("open", i == 0)
                        .append("__index_level_0__", (long) i)
                        .append("half", Binary.fromConstantByteArray(new byte[2])));
    TableOptions booleans =
        new TableOptions(
            Optional.empty(), Optional.empty(), "UTC", Dst.REJECT, ColumnOptions.NONE, true);
    SourceSpec spec =
        new SourceSpec(Optional.empty(), Optional.empty(), SeriesRules.NONE, booleans);
    assertEquals(
        "Parquet; time from Date, clock (iso, UTC); values from temp, open, later; tags from"
            + " station; booleans as 0 and 1; left out: __index_level_0__ (no name), half (FLOAT16 is"
            + " not a type that is loaded)",
        table(file, spec).description());
    Reading reading = Reading.of(spec, List.of(input(file)));
    SeriesName temp = SeriesName.of("temp", "station", "7");
    SeriesName open = SeriesName.of("open", "station", "7");
    long bits = Double.doubleToRawLongBits(1.5);
    assertEquals(
        List.of(
            new Point(temp, START + 3_600_000, bits, true),
            new Point(open, START + 3_600_000, 1, false),
            new Point(temp, START + 3_600_001, bits, true),
            new Point(open, START + 3_600_001, 0, false)),
        reading.points());
  }

  @Test
  void aFileWithoutRowsIsNotAskedAbout() throws Exception {
    Path file =
        new ParquetRows("required int32 a;").write(folder.resolve("none"), 0, (row, i) -> {});
    Reading reading = Reading.of(GUESSED, List.of(input(file)));
    assertEquals(0, reading.points().size() + reading.rejected());
  }

  /**
   * The file is {@code pyarrow.parquet.write_table(pyarrow.table({'time':
   * pyarrow.array([1704067200000], pyarrow.timestamp('ms')), 'host': ['a'], 'v': [5]}), 'brotli',
   * compression='brotli', store_schema=False, write_statistics=False, use_dictionary=False)}.
   */
  @Test
  void aCodecThatIsNotReadIsSaid() throws Exception {
    String bytes =
        """
          UEFSMRUAFRwVJCwVAhUAFQYVBhwAAACLBoACAAAAAgEA9FHCjAEAAAMVABUWFR4sFQIVABUGFQYcAAAA
          GwoAAKQBAgTChkABNKxwFQAVHBUeLBUCFQAVBhUGHAAAABsNAACkAQQCCgYvgQjtABUEGUw1ABgGc2No
          ZW1hFQYAFQQlAhgEdGltZSUSTIwSHBwAAAAAABUMJQIYBGhvc3QlAEwcAAAAFQQlAhgBdgAWAhkcGTwm
          ABwVBBklBgAZGAR0aW1lFQgWAhZCFkomCEkcFQAVABUCADwpBhkmAAIAAAAmABwVDBklBgAZGARob3N0
          FQgWAhY8FkQmUkkcFQAVABUCADwWAhkGGSYAAgAAACYAHBUEGSUGABkYAXYVCBYCFkIWRCaWAUkcFQAV
          ABUCADwpBhkmAAIAAAAWwAEWAiYIFtIBACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZ
          PBwAABwAABwAAAAGAQAAUEFSMQ==
        """;
    Path file = folder.resolve("brotli");
    Files.write(file, Base64.getMimeDecoder().decode(bytes));
    InputException said =
        assertThrows(
            InputException.class,
            () -> ParquetSource.inspect(input(file), new Formats(GUESSED, new SeriesNames())));
    assertTrue(
        String.valueOf(said.getMessage()).contains("column time is compressed with BROTLI"),
        said::toString);
  }

  private static SourceSpec ignoring(String column) {
    List<Column> columns =
        column.isEmpty() ? List.of() : List.of(new Column(column, Role.IGNORE, null));
    return new SourceSpec(
        Optional.empty(),
        Optional.empty(),
        SeriesRules.NONE,
        TableOptions.NONE.withColumns(ColumnOptions.of(columns)));
  }

  private void assertSaid(String what, String columns, Fill fill) throws Exception {
    Path file =
        new ParquetRows(columns).write(folder.resolve("unknown"), 1, (row, i) -> fill.accept(row));
    InputException said =
        assertThrows(InputException.class, () -> Reading.of(GUESSED, List.of(input(file))));
    assertTrue(String.valueOf(said.getMessage()).contains(what), said::toString);
  }

  @Test
  void rejectsNameFileRowAndColumn() throws Exception {
    Path file =
        new ParquetRows(
                """
                optional int64 time (TIMESTAMP(MILLIS,true));
                optional binary host (STRING);
                optional double temp;
                optional int64 huge (INTEGER(64,false));
                optional fixed_len_byte_array(16) whole (DECIMAL(38,0));
                """)
            .write(
                folder.resolve("bad"),
                5,
                (row, i) -> {
                  if (i != 1) {
                    row.append("time", i == 4 ? -5L : START + i);
                  }
                  if (i != 3) {
                    row.append("host", i == 2 ? "no host" : "a");
                  }
                  row.append("temp", i == 0 ? Double.NaN : 1.0);
                  row.append("huge", i == 0 ? -1L : 1L);
                  // 2^63, the first that no 64-bit integer is.
                  byte[] whole = ByteBuffer.allocate(16).putLong(0).putLong(1L << 63).array();
                  if (i == 0) {
                    row.append("whole", Binary.fromConstantByteArray(whole));
                  }
                });
    Reading reading = Reading.of(GUESSED, List.of(input(file)));
    String before = file + "\t";
    assertEquals(
        List.of(
            before + "1\t\t" + Reason.VALUE_NOT_FINITE + "\ttemp=NaN",
            before + "1\t\t" + Reason.INTEGER_TOO_LARGE + "\thuge=18446744073709551615",
            before + "1\t\t" + Reason.INTEGER_TOO_LARGE + "\twhole=9223372036854775808",
            before + "2\t\t" + Reason.TIMESTAMP_MISSING + "\ttime is null",
            before + "3\t\t" + Reason.NAME_CHARACTER + "\thost=no host",
            before + "4\t\t" + Reason.NO_TAG + "\thost is null",
            before + "5\t\t" + Reason.TIMESTAMP_OUT_OF_RANGE + "\ttime=1969-12-31T23:59:59.995Z"),
        reading.rejectLines());
    assertEquals(0, reading.points().size());
  }

  /** Wherever it is cut, or a byte of it changed. */
  @Test
  void damageIsARejectAndTheNextFileFollows() throws Exception {
    List<Point> expected = new ArrayList<>();
    Path whole =
        new ParquetRows(WIDE)
            .withRowGroupsOf(2000)
            .write(folder.resolve("whole"), 500, (row, i) -> wide(row, i, expected));
    byte[] bytes = Files.readAllBytes(whole);
    Path damaged = folder.resolve("damaged.parquet");
    for (int cut = 0; cut < bytes.length; cut += 97) {
      Files.write(damaged, Arrays.copyOf(bytes, cut));
      Reading reading = Reading.of(GUESSED, List.of(input(damaged), input(whole)));
      assertEquals(expected, reading.points(), "cut to " + cut);
      assertEquals(Map.of(Reason.INPUT_DAMAGED, 1L), reading.reasons());
    }
    Random random = new Random(7);
    int foundDamaged = 0;
    for (int i = 0; i < 400; i++) {
      byte[] changed = bytes.clone();
      int place = random.nextInt(bytes.length);
      changed[place] ^= (byte) (1 << random.nextInt(8));
      Files.write(damaged, changed);
      String where = "changed at " + place;
      try {
        Reading reading = Reading.of(GUESSED, List.of(input(damaged), input(whole)));
        int before = reading.points().size() - expected.size();
        assertEquals(expected, reading.points().subList(before, reading.points().size()), where);
        foundDamaged += reading.reasons().containsKey(Reason.INPUT_DAMAGED) ? 1 : 0;
      } catch (InputException e) {
        // A changed name or type in the footer may make columns that cannot be mapped.
        assertTrue(String.valueOf(e.getMessage()).contains("damaged.parquet"), where + ": " + e);
      }
    }
    assertTrue(foundDamaged > 200, foundDamaged + " of 400");
  }

  @Test
  void readingGoesOnFromEveryPosition() throws Exception {
    Path parquet = folder.resolve("a.parquet");
    List<Point> expected = new ArrayList<>();
    new ParquetRows(WIDE)
        .withRowGroupsOf(60_000)
        .write(parquet, 40_000, (row, i) -> wide(row, i, expected));
    Path csv =
        Files.writeString(folder.resolve("b.csv"), "time,host,v\n2024-01-01,a,1\n2024-01-02,a,2\n");
    List<Input> inputs = List.of(input(csv), input(parquet), input(csv), input(parquet));
    List<SourcePosition> places = new ArrayList<>(List.of(SourcePosition.START));
    List<Integer> given = new ArrayList<>(List.of(0));
    List<Long> all = new ArrayList<>();
    try (InputSource source = source(inputs, SourcePosition.START)) {
      for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
        addTo(all, batch);
        places.add(source.position().orElseThrow());
        given.add(all.size());
      }
    }
    assertEquals(2 * expected.size() + 4, all.size());
    assertTrue(places.size() > 10, places::toString);
    for (int i = 0; i < places.size(); i++) {
      List<Long> rest = new ArrayList<>();
      try (InputSource source = source(inputs, places.get(i))) {
        for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
          addTo(rest, batch);
        }
      }
      assertEquals(all.subList(given.get(i), all.size()), rest, "from " + places.get(i));
    }
  }

  private static InputSource source(List<Input> inputs, SourcePosition from) {
    Points points = new Points(SeriesRules.NONE, Rejects.counted());
    return new InputSource(
        inputs, new Formats(GUESSED, new SeriesNames()), points, from, ParserPool.NONE);
  }

  private static void addTo(List<Long> all, PointBatch batch) {
    for (int i = 0; i < batch.points(); i++) {
      all.add(batch.timestampsMs()[i] * 31 + batch.bits()[i]);
    }
  }

  @Test
  void aPipeThatHoldsParquetIsRefused() {
    byte[] start = "PAR1 and so on".getBytes(StandardCharsets.US_ASCII);
    InputException said =
        assertThrows(
            InputException.class, () -> Reading.of(GUESSED, List.of(Reading.slow(start, 2))));
    assertTrue(String.valueOf(said.getMessage()).contains("plain files only"), said::toString);
  }

  @Test
  void theUnitOfPlainNumbersIsTheOneStated() throws Exception {
    SourceSpec millis =
        new SourceSpec(Optional.empty(), Optional.of(TimestampUnit.MILLISECONDS), SeriesRules.NONE);
    assertEquals(
        4_000_000_000L, timeOf(millis, "int64 time", row -> row.append("time", 4_000_000_000L)));
  }

  private static Input input(Path file) throws IOException {
    return Input.ofFile(file.toString(), file);
  }
}
