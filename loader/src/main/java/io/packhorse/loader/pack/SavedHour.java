package io.packhorse.loader.pack;

/**
 * A record of a {@link HourFile}: points of one hour of one series.
 *
 * @param hour hours since 1970
 * @param points in the cell
 * @param cell a packed cell; the array belongs to this record
 */
public record SavedHour(int series, int hour, int points, byte[] cell) {
  /** Whether both are of the same hour of the same series. */
  boolean isSameHour(SavedHour other) {
    return series == other.series && hour == other.hour;
  }
}
