package io.packhorse.loader.table;

import io.packhorse.schema.key.BaseTime;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * How much data a store has to hold.
 *
 * @param series 1 to 10^12
 * @param interval between the points of a series, 1 ms or more
 * @param retention how long points are kept, an hour or more
 * @param metrics over which the series are evenly spread, 1 to {@code series}, at most 2^24
 * @param tags of each series, 1 or more
 * @param bytesPerPoint of the cells alone, as {@code estimate} prints it; empty for the figure of
 *     the reference walk
 */
public record DataVolume(
    long series,
    Duration interval,
    Duration retention,
    long metrics,
    int tags,
    OptionalDouble bytesPerPoint) {
  private static final long SERIES_MAX = 1_000_000_000_000L;
  private static final long METRICS_MAX = 1L << 24;

  /** Measured on the reference walk, {@code docs/reference-walk.md}. */
  private static final double WALK_BYTES_PER_POINT = 0.85;

  /** Header of a packed cell and its qualifier. */
  private static final int CELL_BYTES = 13;

  public DataVolume {
    if (series < 1
        || series > SERIES_MAX
        || interval.toMillis() < 1
        || retention.compareTo(Duration.ofHours(1)) < 0) {
      throw new IllegalArgumentException(
          "series must be 1 to 10^12, the interval 1 ms or more, the retention 1 h or more: series="
              + series
              + ", interval="
              + interval
              + ", retention="
              + retention);
    }
    if (metrics < 1 || metrics > Math.min(series, METRICS_MAX) || tags < 1) {
      throw new IllegalArgumentException(
          "metrics must be 1 to the number of series and to 2^24, tags 1 or more: metrics="
              + metrics
              + ", tags="
              + tags);
    }
  }

  /** Points of all series. */
  public double points() {
    return (double) series * retention.toMillis() / interval.toMillis();
  }

  /** Points in an hour of a series that has any. */
  public double pointsPerCell() {
    return Math.max(1, (double) BaseTime.HOUR_MS / interval.toMillis());
  }

  /** Cells: one for each hour and series. */
  public double cells() {
    return points() / pointsPerCell();
  }

  /** Bytes of a packed cell, qualifier included, row key not. */
  double bytesPerCell() {
    return bytesPerPoint.isPresent()
        ? bytesPerPoint.getAsDouble() * pointsPerCell()
        : WALK_BYTES_PER_POINT * pointsPerCell() + CELL_BYTES;
  }
}
