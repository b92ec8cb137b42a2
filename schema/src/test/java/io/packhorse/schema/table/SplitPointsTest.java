package io.packhorse.schema.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class SplitPointsTest {
  @Test
  void cutsBeforeEachBucketButTheFirst() {
    List<byte[]> points = SplitPoints.bySaltBucket(1, 4);
    assertEquals(3, points.size());
    assertArrayEquals(new byte[] {1}, points.get(0));
    assertArrayEquals(new byte[] {2}, points.get(1));
    assertArrayEquals(new byte[] {3}, points.get(2));
  }

  @Test
  void fillsWideSaltsFromTheRight() {
    List<byte[]> points = SplitPoints.bySaltBucket(2, 300);
    assertArrayEquals(new byte[] {1, 43}, points.get(298));
    assertArrayEquals(new byte[] {0, 0, 0, 1, 0, 0, 0, 1}, SplitPoints.bySaltBucket(8, 2).get(0));
  }

  @Test
  void beginsEachBucketWithTheSaltOfItsRows() {
    for (int width = 1; width <= 8; width++) {
      SaltFunction salt = new SaltFunction(width, width == 1 ? 256 : 300);
      RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, salt);
      TreeSet<String> rows = new TreeSet<>();
      for (int bucket = 1; bucket < salt.buckets(); bucket++) {
        byte[] row = layout.scanStart(bucket, 1, 0);
        rows.add(HexFormat.of().formatHex(row, 0, width));
      }
      assertEquals(List.copyOf(rows), hex(SplitPoints.bySaltBucket(width, salt.buckets())));
      assertEquals(
          List.copyOf(rows), hex(SplitPoints.byMetricAndTime(layout, 1, 1, 0, 3600)), "one part");
    }
  }

  @Test
  void risesInUnsignedOrder() {
    List<byte[]> points = SplitPoints.bySaltBucket(1, 256);
    assertEquals(255, points.size());
    for (int i = 1; i < points.size(); i++) {
      assertEquals(-1, Integer.signum(Arrays.compareUnsigned(points.get(i - 1), points.get(i))));
    }
  }

  @Test
  void leavesAnUnsaltedTableWhole() {
    assertEquals(0, SplitPoints.bySaltBucket(0, 20).size());
    assertEquals(0, SplitPoints.bySaltBucket(1, 1).size());
  }

  @Test
  void cutsBucketsByMetricAndTime() {
    RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 2));
    assertEquals(
        List.of(
            "00000001" + "00005460", // a third of two metrics of ten hours: six hours of the first
            "00000002" + "00002a30", // two thirds: three hours of the second
            "01",
            "01000001" + "00005460",
            "01000002" + "00002a30"),
        hex(SplitPoints.byMetricAndTime(layout, 3, 2, 0, 36_000)));
  }

  @Test
  void cutsAnUnsaltedTableByMetricAndTimeAlone() {
    RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, SaltFunction.NONE);
    assertEquals(
        List.of("00000200000000", "00000300000000"),
        hex(SplitPoints.byMetricAndTime(layout, 3, 3, 0, 7200)));
  }

  @Test
  void makesNoMoreRegionsThanThereAreHours() {
    RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, SaltFunction.NONE);
    assertEquals(1, SplitPoints.byMetricAndTime(layout, 100, 1, 0, 7200).size());
    assertEquals(0, SplitPoints.byMetricAndTime(layout, 1, 1, 0, 7200).size());
  }

  @Test
  void rejectsPartsOfNothing() {
    RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, SaltFunction.NONE);
    assertThrows(
        IllegalArgumentException.class, () -> SplitPoints.byMetricAndTime(layout, 0, 1, 0, 7200));
    assertThrows(
        IllegalArgumentException.class, () -> SplitPoints.byMetricAndTime(layout, 1, 0, 0, 7200));
    assertThrows(
        IllegalArgumentException.class,
        () -> SplitPoints.byMetricAndTime(layout, 1, 1, 7200, 7200));
  }

  private static List<String> hex(List<byte[]> keys) {
    return keys.stream().map(HexFormat.of()::formatHex).toList();
  }

  @Test
  void rejectsWidthsAndBucketsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(-1, 4));
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(9, 4));
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(1, 0));
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(1, 257));
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(3, 0x1000001));
  }
}
