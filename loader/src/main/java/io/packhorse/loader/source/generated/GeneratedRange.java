package io.packhorse.loader.source.generated;

/**
 * Rows that one thread generates without a break: hours of some series.
 *
 * @param series numbers, in the order of their rows within an hour; only read
 * @param fromHour first hour, counted from the start of the workload
 * @param toHour hour after the last
 */
public record GeneratedRange(int[] series, int fromHour, int toHour) {
  /** How many hours of a series this is. */
  public long rows() {
    return (long) series.length * (toHour - fromHour);
  }
}
