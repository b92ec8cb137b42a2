package io.packhorse.loader.table;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * What a store has to hold.
 *
 * @param series 1 to 10^12
 * @param interval between the points of a series, 1 ms or more
 * @param retention how much time is kept, an hour or more
 * @param metrics that the series are evenly of, 1 to {@code series}, and to 2^24
 * @param tags of each series, 1 or more
 * @param bytesPerPoint of the cells alone, as {@code estimate} prints it; empty for what the
 *     reference walk takes
 */
public record Workload(
    long series,
    Duration interval,
    Duration retention,
    long metrics,
    int tags,
    OptionalDouble bytesPerPoint) {
  private static final long SERIES_MAX = 1_000_000_000_000L;
  private static final long METRICS_MAX = 1L << 24;
  private static final double HOUR_MS = 3_600_000;

  /** Of the reference walk, {@code docs/reference-walk.md}. */
  private static final double WALK_BYTES_PER_POINT = 0.85;

  /** Header of a packed cell and its qualifier. */
  private static final int CELL_BYTES = 13;

  public Workload {
    if (series < 1
        || series > SERIES_MAX
        || interval.toMillis() < 1
        || retention.compareTo(Duration.ofHours(1)) < 0) {
      throw new IllegalArgumentException(
          "there must be 1 to 10^12 series, a millisecond between points and an hour kept: series="
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

  /** Points of a series in an hour that has any. */
  public double pointsPerCell() {
    return Math.max(1, HOUR_MS / interval.toMillis());
  }

  /** Cells, one an hour and series. */
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
