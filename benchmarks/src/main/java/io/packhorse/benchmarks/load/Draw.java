package io.packhorse.benchmarks.load;

/** Random numbers by place: the same place has the same number in every process. */
final class Draw {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private Draw() {}

  /** Uniform in {@code [0, bound)}. */
  static int below(int bound, long series, long step) {
    return (int) (((mix64(GAMMA * series ^ mix64(GAMMA + step)) >>> 32) * bound) >>> 32);
  }

  /** The output function of SplitMix64. */
  static long mix64(long z) {
    long first = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long second = (first ^ (first >>> 27)) * 0x94D049BB133111EBL;
    return second ^ (second >>> 31);
  }
}
