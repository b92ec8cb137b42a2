package io.packhorse.loader.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class TablePlanTest {
  private static final RowKeyLayout FOUR_BUCKETS =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));

  @Test
  void theReferenceYearIsWhatItMeasured() {
    TablePlan plan = new TablePlan(volume(128, "PT1S", 365, 1), FOUR_BUCKETS);
    assertEquals(4.0366e9, plan.volume().points(), 1e5);
    assertEquals(128 * 24 * 365, plan.volume().cells());
    // 0.863 bytes a point; the reference walk measured 0.846 in cells and 0.854 on disk.
    assertEquals(0.8633, plan.bytesPerPoint(), 0.0005);
    assertEquals(4, plan.regions());
    assertEquals(
        List.of("01", "02", "03"), hex(plan.splitPoints(Instant.EPOCH.plusSeconds(1 << 30))));
  }

  @Test
  void usesGivenBytesPerPoint() {
    DataVolume own =
        new DataVolume(
            1_000, Duration.ofMinutes(1), Duration.ofDays(10), 1, 2, OptionalDouble.of(0.5));
    // 60 points of half a byte, 21 bytes of HBase's and a key of 20.
    assertEquals(240_000 * (30.0 + 21 + 20), new TablePlan(own, FOUR_BUCKETS).bytes());
  }

  @Test
  void aPointADayIsACellADay() {
    DataVolume slow = volume(10, "PT24H", 100, 1);
    assertEquals(1_000, slow.cells());
    assertEquals(1, slow.pointsPerCell());
  }

  @Test
  void splitsLargeTablesIntoRegionsOfLimitedSize() {
    TablePlan plan = new TablePlan(volume(1_000_000, "PT1M", 730, 20), FOUR_BUCKETS);
    assertTrue(plan.bytes() / plan.regions() <= TablePlan.REGION_BYTES_MAX);
    assertTrue(plan.bytes() / (plan.regions() - 4) > TablePlan.REGION_BYTES_MAX);
    List<byte[]> splits = plan.splitPoints(Instant.parse("2024-01-01T00:30:00Z"));
    assertEquals(plan.regions() - 1, splits.size());
    for (int i = 1; i < splits.size(); i++) {
      assertTrue(Arrays.compareUnsigned(splits.get(i - 1), splits.get(i)) < 0);
    }
  }

  @Test
  void countsUids() {
    TablePlan plan = new TablePlan(volume(15_000_000, "PT1H", 30, 1), FOUR_BUCKETS);
    assertEquals(1, plan.uids(UidKind.METRIC));
    assertEquals(1, plan.uids(UidKind.TAGK));
    assertEquals(15_000_000, plan.uids(UidKind.TAGV));
    assertEquals(16_777_215, plan.uidsMax(UidKind.TAGV));
    assertTrue(plan.mayRunOut(UidKind.TAGV));
    assertFalse(plan.mayRunOut(UidKind.METRIC));
    assertEquals(
        750_000,
        new TablePlan(volume(15_000_000, "PT1H", 30, 20), FOUR_BUCKETS).uids(UidKind.TAGV));
  }

  @Test
  void givesEachServerTwoBuckets() {
    assertEquals(4, TablePlan.bucketsFor(1));
    assertEquals(20, TablePlan.bucketsFor(10));
    assertEquals(256, TablePlan.bucketsFor(1_000));
  }

  @Test
  void rejectsVolumesOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> volume(0, "PT1S", 1, 1));
    assertThrows(IllegalArgumentException.class, () -> volume(1, "PT0S", 1, 1));
    assertThrows(IllegalArgumentException.class, () -> volume(1, "PT1S", 0, 1));
    assertThrows(IllegalArgumentException.class, () -> volume(1, "PT1S", 1, 2));
    assertThrows(
        IllegalArgumentException.class,
        () -> new TablePlan(volume(1_000_000_000_000L, "PT1S", 3_650, 1), FOUR_BUCKETS));
  }

  private static DataVolume volume(long series, String interval, int days, long metrics) {
    return new DataVolume(
        series,
        Duration.parse(interval),
        Duration.ofDays(days),
        metrics,
        1,
        OptionalDouble.empty());
  }

  private static List<String> hex(List<byte[]> keys) {
    return keys.stream().map(HexFormat.of()::formatHex).toList();
  }
}
