package io.packhorse.loader.source.opentsdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.TextSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class TwoColumnsTest {
  private final Rejects rejects = Rejects.counted();

  private record Point(int series, long timestampMs, long bits, boolean isDouble) {
    static Point of(long timestampMs, long value) {
      return new Point(7, timestampMs, value, false);
    }

    static Point of(long timestampMs, double value) {
      return new Point(7, timestampMs, Double.doubleToRawLongBits(value), true);
    }
  }

  @Test
  void readsEverySeparatorAndLineEnd() throws IOException {
    assertEquals(
        List.of(
            Point.of(1_356_998_400_000L, 1),
            Point.of(1_356_998_401_000L, -2.5),
            Point.of(1_356_998_402_000L, 3),
            Point.of(1_356_998_403_123L, 4),
            Point.of(1_356_998_404_000L, 5e10)),
        points(
            """
            # remark

            1356998400 1
            1356998401,-2.5\r
             1356998402 ;\t3\s
            1356998403.123\t4
            1356998404 , 5e10\
            """));
    assertEquals(0, rejects.total());
  }

  @Test
  void keepsTheSignOfZero() throws IOException {
    assertEquals(List.of(Point.of(1000, -0.0)), points("1 -0.0\n"));
  }

  @Test
  void readsTimestampsByTheirSize() throws IOException {
    assertEquals(
        List.of(Point.of(4_294_967_295_000L, 1), Point.of(4_294_967_296L, 2)),
        points("4294967295 1\n4294967296 2\n"));
  }

  @Test
  void readsTimestampsInTheUnitAskedFor() throws IOException {
    assertEquals(List.of(Point.of(1234, 1)), points("1234 1\n", TimestampUnit.MILLISECONDS, 0));
    assertEquals(
        List.of(Point.of(1_234_000, 1), Point.of(1_356_998_403_123L, 2)),
        points("1234 1\n1356998403.123 2\n", TimestampUnit.SECONDS, 0));
    assertEquals(0, rejects.total());
  }

  @Test
  void rejectsTimestampsThatAreNotInTheUnit() throws IOException {
    assertEquals(
        List.of(), points("4294967296 1\n0 1\n99999999999999999999 1\n", TimestampUnit.SECONDS, 0));
    assertEquals(Map.of(Reason.TIMESTAMP_OUT_OF_RANGE, 3L), rejects.byReason());
    assertEquals(List.of(), points("1.x 1\n1:5 1\n", TimestampUnit.MILLISECONDS, 0));
    assertEquals(2L, rejects.byReason().get(Reason.TIMESTAMP_MALFORMED));
    assertEquals(List.of(), points("4294967296000 1\n", TimestampUnit.MILLISECONDS, 0));
    assertEquals(4L, rejects.byReason().get(Reason.TIMESTAMP_OUT_OF_RANGE));
  }

  @Test
  void placesPointsEvenlyWhereAnIntervalIsGiven() throws IOException {
    assertEquals(
        List.of(Point.of(3_600_000, 5), Point.of(3_610_000, 6.5), Point.of(3_620_000, 7)),
        points("5\nno\nwhenever 6.5\n99;7\n", TimestampUnit.OPENTSDB, 10_000));
    assertEquals(Map.of(Reason.VALUE_MALFORMED, 1L), rejects.byReason());
  }

  @Test
  void rejectsWhatAnIntervalCarriesBeyondTheLastHour() throws IOException {
    assertEquals(2, points("5\n6\n7\n", TimestampUnit.OPENTSDB, 4_000_000_000_000L).size());
    assertEquals(Map.of(Reason.TIMESTAMP_OUT_OF_RANGE, 1L), rejects.byReason());
  }

  @Test
  void locatesRejectsAndTakesTheirNeighbours() throws IOException {
    assertEquals(
        List.of(Point.of(1000, 1), Point.of(2000, 2)),
        points("time,value\n1 1\n5\n1 2 3\n,5\n1,,5\n1,\n2 2\nx 3\n3 x\n"));
    assertEquals(
        Map.of(
            Reason.NOT_TWO_WORDS, 5L, Reason.TIMESTAMP_MALFORMED, 2L, Reason.VALUE_MALFORMED, 1L),
        rejects.byReason());
    assertTrue(rejects.first().get(0).startsWith("in:1 (byte 0): "), rejects.first().toString());
    assertEquals("in:3 (byte 15): line is not: timestamp value: 5", rejects.first().get(1));
  }

  @Test
  void rejectsALineTooLongAndGoesOnBehindIt() throws IOException {
    String edge = "1 " + "0".repeat(Rejects.RECORD_BYTES_MAX - 3) + "1";
    assertEquals(
        List.of(Point.of(2000, 2)), points("1 1" + "0".repeat(200_000) + "\r\n2 2\n" + edge));
    assertEquals(
        Map.of(Reason.LINE_TOO_LONG, 1L, Reason.INTEGER_TOO_LARGE, 1L), rejects.byReason());
  }

  @Test
  void readsGzipInBatches() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 20_000; i++) {
      text.append(i).append(' ').append(i).append('\n');
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.toString().getBytes(UTF_8));
    }
    List<Point> points = points(packed.toByteArray(), TimestampUnit.OPENTSDB, 0);
    assertEquals(20_000, points.size());
    assertEquals(Point.of(20_000_000, 20_000), points.get(19_999));
  }

  @Test
  void tellsTwoColumnsFromImportLines() {
    for (String text : List.of("", "# only\n", "1 2\n", "\n\n5\n", "# a b c d\n1,2\nm 1 2 a=b\n")) {
      assertTrue(TwoColumns.fits(head(text), false), text);
    }
    for (String text : List.of("m 1 2 a=b\n", "# x\n put m 1 2 a=b\n1 2\n", "1,2,3\n")) {
      assertFalse(TwoColumns.fits(head(text), false), text);
    }
  }

  @Test
  void tellsTwoColumnsFromATableWithDates() {
    assertTrue(TwoColumns.fits(head("timestamp,value\n1386018900,73.9\n"), false));
    for (String date : List.of("2013-12-02 21:15:00", "2013-12-02T21:15:00")) {
      String table = "timestamp,value\n" + date + ",73.9\n";
      assertFalse(TwoColumns.fits(head(table), false), table);
      assertTrue(TwoColumns.fits(head(table), true), table);
    }
  }

  private List<Point> points(String text) throws IOException {
    return points(text, TimestampUnit.OPENTSDB, 0);
  }

  private List<Point> points(String text, TimestampUnit unit, long intervalMs) throws IOException {
    return points(text.getBytes(UTF_8), unit, intervalMs);
  }

  private List<Point> points(byte[] bytes, TimestampUnit unit, long intervalMs) throws IOException {
    List<Point> points = new ArrayList<>();
    Points to = new Points(SeriesRules.NONE, rejects);
    TwoColumns format = new TwoColumns(7, new EpochTime(unit), intervalMs);
    try (TextSource source =
        new TextSource(List.of(Reading.input("in", bytes)), head -> format, to)) {
      for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
        assertEquals(Math.min(1, batch.points()), batch.runs());
        for (int i = 0; i < batch.points(); i++) {
          points.add(
              new Point(
                  batch.series(0), batch.timestampsMs()[i], batch.bits()[i], batch.isDouble()[i]));
        }
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return points;
  }

  private static InputHead head(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return new InputHead("in", bytes, 0, bytes.length, true);
  }
}
