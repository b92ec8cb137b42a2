package io.packhorse.schema.cell;

import java.util.Random;

/** Seeded blocks of every shape: resolutions, gaps, kinds and magnitudes of values. */
final class RandomBlocks {
  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    1.5,
    0.1,
    -273.15,
    Double.MAX_VALUE,
    Double.MIN_VALUE,
    Float.MAX_VALUE,
    Float.MIN_VALUE,
    Float.MIN_VALUE / 2.0,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN,
    16_777_217.0
  };

  private static final long[] EDGES = {
    0,
    -1,
    127,
    128,
    -128,
    -129,
    32_767,
    32_768,
    -32_768,
    -32_769,
    Integer.MAX_VALUE,
    1L + Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MIN_VALUE - 1L,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private RandomBlocks() {}

  /** One to about 4000 points; the same for the same seed. */
  static PointBlock block(long seed) {
    Random random = new Random(seed);
    PointBlock block = new PointBlock(0);
    int millisPercent = new int[] {0, 0, 100, 50, 3}[random.nextInt(5)];
    int doublePercent = new int[] {0, 0, 100, 40}[random.nextInt(4)];
    int stepMs = new int[] {1000, 1000, 10_000, 60_000, 900_000}[random.nextInt(5)];
    int offset = random.nextInt(3) * 1000;
    while (offset < PointBlock.HOUR_MS) {
      if (random.nextInt(100) < doublePercent) {
        block.addDouble(offset, doubleBits(random));
      } else {
        block.addLong(offset, number(random));
      }
      int next = offset + Math.max(1, random.nextInt(2) * stepMs);
      next -= next % 1000;
      if (random.nextInt(100) < millisPercent) {
        next += 1 + random.nextInt(999);
      }
      offset = next > offset ? next : offset - offset % 1000 + stepMs;
    }
    return block;
  }

  private static long number(Random random) {
    return random.nextInt(4) == 0
        ? EDGES[random.nextInt(EDGES.length)]
        : random.nextLong() >> random.nextInt(64);
  }

  private static long doubleBits(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Double.doubleToRawLongBits(DOUBLES[random.nextInt(DOUBLES.length)]);
      case 1 -> FloatBits.widen(random.nextInt());
      case 2 -> Double.doubleToRawLongBits(random.nextInt(100_000) / 100.0);
      default -> random.nextLong();
    };
  }
}
