package io.packhorse.loader.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LoadCountsTest {
  @Test
  void balancesWhenEveryPointIsPackedOrReplacedAndAcknowledged() {
    assertTrue(LoadCounts.NONE.balanced());
    assertTrue(new LoadCounts(10, 8, 2, 8, 1, 30, 20).balanced());
    assertFalse(new LoadCounts(10, 8, 1, 8, 1, 30, 20).balanced(), "a point is lost");
    assertFalse(new LoadCounts(10, 8, 2, 7, 1, 30, 20).balanced(), "a point is not confirmed");
    assertFalse(new LoadCounts(10, 8, 2, 9, 1, 30, 20).balanced(), "one is confirmed twice");
  }

  @Test
  void addsUp() {
    assertEquals(
        new LoadCounts(11, 22, 33, 44, 55, 66, 77),
        new LoadCounts(1, 2, 3, 4, 5, 6, 7).plus(new LoadCounts(10, 20, 30, 40, 50, 60, 70)));
  }

  @Test
  void bytesPerPointAreOfPackedPoints() {
    LoadCounts counts = new LoadCounts(10, 8, 2, 4, 1, 32, 16);
    assertEquals(4, counts.bytesPerPoint());
    assertEquals(2, counts.valueBytesPerPoint());
    assertEquals(0, LoadCounts.NONE.bytesPerPoint());
    assertEquals(0, LoadCounts.NONE.valueBytesPerPoint());
  }
}
