package io.packhorse.loader.point;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PointBatchTest {
  @Test
  void pointsOfOneSeriesInARowAreOneRun() {
    PointBatch batch = new PointBatch(1);
    batch.add(7, 1000, 1, false);
    batch.add(7, 2000, 2, true);
    batch.add(8, 1000, 3, false);
    batch.add(7, 3000, 4, false);
    assertEquals(4, batch.points());
    assertEquals(3, batch.runs());
    assertEquals(7, batch.series(0));
    assertEquals(0, batch.start(0));
    assertEquals(2, batch.end(0));
    assertEquals(8, batch.series(1));
    assertEquals(2, batch.start(1));
    assertEquals(3, batch.end(1));
    assertEquals(7, batch.series(2));
    assertEquals(3, batch.start(2));
    assertEquals(4, batch.end(2));
    assertArrayEquals(new long[] {1000, 2000, 1000, 3000}, Arrays.copyOf(batch.timestampsMs(), 4));
    assertArrayEquals(new long[] {1, 2, 3, 4}, Arrays.copyOf(batch.bits(), 4));
    assertTrue(batch.isDouble()[1]);
  }

  @Test
  void growsInPointsAndRuns() {
    PointBatch batch = new PointBatch(1);
    for (int i = 0; i < 1000; i++) {
      batch.add(i, i, -i, i % 3 == 0);
    }
    assertEquals(1000, batch.runs());
    for (int i = 0; i < 1000; i++) {
      assertEquals(i, batch.series(i));
      assertEquals(i, batch.start(i));
      assertEquals(i, batch.timestampsMs()[i]);
      assertEquals(-i, batch.bits()[i]);
      assertEquals(i % 3 == 0, batch.isDouble()[i]);
    }
  }

  @Test
  void takesPointsWrittenIntoItsArrays() {
    PointBatch batch = new PointBatch(1);
    batch.add(1, 5, 5, false);
    batch.ensureRoom(3);
    for (int i = 1; i <= 3; i++) {
      batch.timestampsMs()[i] = 10L * i;
      batch.bits()[i] = i;
    }
    batch.advance(2, 3);
    assertEquals(4, batch.points());
    assertEquals(2, batch.runs());
    assertEquals(1, batch.start(1));
    assertEquals(4, batch.end(1));
  }

  @Test
  void copiesARunOfAnotherBatch() {
    PointBatch from = new PointBatch(4);
    from.add(1, 1, 10, false);
    from.add(2, 2, 20, true);
    from.add(2, 3, 30, false);
    PointBatch to = new PointBatch(1);
    to.addRun(from, 1);
    to.addRun(from, 1);
    to.addRun(from, 0);
    assertEquals(5, to.points());
    assertEquals(2, to.runs());
    assertArrayEquals(new long[] {2, 3, 2, 3, 1}, Arrays.copyOf(to.timestampsMs(), 5));
    assertArrayEquals(new long[] {20, 30, 20, 30, 10}, Arrays.copyOf(to.bits(), 5));
    assertTrue(to.isDouble()[2]);
    from.clear();
    from.add(2, 9, 9, false);
    assertEquals(20, to.bits()[0], "a copy, not a view");
  }

  @Test
  void clearedBatchKeepsItsArrays() {
    PointBatch batch = new PointBatch(8);
    long[] bits = batch.bits();
    batch.add(1, 1, 1, true);
    batch.clear();
    assertEquals(0, batch.points());
    assertEquals(0, batch.runs());
    batch.add(1, 1, 2, false);
    assertSame(bits, batch.bits());
    assertEquals(1, batch.runs(), "no run is joined across a clear");
    assertEquals(0, batch.start(0));
  }

  @Test
  void takesAllOfAnotherBatchAsItTakesItsRuns() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      PointBatch together = new PointBatch(1);
      PointBatch byRuns = new PointBatch(1);
      for (int part = 0; part < 5; part++) {
        PointBatch from = new PointBatch(1);
        int points = random.nextInt(50);
        for (int i = 0; i < points; i++) {
          from.add(random.nextInt(3), random.nextInt(), random.nextLong(), random.nextBoolean());
        }
        together.addAll(from);
        for (int run = 0; run < from.runs(); run++) {
          byRuns.addRun(from, run);
        }
      }
      assertEqual(byRuns, together);
    }
  }

  private static void assertEqual(PointBatch expected, PointBatch actual) {
    int points = expected.points();
    assertEquals(points, actual.points());
    assertEquals(expected.runs(), actual.runs());
    for (int run = 0; run < expected.runs(); run++) {
      assertEquals(expected.series(run), actual.series(run));
      assertEquals(expected.end(run), actual.end(run));
    }
    assertArrayEquals(
        Arrays.copyOf(expected.timestampsMs(), points),
        Arrays.copyOf(actual.timestampsMs(), points));
    assertArrayEquals(Arrays.copyOf(expected.bits(), points), Arrays.copyOf(actual.bits(), points));
    assertArrayEquals(
        Arrays.copyOf(expected.isDouble(), points), Arrays.copyOf(actual.isDouble(), points));
  }
}
