package io.packhorse.loader.point;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LastTimesTest {
  private final LastTimes times = new LastTimes();

  @Test
  void keepsTheLatestOfPointsInAnyOrder() {
    PointBatch batch = new PointBatch(8);
    batch.add(5, 300, 0, false);
    batch.add(5, 700, 0, false);
    batch.add(5, 500, 0, false);
    batch.add(0, 0, 0, false);
    batch.add(5, 600, 0, false);
    times.take(batch);
    assertEquals(700, times.ofSeries(5));
    assertEquals(0, times.ofSeries(0));
    assertEquals(LastTimes.NONE, times.ofSeries(3));
    assertEquals(LastTimes.NONE, times.ofSeries(6));
    assertEquals(0, times.firstOfAll());
    assertEquals(700, times.lastOfAll());
  }

  @Test
  void readsBackAsManyAsCount() {
    times.take(0, 10);
    times.take(2, 30);
    times.take(3, 40);
    LastTimes read = LastTimes.of(times.toBytes(), 3);
    assertEquals(10, read.ofSeries(0));
    assertEquals(LastTimes.NONE, read.ofSeries(1));
    assertEquals(30, read.ofSeries(2));
    assertEquals(LastTimes.NONE, read.ofSeries(3));
    assertEquals(10, read.firstOfAll());
    assertEquals(LastTimes.NONE, LastTimes.of(new byte[0], 3).firstOfAll());
    assertEquals(LastTimes.NONE, new LastTimes().lastOfAll());
  }
}
