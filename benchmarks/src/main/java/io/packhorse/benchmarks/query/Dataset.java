package io.packhorse.benchmarks.query;

import java.time.Duration;
import java.util.List;

/**
 * Data of a reference walk, loaded twice: packed and in OpenTSDB's own compacted cells.
 *
 * @param name part of the metrics' names
 */
record Dataset(String name, int series, Duration interval, Duration span) {
  /** 2024-01-01. */
  static final long START_S = 1_704_067_200L;

  /** The metric that holds one form of cells. */
  String metric(String cells) {
    return "bench." + name + "." + cells;
  }

  /** The command that loads one form. */
  List<String> load(String cells) {
    return List.of(
        "loadtest",
        "fill",
        "--sensors",
        "" + series,
        "--interval",
        interval.toSeconds() + "s",
        "--span",
        span.toHours() + "h",
        "--metric",
        metric(cells),
        "--cells",
        cells,
        "--sink",
        "hfiles");
  }
}
