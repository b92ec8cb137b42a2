package io.packhorse.loader.loadtest;

import static io.packhorse.loader.loadtest.Workload.require;

import java.time.Duration;
import java.util.Map;

/**
 * A query that is asked again and again.
 *
 * @param name one word for limits and reports
 * @param aggregator over series: {@code none}, {@code sum}, {@code avg}, {@code min}, {@code max}
 * @param downsample {@code 1m-avg}; empty for every point
 * @param where values of tags, {@code any} for another one each time
 * @param ofHistory whether another part of the history is read each time, not the newest points
 * @param range how much is read; of the history all if it is longer
 * @param rate queries a second
 */
public record Reader(
    String name,
    String aggregator,
    String downsample,
    Map<String, String> where,
    boolean ofHistory,
    Duration range,
    double rate) {
  /** Stands for a value that changes with each query. */
  static final String ANY = "any";

  private static final String FUNCTIONS = "sum|avg|min|max";

  public Reader {
    require(name.matches("[A-Za-z0-9_-]+"), "readers: a name is letters, digits, '_' and '-'");
    require(
        aggregator.matches("none|" + FUNCTIONS),
        "readers: aggregator must be none, sum, avg, min or max");
    require(
        downsample.isEmpty() || downsample.matches("[1-9]\\d{0,5}[smhd]-(" + FUNCTIONS + ")"),
        "readers: downsample must be a span and sum, avg, min or max, as in 1m-avg");
    require(range.toMillis() >= 1000, "readers: range must be 1s or more");
    require(rate > 0 && rate <= 10_000, "readers: rate must be above 0, and at most 10000");
  }
}
