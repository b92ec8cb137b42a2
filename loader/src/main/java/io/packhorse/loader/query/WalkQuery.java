package io.packhorse.loader.query;

import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.schema.key.BaseTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A query over the reference walk, with the right answer computed from the walk's seed.
 *
 * @param name for display
 * @param expression as in the {@code m} parameter of {@code /api/query}
 * @param startMs first time of the query
 * @param endMs last time of the query, inclusive
 * @param scannedPoints points that the TSD must read
 * @param expected the right answer: series by their {@code sensor} tag, or one with an empty name
 */
public record WalkQuery(
    String name,
    String expression,
    long startMs,
    long endMs,
    long scannedPoints,
    Map<String, NavigableMap<Long, Double>> expected) {
  private static final int MINUTE_MS = 60_000;
  private static final int HOURS_MAX = 168;

  /**
   * Rounding of a sum of 128 fractions depends on the order of the series; a larger error is wrong.
   * Sums of integers are exact.
   */
  private static final double RELATIVE_ERROR = 1e-12;

  /** The four queries of the demo. */
  public static List<WalkQuery> demo(WalkSpec spec) {
    return List.of(rawHour(spec), minuteAverages(spec), hourMaxima(spec), plainSum(spec));
  }

  private static WalkQuery rawHour(WalkSpec spec) {
    long[] values = new long[spec.pointsPerHour()];
    int count = spec.values(0, 0, values, 0);
    NavigableMap<Long, Double> points = new TreeMap<>();
    long start = spec.startSeconds() * 1000;
    for (int i = 0; i < count; i++) {
      points.put(start + (long) i * spec.intervalMs(), (double) values[i]);
    }
    String sensor = WalkSpec.sensorName(0);
    return query(
        "raw hour of one series",
        "none:" + spec.metric() + "{sensor=" + sensor + "}",
        spec,
        1,
        count,
        Map.of(sensor, points));
  }

  private static WalkQuery minuteAverages(WalkSpec spec) {
    int hours = Math.min(spec.hours(), 24);
    long[] values = new long[spec.pointsPerHour()];
    NavigableMap<Long, Double> sums = new TreeMap<>();
    long scanned = 0;
    for (int series = 0; series < spec.sensors(); series++) {
      for (int hour = 0; hour < hours; hour++) {
        int count = spec.values(series, hour, values, 0);
        scanned += count;
        for (int from = 0; from < count; ) {
          int minute = (int) ((long) from * spec.intervalMs() / MINUTE_MS);
          long sum = 0;
          int i = from;
          for (; i < count && (long) i * spec.intervalMs() / MINUTE_MS == minute; i++) {
            sum += values[i];
          }
          long bucket = spec.baseSeconds(hour) * 1000 + (long) minute * MINUTE_MS;
          sums.merge(bucket, (double) sum / (i - from), Double::sum);
          from = i;
        }
      }
    }
    return query(
        "sum of 1m averages, a day",
        "sum:1m-avg:" + spec.metric(),
        spec,
        hours,
        scanned,
        Map.of("", sums));
  }

  private static WalkQuery hourMaxima(WalkSpec spec) {
    int hours = Math.min(spec.hours(), HOURS_MAX);
    long[] values = new long[spec.pointsPerHour()];
    Map<String, NavigableMap<Long, Double>> expected = new TreeMap<>();
    long scanned = 0;
    for (int series = 0; series < spec.sensors(); series++) {
      NavigableMap<Long, Double> maxima = new TreeMap<>();
      for (int hour = 0; hour < hours; hour++) {
        int count = spec.values(series, hour, values, 0);
        scanned += count;
        long max = values[0];
        for (int i = 1; i < count; i++) {
          max = Math.max(max, values[i]);
        }
        maxima.put(spec.baseSeconds(hour) * 1000, (double) max);
      }
      expected.put(WalkSpec.sensorName(series), maxima);
    }
    return query(
        "1h maxima by sensor, " + (hours <= 24 ? "1 day" : (hours + 23) / 24 + " days"),
        "max:1h-max:" + spec.metric() + "{sensor=*}",
        spec,
        hours,
        scanned,
        expected);
  }

  private static WalkQuery plainSum(WalkSpec spec) {
    long[] values = new long[spec.pointsPerHour()];
    long[] sums = new long[spec.pointsPerHour()];
    int count = 0;
    for (int series = 0; series < spec.sensors(); series++) {
      count = spec.values(series, 0, values, 0);
      for (int i = 0; i < count; i++) {
        sums[i] += values[i];
      }
    }
    NavigableMap<Long, Double> points = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      points.put(spec.startSeconds() * 1000 + (long) i * spec.intervalMs(), (double) sums[i]);
    }
    return query(
        "sum of all series, an hour",
        "sum:" + spec.metric(),
        spec,
        1,
        (long) count * spec.sensors(),
        Map.of("", points));
  }

  private static WalkQuery query(
      String name,
      String expression,
      WalkSpec spec,
      int hours,
      long scanned,
      Map<String, NavigableMap<Long, Double>> expected) {
    long start = spec.startSeconds() * 1000;
    return new WalkQuery(
        name, expression, start, start + (long) hours * BaseTime.HOUR_MS - 1, scanned, expected);
  }

  /**
   * Differences between an answer and the right one, one sentence each; empty if there are none.
   */
  public List<String> differences(List<TsdClient.Series> answer) {
    List<String> differences = new ArrayList<>();
    if (answer.size() != expected.size()) {
      differences.add("expected " + expected.size() + " series, found " + answer.size());
    }
    for (TsdClient.Series series : answer) {
      String sensor = expected.containsKey("") ? "" : series.tags().getOrDefault("sensor", "");
      NavigableMap<Long, Double> wanted = expected.get(sensor);
      if (wanted == null) {
        differences.add("unexpected series " + series.tags());
      } else {
        compare(sensor, wanted, series.points(), differences);
      }
    }
    return differences;
  }

  private static void compare(
      String sensor,
      NavigableMap<Long, Double> wanted,
      NavigableMap<Long, Double> found,
      List<String> differences) {
    if (!wanted.keySet().equals(found.keySet())) {
      differences.add(
          sensor
              + ": expected "
              + wanted.size()
              + " points, found "
              + found.size()
              + " or at other times");
      return;
    }
    wanted.forEach(
        (time, value) -> {
          double other = found.getOrDefault(time, Double.NaN);
          if (!(Math.abs(other - value) <= RELATIVE_ERROR * Math.max(1, Math.abs(value)))) {
            differences.add(sensor + " at " + time + ": expected " + value + ", found " + other);
          }
        });
  }

  /** Number of points in the right answer. */
  public long answerPoints() {
    return expected.values().stream().mapToLong(NavigableMap::size).sum();
  }
}
