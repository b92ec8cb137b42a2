package io.packhorse.loader.source.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.table.TableOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the bytes are, every record becomes points or rejects, and nothing is thrown. */
final class AnyBytesTest {
  private static final int ROUNDS = 50;
  private static final long SEED = 20_261_120;
  private static final TableMapping MAPPING =
      new TableMapping(
          ",",
          "\"",
          true,
          ".",
          List.of("-"),
          new TableMapping.Time("s", "UTC", Dst.REJECT),
          List.of(
              new Column("time", Role.TIME, null),
              new Column("host", Role.TAG, null),
              new Column("cpu", Role.VALUE, null),
              new Column("note", Role.TAG, null)));

  @ParameterizedTest
  @EnumSource(value = Format.class, mode = EnumSource.Mode.EXCLUDE, names = "PARQUET")
  void neverThrowsAndLosesNothing(Format format) throws Exception {
    SourceSpec spec =
        new SourceSpec(
            Optional.of(format),
            Optional.of(TimestampUnit.SECONDS),
            SeriesRules.NONE,
            new TableOptions(Optional.of(MAPPING), Optional.empty(), "UTC", Dst.REJECT));
    for (int round = 0; round < ROUNDS; round++) {
      byte[] text = text(format, new SplittableRandom(SEED + round));
      String where = format + ", seed " + (SEED + round);
      Reading whole = Reading.of(spec, text);
      assertTrue(!whole.points().isEmpty(), where + ": the first record is good");
      assertBalanced(format, text, whole, where);
      for (int step : new int[] {1, 61}) {
        Reading inParts = Reading.of(spec, List.of(Reading.slow(text, step)));
        assertEquals(whole.points(), inParts.points(), where);
        assertEquals(whole.rejectLines(), inParts.rejectLines(), where);
      }
    }
  }

  private static void assertBalanced(Format format, byte[] text, Reading reading, String where) {
    long lines =
        Arrays.stream(new String(text, ISO_8859_1).split("\n"))
            .map(line -> line.replaceAll("\r\\z", "").replaceAll("^[ \t]+|[ \t]+\\z", ""))
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .count();
    long read = reading.points().size() + reading.rejected();
    assertEquals(reading.rejected(), reading.rejectLines().size(), where);
    switch (format) {
      case OPENTSDB, OPENMETRICS -> assertEquals(lines, read, where);
      case LINE -> assertTrue(read >= lines, where);
      case JSONL, QUERY_JSON, CSV, ANNOTATED_CSV, PARQUET -> {}
    }
  }

  /** Good records, then the same with damage of every kind. */
  private static byte[] text(Format format, SplittableRandom random) {
    StringBuilder good = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      good.append(record(format, i));
    }
    String first = header(format) + record(format, 0);
    byte[] text = (first + good).getBytes(UTF_8);
    byte[] alphabet = "0,;=\"\\ {}[]\n\r\t#.-e:/".getBytes(UTF_8);
    int untouched = first.getBytes(UTF_8).length;
    for (int damage = random.nextInt(60); damage > 0; damage--) {
      int at = random.nextInt(untouched, text.length);
      text[at] =
          random.nextInt(4) == 0
              ? (byte) random.nextInt(256)
              : alphabet[random.nextInt(alphabet.length)];
    }
    return random.nextInt(5) == 0
        ? Arrays.copyOf(text, random.nextInt(untouched, text.length))
        : text;
  }

  private static String header(Format format) {
    return switch (format) {
      case CSV -> "time,host,cpu,note\n";
      case ANNOTATED_CSV ->
          """
          #datatype,string,long,dateTime:RFC3339,double,string,string,string
          #group,false,false,false,false,true,true,true
          #default,_result,,,,,,
          ,result,table,_time,_value,_field,_measurement,host
          """;
      case QUERY_JSON -> "[{\"metric\":\"m\",\"tags\":{\"host\":\"a\"},\"dps\":{";
      default -> "";
    };
  }

  private static String record(Format format, int i) {
    long time = 1_356_998_400L + i;
    return switch (format) {
      case OPENTSDB -> "m " + time + " " + i + ".5 host=a b=c" + i % 3 + "\n";
      case LINE -> "cpu,host=ab,c=d" + i % 3 + " x=" + i + "i,y=1.5,z=\"a b\" " + time + "\n";
      case OPENMETRICS -> "up{host=\"a\",c=\"d" + i % 3 + "\"} " + i + " " + time + "\n";
      case JSONL ->
          "{\"metric\":\"m\",\"timestamp\":"
              + time
              + ",\"value\":"
              + i
              + ",\"tags\":{\"host\":\"a"
              + i % 3
              + "\"}}\n";
      case ANNOTATED_CSV ->
          ",,0,2024-01-01T00:00:" + (10 + i % 40) + "Z," + i + ".5,usage,cpu,\"a" + i % 3 + "\"\n";
      case QUERY_JSON -> "\"" + time + "\":" + i + ",\n";
      case CSV -> time + ",a" + i % 3 + "," + i + ",\"xy\"\n";
      case PARQUET -> throw new IllegalArgumentException("no text");
    };
  }
}
