package io.packhorse.benchmarks.cells;

import java.util.SplittableRandom;

/** Seeded random draws; the same seed gives the same draws on every JDK and machine. One thread. */
final class Draws {
  private static final double DOUBLE_UNIT = 0x1.0p-53;

  private final SplittableRandom random;
  private double spare;
  private boolean hasSpare;

  Draws(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Uniform over all longs. */
  long bits() {
    return random.nextLong();
  }

  /** Uniform in {@code [0, bound)}; the bias of the high product stays below 2^-31. */
  int below(int bound) {
    return (int) (((random.nextLong() >>> 32) * bound) >>> 32);
  }

  /** Uniform in {@code [0, 1)}. */
  double uniform() {
    return (random.nextLong() >>> 11) * DOUBLE_UNIT;
  }

  /** Whether something happens that does with this chance. */
  boolean chance(double probability) {
    return uniform() < probability;
  }

  /** Normal, mean 0, deviation 1: the polar method, in strict arithmetic. */
  double gaussian() {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    double x;
    double y;
    double square;
    do {
      x = 2 * uniform() - 1;
      y = 2 * uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double scale = Math.sqrt(-2 * StrictMath.log(square) / square);
    spare = y * scale;
    hasSpare = true;
    return x * scale;
  }

  /** Exponential with this mean. */
  double exponential(double mean) {
    return -mean * StrictMath.log(1 - uniform());
  }
}
