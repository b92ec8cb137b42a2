package io.packhorse.loader.source.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class WorkloadHistoryTest {
  private static final WorkloadSeries SERIES =
      new WorkloadSeries(
          List.of("a", "b"),
          List.of(new WorkloadSeries.Tag("host", 3), new WorkloadSeries.Tag("cpu", 2)));

  @Test
  void valuesFollowFromSeedSeriesAndTimeAndStayInTheirRange() {
    for (ValueKind kind : ValueKind.values()) {
      WorkloadValues values = new WorkloadValues(kind, -50, 950, 5, 60, 2, null);
      long key = WorkloadValues.key(7, SERIES, 3);
      long different = 0;
      long before = Long.MIN_VALUE;
      for (long tick = 28_000_000; tick < 28_001_000; tick++) {
        long mantissa = values.mantissa(key, tick);
        assertEquals(mantissa, values.mantissa(key, tick));
        assertTrue(
            mantissa >= (kind == ValueKind.COUNTER ? 0 : -50) && mantissa <= 950,
            kind + " " + mantissa);
        assertEquals(values.value(mantissa), Double.parseDouble(text(values, mantissa)));
        different += mantissa != before ? 1 : 0;
        before = mantissa;
      }
      assertTrue(kind == ValueKind.CONSTANT ? different == 1 : different > 10, kind.toString());
    }
    assertEquals("-0.05", text(new WorkloadValues(ValueKind.NOISE, -9, 9, 1, 1, 2, null), -5));
    assertEquals("20.5", text(new WorkloadValues(ValueKind.NOISE, 0, 9, 1, 1, 1, null), 205));
  }

  @Test
  void someSeriesHaveOutliers() {
    WorkloadSeries series =
        new WorkloadSeries(List.of("a"), List.of(new WorkloadSeries.Tag("home", 2000)));
    WorkloadValues values =
        new WorkloadValues(
            ValueKind.WALK, 0, 9, 1, 60, 0, new WorkloadValues.Outliers(20, 100, 99));
    int with = 0;
    for (int of = 0; of < series.count(); of++) {
      long key = WorkloadValues.key(1, series, of);
      long outliers =
          LongStream.range(0, 10_000).filter(tick -> values.mantissa(key, tick) == 99).count();
      assertTrue(outliers == 0 || (outliers > 50 && outliers < 150), outliers + " in " + of);
      with += outliers > 0 ? 1 : 0;
    }
    assertTrue(with > 60 && with < 140, with + " series");
  }

  private static String text(WorkloadValues values, long mantissa) {
    StringBuilder text = new StringBuilder();
    values.append(text, mantissa);
    return text.toString();
  }

  @Test
  void partsHaveEverySeriesOnce() {
    WorkloadHistory whole = history(0);
    Set<String> names = new HashSet<>();
    for (int part = 1; part <= 5; part++) {
      WorkloadHistory own = whole.part(part, 5);
      for (int series = 0; series < own.seriesCount(); series++) {
        assertTrue(names.add(own.seriesName(series).toString()));
      }
    }
    assertEquals(SERIES.count(), names.size());
    assertThrows(IllegalArgumentException.class, () -> whole.part(13, 13));
  }

  @Test
  void anHourHasThePointsThatTheValuesSay() {
    for (int decimals : new int[] {0, 2}) {
      WorkloadHistory history = history(decimals);
      PointBatch batch = new PointBatch(history.pointsPerHour());
      history.fill(5, 2, batch);
      assertEquals(30, batch.points(), "the last hour is half an hour");
      long start = 1_735_689_600_000L + 2 * 3_600_000;
      for (int i = 0; i < batch.points(); i++) {
        assertEquals(start + i * 60_000L, batch.timestampsMs()[i]);
        long mantissa =
            history
                .values()
                .mantissa(WorkloadValues.key(9, SERIES, 5), batch.timestampsMs()[i] / 60_000);
        assertEquals(decimals > 0, batch.isDouble()[i]);
        assertEquals(
            decimals == 0 ? mantissa : Double.doubleToRawLongBits(mantissa / 100.0),
            batch.bits()[i]);
      }
    }
  }

  private static WorkloadHistory history(int decimals) {
    return new WorkloadHistory(
        SERIES,
        new WorkloadValues(ValueKind.WALK, 0, 1000, 5, 60, decimals, null),
        9,
        60_000,
        1_735_689_600L,
        150,
        0,
        1);
  }
}
