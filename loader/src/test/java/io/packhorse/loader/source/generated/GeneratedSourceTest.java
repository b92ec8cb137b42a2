package io.packhorse.loader.source.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GeneratedSourceTest {
  private static final WalkSpec SPEC = new WalkSpec("m", 7, 60_000, 1_704_067_200, 150, 5);

  @Test
  void slicesCoverEverySeriesAndHourOnce() {
    for (int slices = 1; slices <= 9; slices++) {
      Set<String> seen = new HashSet<>();
      long points = 0;
      for (int slice = 0; slice < slices; slice++) {
        GeneratedSource source = new GeneratedSource(SPEC, slice, slices);
        for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
          assertEquals(1, batch.runs());
          assertEquals(slice, batch.series(0) % slices, "a series stays in one slice");
          assertTrue(seen.add(batch.series(0) + " " + batch.timestampsMs()[0] / 3_600_000));
          points += batch.points();
        }
        assertNull(source.next(), "the end stays the end");
      }
      assertEquals(SPEC.sensors() * SPEC.hours(), seen.size());
      assertEquals(SPEC.totalPoints(), points);
    }
  }

  @Test
  void batchesAreHoursOfTheSpecInOrder() {
    GeneratedSource source = new GeneratedSource(SPEC, 0, 1);
    long[] expected = new long[60];
    for (int series = 0; series < SPEC.sensors(); series++) {
      for (int hour = 0; hour < SPEC.hours(); hour++) {
        PointBatch batch = Objects.requireNonNull(source.next());
        int count = SPEC.values(series, hour, expected, 0);
        assertEquals(series, batch.series(0));
        assertEquals(count, batch.points());
        for (int i = 0; i < count; i++) {
          assertEquals(SPEC.baseSeconds(hour) * 1000 + i * 60_000L, batch.timestampsMs()[i]);
          assertEquals(expected[i], batch.bits()[i]);
          assertFalse(batch.isDouble()[i]);
        }
      }
    }
    assertNull(source.next());
  }
}
