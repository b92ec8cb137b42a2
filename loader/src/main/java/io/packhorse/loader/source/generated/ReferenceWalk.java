package io.packhorse.loader.source.generated;

/**
 * The reference workload: an integer random walk per series, steps uniform in -50 to +50, that can
 * be computed again for any hour from the seed alone (docs/reference-walk.md).
 *
 * <p>With mix64 the finaliser of SplitMix64 and G its golden gamma, an hour of a series has the key
 * {@code mix64(mix64(seed + G*series) + G*hour)}. It starts at {@code (mix64(key) >>> 1) mod 200001
 * - 100000}; step i takes 21 bits, three steps to a 64-bit draw, scaled to 0..100. Hours join by a
 * jump. The 21-bit scaling moves the probability of a step by less than 5e-5 of itself.
 *
 * <p>Immutable; any number of threads.
 *
 * @param seed of the whole workload
 */
public record ReferenceWalk(long seed) {
  /** Largest step either way. */
  public static final int STEP_MAX = 50;

  /** Entropy of one step in bytes: log2(101) / 8. A cell cannot hold the walk in less. */
  public static final double ENTROPY_BYTES = 0.8322;

  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  private static final int START_RANGE = 200_001;
  private static final int STEP_RANGE = 2 * STEP_MAX + 1;
  private static final int STEP_BITS = 21;
  private static final int STEPS_PER_DRAW = 3;
  private static final long STEP_MASK = (1 << STEP_BITS) - 1;

  /**
   * Computes the first points of one hour of one series.
   *
   * @param series number of the series, from 0
   * @param hour hours since the epoch
   * @param count points wanted
   * @param values receives them at {@code [from, from + count)}
   */
  public void hour(int series, long hour, int count, long[] values, int from) {
    long key = mix64(mix64(seed + GAMMA * series) + GAMMA * hour);
    long value = (mix64(key) >>> 1) % START_RANGE - START_RANGE / 2;
    int end = from + count;
    int at = from;
    values[at++] = value;
    long state = key;
    // Three steps straight down: this loop makes every point of a load test.
    for (; at + STEPS_PER_DRAW <= end; at += STEPS_PER_DRAW) {
      state += GAMMA;
      long draw = mix64(state);
      value += step(draw);
      values[at] = value;
      value += step(draw >>> STEP_BITS);
      values[at + 1] = value;
      value += step(draw >>> (2 * STEP_BITS));
      values[at + 2] = value;
    }
    state += GAMMA;
    for (long draw = mix64(state); at < end; at++) {
      value += step(draw);
      values[at] = value;
      draw >>>= STEP_BITS;
    }
  }

  /** The lowest 21 bits of a draw as a step. */
  private static long step(long draw) {
    return (((draw & STEP_MASK) * STEP_RANGE) >>> STEP_BITS) - STEP_MAX;
  }

  /** Steele, Lea and Flood's SplitMix64 output function, variant 13 of Stafford's finalisers. */
  private static long mix64(long z) {
    long first = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long second = (first ^ (first >>> 27)) * 0x94D049BB133111EBL;
    return second ^ (second >>> 31);
  }
}
