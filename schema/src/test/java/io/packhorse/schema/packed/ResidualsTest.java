package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResidualsTest {
  private static final int LONG_RUN = 3600;

  /** So long that the last of the three stretches looked at begins behind it. */
  private static final int TWO_THIRDS = 2400;

  private final Random random = new Random(51);

  private static boolean scattered(int count, IntToLongFunction value) {
    long[] values = new long[count];
    Arrays.setAll(values, value);
    return Residuals.scattered(values, count);
  }

  private long draw() {
    return random.nextInt(1000);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -500, 1_000_000, -1_000_000_000_000L, Long.MAX_VALUE - 1000})
  void drawsScatterWhereverTheirMeanIs(long min) {
    assertTrue(scattered(LONG_RUN, i -> min + draw()));
    assertTrue(scattered(1024, i -> min + draw()));
  }

  @Test
  void shortRunsAreLookedAtWhole() {
    assertFalse(scattered(1023, i -> draw()));
  }

  @Test
  void walksSlopesAndConstantsDoNotScatter() {
    long[] walk = new long[1];
    assertFalse(scattered(LONG_RUN, i -> walk[0] += random.nextInt(101) - 50));
    assertFalse(scattered(LONG_RUN, i -> 1000L * i + draw()));
    assertFalse(scattered(LONG_RUN, i -> 7));
  }

  @Test
  void valuesThatMostlyStayDoNotScatter() {
    long[] last = new long[1];
    assertFalse(scattered(LONG_RUN, i -> last[0] = i % 3 == 0 ? draw() : last[0]));
  }

  @Test
  void twoStretchesOfThreeTell() {
    assertTrue(scattered(LONG_RUN, i -> i < TWO_THIRDS ? draw() : 7));
    assertTrue(scattered(LONG_RUN, i -> i >= LONG_RUN - TWO_THIRDS ? draw() : 7));
    assertFalse(scattered(LONG_RUN, i -> i < LONG_RUN - TWO_THIRDS ? draw() : 7));
    assertFalse(scattered(LONG_RUN, i -> i >= TWO_THIRDS ? draw() : 7));
  }

  @Test
  void widerOnesThanTheirSumsAllowDoNotScatter() {
    assertTrue(scattered(LONG_RUN, i -> random.nextLong() >>> 17));
    assertFalse(scattered(LONG_RUN, i -> random.nextLong() >>> 14));
    assertFalse(scattered(LONG_RUN, i -> random.nextLong()));
  }
}
