package io.packhorse.loader.loadtest;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A load test, as its file states it.
 *
 * @param name one word for reports
 * @param seed of all values
 * @param interval between the points of a series; at least 1 ms
 * @param metrics at least one
 * @param tags how many values each tag key has; every combination is a series of each metric
 * @param values how they go on
 * @param batch points of a request
 * @param connections that write at the same time
 * @param timeout after which a request has failed, and after which one that could not be begun is
 *     dropped
 * @param visibleWithin how long after it was acknowledged a point must be readable
 * @param warmUp how long it is driven before figures count
 * @param hold how long figures count
 * @param readers what is asked meanwhile
 * @param limits what decides about pass or fail
 */
public record Workload(
    String name,
    long seed,
    Duration interval,
    List<String> metrics,
    Map<String, Integer> tags,
    Values values,
    int batch,
    int connections,
    Duration timeout,
    Duration visibleWithin,
    Duration warmUp,
    Duration hold,
    List<Reader> readers,
    List<Limit> limits) {
  private static final int SERIES_MAX = 100_000_000;

  public Workload {
    require(name.matches("[A-Za-z0-9._-]+"), "name must be letters, digits, '.', '_' and '-'");
    require(interval.toMillis() >= 1, "interval must be 1ms or more");
    require(!metrics.isEmpty(), "metrics must name one or more");
    require(!tags.isEmpty(), "tags must name one or more: OpenTSDB needs a tag");
    tags.forEach(
        (key, count) -> require(count >= 1, "tags: " + key + " must have 1 or more values"));
    long series = metrics.size();
    for (int count : tags.values()) {
      series *= count;
      require(series <= SERIES_MAX, "tags make more than " + SERIES_MAX + " series");
    }
    require(batch >= 1 && batch <= 100_000, "batch must be 1 to 100000");
    require(connections >= 1 && connections <= 1000, "connections must be 1 to 1000");
    require(timeout.toMillis() >= 1, "timeout must be 1ms or more");
    require(hold.toMillis() >= 1000, "hold must be 1s or more");
    Set<String> names = new HashSet<>(Set.of(Limit.WRITE));
    for (Reader reader : readers) {
      require(names.add(reader.name()), "readers: there are two of the name " + reader.name());
      reader
          .where()
          .keySet()
          .forEach(
              key -> require(tags.containsKey(key), "readers: where names the unknown tag " + key));
    }
    for (Limit limit : limits) {
      require(
          names.contains(limit.of()),
          "limits: there is no " + limit.of() + ", only " + String.join(", ", names));
    }
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** Series of all metrics. */
  public int series() {
    return metrics.size() * tags.values().stream().reduce(1, Math::multiplyExact);
  }

  /** Points a second. */
  public double pointsPerSecond() {
    return series() * 1000.0 / interval.toMillis();
  }
}
