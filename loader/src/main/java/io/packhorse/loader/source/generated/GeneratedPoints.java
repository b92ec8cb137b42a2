package io.packhorse.loader.source.generated;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.key.BaseTime;

/**
 * History that follows from series and time alone: each series has a point an interval, from a full
 * hour on. Immutable; any number of threads.
 */
public sealed interface GeneratedPoints permits WalkSpec, WorkloadHistory {
  /** Number of series, at least 1. */
  int seriesCount();

  /** Name of a series. */
  SeriesName seriesName(int series);

  /** Milliseconds between points, a divisor of one hour. */
  int intervalMs();

  /** First point, epoch seconds, on a full hour. */
  long startSeconds();

  /** Points of each series. */
  long points();

  /** Makes one hour of one series the whole content of a batch with room for it. */
  void fill(int series, int hour, PointBatch batch);

  /** Points of a full hour. */
  default int pointsPerHour() {
    return BaseTime.HOUR_MS / intervalMs();
  }

  /** Hours of each series, the last one perhaps not full. */
  default int hours() {
    return Math.toIntExact((points() + pointsPerHour() - 1) / pointsPerHour());
  }

  /** Points of hour {@code hour}, counted from the start. */
  default int pointsInHour(int hour) {
    return (int) Math.min(pointsPerHour(), points() - (long) hour * pointsPerHour());
  }

  /** Base time of hour {@code hour} in epoch seconds. */
  default long baseSeconds(int hour) {
    return startSeconds() + (long) hour * BaseTime.HOUR_SECONDS;
  }

  /** Hour after the last, in epoch seconds. */
  default long endSeconds() {
    return baseSeconds(hours());
  }

  /** Points of all series. */
  default long totalPoints() {
    return points() * seriesCount();
  }
}
