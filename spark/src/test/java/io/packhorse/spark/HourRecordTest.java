package io.packhorse.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.pack.SavedHour;
import org.junit.jupiter.api.Test;

final class HourRecordTest {
  private static final byte[] CELL = {5, 6, 7};

  @Test
  void anHourKeepsWhatItHolds() {
    byte[] hour = HourRecord.hour(2, 300, 17, 473_352, 3, CELL);
    assertEquals(HourRecord.HOUR, HourRecord.kind(hour));
    assertEquals(2, HourRecord.input(hour));
    assertEquals(17, HourRecord.series(hour));
    assertEquals(473_352, HourRecord.hourOf(hour));
    SavedHour saved = HourRecord.saved(HourRecord.value(99, hour));
    assertEquals(99, saved.series());
    assertEquals(473_352, saved.hour());
    assertEquals(3, saved.points());
    assertArrayEquals(CELL, saved.cell());
    assertArrayEquals(
        new byte[] {1, 2}, HourRecord.rowKey(HourRecord.key(new byte[] {1, 2}, hour)));
  }

  @Test
  void keysAreInTheOrderOfRowsAndThenOfArrival() {
    byte[] early = HourRecord.hour(0, 9, 0, 0, 0, CELL);
    byte[] late = HourRecord.hour(1, 0, 0, 0, 0, CELL);
    assertRising(key(early, 1), key(late, 1));
    // A row of fewer tags may begin one of more.
    assertRising(key(late, 1), key(early, 1, 0, 0));
    assertRising(key(late, 1, 0, 0), key(early, -1));
    assertTrue(HourRecord.sameRow(key(early, 1, 2), key(late, 1, 2)));
    assertFalse(HourRecord.sameRow(key(early, 1), key(early, 1, 0)));
  }

  private static byte[] key(byte[] hour, int... row) {
    byte[] rowKey = new byte[row.length];
    for (int i = 0; i < row.length; i++) {
      rowKey[i] = (byte) row[i];
    }
    return HourRecord.key(rowKey, hour);
  }

  private static void assertRising(byte[] left, byte[] right) {
    assertTrue(HourRecord.KeyOrder.INSTANCE.compare(left, right) < 0);
    assertTrue(HourRecord.KeyOrder.INSTANCE.compare(right, left) > 0);
    assertEquals(0, HourRecord.KeyOrder.INSTANCE.compare(left, left.clone()));
  }
}
