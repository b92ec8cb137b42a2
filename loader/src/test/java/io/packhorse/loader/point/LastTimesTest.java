package io.packhorse.loader.point;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
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
  void readsBackAsManyAsCount() throws IOException {
    times.take(0, 10);
    times.take(2, 30);
    times.take(3, 40);
    LastTimes read = read(written(times), 3);
    assertEquals(10, read.ofSeries(0));
    assertEquals(LastTimes.NONE, read.ofSeries(1));
    assertEquals(30, read.ofSeries(2));
    assertEquals(LastTimes.NONE, read.ofSeries(3));
    assertEquals(10, read.firstOfAll());
    assertEquals(LastTimes.NONE, read(new byte[0], 3).firstOfAll());
    assertEquals(LastTimes.NONE, new LastTimes().lastOfAll());
  }

  @Test
  void pointsOfEachSeriesCountLikeOthers() throws IOException {
    times.take(1, 900);
    times.takeEach(3, 100, 500);
    times.take(4, 200);
    for (LastTimes each : List.of(times, read(written(times), 5))) {
      assertEquals(500, each.ofSeries(0));
      assertEquals(900, each.ofSeries(1));
      assertEquals(500, each.ofSeries(2));
      assertEquals(LastTimes.NONE, each.ofSeries(3));
      assertEquals(200, each.ofSeries(4));
      assertEquals(100, each.firstOfAll());
      assertEquals(900, each.lastOfAll());
    }
  }

  private static byte[] written(LastTimes times) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    times.write(bytes);
    return bytes.toByteArray();
  }

  private static LastTimes read(byte[] bytes, int sizeMax) throws IOException {
    return LastTimes.read(new ByteArrayInputStream(bytes), sizeMax);
  }
}
