package io.packhorse.loader.pack;

/**
 * Points of an hour as a {@link HourFile} has them.
 *
 * @param hour since 1970
 * @param points of the cell
 * @param cell packed; the holder's
 */
record SavedHour(int series, int hour, int points, byte[] cell) {
  /** Whether both are of the same hour of the same series. */
  boolean joins(SavedHour other) {
    return series == other.series && hour == other.hour;
  }
}
