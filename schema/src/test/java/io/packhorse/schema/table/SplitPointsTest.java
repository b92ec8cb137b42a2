package io.packhorse.schema.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
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
    assertArrayEquals(new byte[] {0, 0, 0, 0, 0, 0, 0, 1}, SplitPoints.bySaltBucket(8, 2).get(0));
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
  void rejectsWidthsAndBucketsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(-1, 4));
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(9, 4));
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(1, 0));
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(1, 257));
    assertThrows(IllegalArgumentException.class, () -> SplitPoints.bySaltBucket(3, 0x1000001));
  }
}
