package io.packhorse.loader.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void pointsWaitForThoseBeforeThem() {
    Pace pace = new Pace(1000);
    long now = System.nanoTime() + 10 * SECOND;
    assertEquals(-SECOND, pace.reserve(500, now));
    assertEquals(-SECOND / 2, pace.reserve(3000, now));
    assertEquals(5 * SECOND / 2, pace.reserve(1, now));
    assertEquals(SECOND / 1000, pace.reserve(1, now + 5 * SECOND / 2));
  }

  @Test
  void atMostASecondIsMadeUpFor() {
    Pace pace = new Pace(10);
    long later = System.nanoTime() + 1000 * SECOND;
    long wait = 0;
    for (int i = 0; i < 100; i++) {
      wait = pace.reserve(1, later);
    }
    assertEquals(89 * SECOND / 10, wait);
  }

  @Test
  void aPaceIsAboveZero() {
    assertThrows(IllegalArgumentException.class, () -> new Pace(0));
    assertTrue(new Pace(0.1).reserve(1, System.nanoTime()) <= 0);
  }
}
