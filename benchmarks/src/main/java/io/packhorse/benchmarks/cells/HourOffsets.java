package io.packhorse.benchmarks.cells;

/** Times of the points of one hour. */
interface HourOffsets {
  /**
   * Fills the front of the array.
   *
   * @param draws seeded for this series
   * @param offsets milliseconds, strictly rising, below one hour; room for 3,600
   * @return how many
   */
  int fill(Draws draws, int[] offsets);
}
