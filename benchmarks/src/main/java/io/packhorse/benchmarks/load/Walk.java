package io.packhorse.benchmarks.load;

/** The reference walk (docs/reference-walk.md) of seed 1, as anyone else would compute it. */
final class Walk {
  private static final long SEED = 1;
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private Walk() {}

  /** Computes the first values of an hour of a series, as many as fit. */
  static void hour(int series, long hour, long[] values) {
    long key = Draw.mix64(Draw.mix64(SEED + GAMMA * series) + GAMMA * hour);
    long value = (Draw.mix64(key) >>> 1) % 200_001 - 100_000;
    long draw = 0;
    values[0] = value;
    for (int i = 1; i < values.length; i++) {
      if ((i - 1) % 3 == 0) {
        key += GAMMA;
        draw = Draw.mix64(key);
      }
      value += (((draw & 0x1F_FFFF) * 101) >>> 21) - 50;
      draw >>>= 21;
      values[i] = value;
    }
  }
}
