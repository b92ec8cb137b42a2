package io.packhorse.loader.source.generated;

/** How the values of a series go on; each value follows from seed, series and time alone. */
public enum ValueKind {
  /** The same value, {@code min}, always. */
  CONSTANT,
  /** Any value from {@code min} to {@code max} at each time: as many bits as the range has. */
  NOISE,
  /** A level from {@code min} to {@code max} that is kept for {@code hold} points. */
  GAUGE,
  /** A counter that rises by up to {@code step} each time, and begins again after {@code hold}. */
  COUNTER,
  /**
   * A way from level to level, {@code hold} points each, on which a value is off by up to {@code
   * step}: about as many bits as the step has.
   */
  WALK
}
