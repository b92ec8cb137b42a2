package io.packhorse.loader.point;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SeriesGroupingTest {
  private final SeriesGrouping grouping = new SeriesGrouping();
  private final PointBatch into = new PointBatch(1);

  @Test
  void keepsTheOrderOfEachSeries() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 50; round++) {
      PointBatch batch = new PointBatch(1);
      int series = 1 + random.nextInt(round % 5 == 0 ? 1000 : 9);
      int points = series * 10 + random.nextInt(500);
      for (int i = 0; i < points; i++) {
        batch.add(random.nextInt(series), random.nextLong(), i, random.nextBoolean());
      }
      assertEquals(
          series == 1 ? false : batch.runs() >= 4L * bySeries(batch).size(),
          grouping.group(batch, into),
          "round " + round);
      if (series > 1) {
        assertEquals(bySeries(batch), bySeries(into), "round " + round);
        assertEquals(bySeries(batch).size(), into.runs(), "round " + round);
      }
    }
  }

  @Test
  void leavesLongRunsAlone() {
    PointBatch batch = new PointBatch(1);
    for (int i = 0; i < 100; i++) {
      batch.add(i / 10, i, i, false);
    }
    into.add(7, 8, 9, true);
    assertFalse(grouping.group(batch, into));
    assertEquals(1, into.points());
    for (int i = 0; i < 100; i++) {
      batch.add(i % 2, i, i, false);
    }
    assertTrue(grouping.group(batch, into));
  }

  private static Map<Integer, List<String>> bySeries(PointBatch batch) {
    Map<Integer, List<String>> all = new TreeMap<>();
    for (int run = 0; run < batch.runs(); run++) {
      for (int i = batch.start(run); i < batch.end(run); i++) {
        all.computeIfAbsent(batch.series(run), none -> new ArrayList<>())
            .add(batch.timestampsMs()[i] + " " + batch.bits()[i] + " " + batch.isDouble()[i]);
      }
    }
    return all;
  }
}
