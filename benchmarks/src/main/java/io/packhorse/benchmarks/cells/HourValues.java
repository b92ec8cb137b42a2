package io.packhorse.benchmarks.cells;

/** Values of consecutive points of one series. */
interface HourValues {
  /**
   * Fills the whole array with a series of its own: integers as they are, doubles as raw bits.
   *
   * @param draws seeded for this series
   */
  void fill(Draws draws, long[] bits);
}
