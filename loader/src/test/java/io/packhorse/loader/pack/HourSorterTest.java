package io.packhorse.loader.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.cell.PointBlock;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HourSorterTest {
  private static final long BASE = 1_704_067_200;

  private record Value(long bits, boolean isDouble) {}

  private final HourSorter hour = new HourSorter();

  @Test
  void pointsInOrderAreTheBlock() {
    hour.clear();
    assertEquals(3, take(0, 1, 1000, 2, 3_599_999, 3));
    assertEquals(3, hour.taken());
    assertBlock(0, 1, 1000, 2, 3_599_999, 3);
  }

  @Test
  void pointsOutOfOrderAreSorted() {
    hour.clear();
    take(5000, 5, 1000, 1, 3000, 3, 6000, 6, 0, 0);
    assertBlock(0, 0, 1000, 1, 3000, 3, 5000, 5, 6000, 6);
  }

  @Test
  void theLaterArrivalWins() {
    hour.clear();
    take(1000, 1, 2000, 2, 1000, 10, 2000, 20, 1000, 100, 3000, 3);
    assertEquals(6, hour.taken());
    assertBlock(1000, 100, 2000, 20, 3000, 3);
  }

  @Test
  void theLaterArrivalWinsWithItsKind() {
    hour.clear();
    long[] times = {BASE * 1000, BASE * 1000};
    assertEquals(
        2,
        hour.take(
            times, new long[] {7, 8}, new boolean[] {true, false}, 0, times.length, BASE * 1000));
    PointBlock block = hour.merged();
    assertEquals(1, block.count());
    assertEquals(0, block.doubles());
    assertEquals(8, block.values()[0]);
  }

  @Test
  void stopsAtTheFirstPointOfAnotherHour() {
    hour.clear();
    assertEquals(1, take(0, 1, 3_600_000, 2, 1000, 3));
    assertEquals(0, take(-1, 1));
    assertEquals(2, take(500, 1, 400, 1, -1, 9, 700, 7));
    assertEquals(3, hour.taken());
  }

  @Test
  void clearRemovesTheHourBefore() {
    hour.clear();
    take(2000, 2, 1000, 1);
    hour.merged();
    hour.clear();
    assertEquals(0, hour.taken());
    take(0, 5);
    assertBlock(0, 5);
    hour.clear();
    take(9, 9, 8, 8);
    hour.clear();
    take(7, 7);
    assertBlock(7, 7);
  }

  @Test
  void equalsAMapInWhichTheLastPutWins() {
    for (long seed = 1; seed <= 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TreeMap<Integer, Value> model = new TreeMap<>();
      int points = 1 + random.nextInt(random.nextInt(10) == 0 ? 5000 : 300);
      int spread = 1 + random.nextInt(random.nextBoolean() ? 50 : PointBlock.HOUR_MS);
      int lateOneIn = 1 + random.nextInt(20);
      long[] times = new long[points];
      long[] bits = new long[points];
      boolean[] isDouble = new boolean[points];
      int offset = 0;
      for (int i = 0; i < points; i++) {
        offset =
            random.nextInt(lateOneIn) == 0
                ? random.nextInt(spread)
                : Math.min(PointBlock.HOUR_MS - 1, offset + random.nextInt(3));
        times[i] = BASE * 1000 + offset;
        bits[i] = random.nextLong();
        isDouble[i] = random.nextInt(4) == 0;
        model.put(offset, new Value(bits[i], isDouble[i]));
      }
      hour.clear();
      for (int from = 0; from < points; ) {
        int to = Math.min(points, from + 1 + random.nextInt(points));
        assertEquals(to, hour.take(times, bits, isDouble, from, to, BASE * 1000), "seed " + seed);
        from = to;
      }
      assertEquals(points, hour.taken(), "seed " + seed);
      assertEquals(block(model), hour.merged(), "seed " + seed);
    }
  }

  private static PointBlock block(Map<Integer, Value> points) {
    PointBlock block = new PointBlock();
    points.forEach((offset, value) -> block.add(offset, value.bits(), value.isDouble()));
    return block;
  }

  /** Offset, value, offset, value, ...; how many were taken. */
  private int take(long... offsetsAndValues) {
    int count = offsetsAndValues.length / 2;
    long[] times = new long[count];
    long[] bits = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = BASE * 1000 + offsetsAndValues[2 * i];
      bits[i] = offsetsAndValues[2 * i + 1];
    }
    return hour.take(times, bits, new boolean[count], 0, count, BASE * 1000);
  }

  private void assertBlock(int... offsetsAndValues) {
    PointBlock expected = new PointBlock();
    for (int i = 0; i < offsetsAndValues.length; i += 2) {
      expected.addLong(offsetsAndValues[i], offsetsAndValues[i + 1]);
    }
    PointBlock sealed = hour.merged();
    for (int i = 1; i < sealed.count(); i++) {
      assertTrue(sealed.offsetsMs()[i - 1] < sealed.offsetsMs()[i], "offsets rise");
    }
    assertEquals(expected, sealed);
  }
}
