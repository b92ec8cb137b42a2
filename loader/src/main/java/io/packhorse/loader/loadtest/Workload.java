package io.packhorse.loader.loadtest;

import io.packhorse.loader.source.generated.WorkloadHistory;
import io.packhorse.loader.source.generated.WorkloadSeries;
import io.packhorse.loader.source.generated.WorkloadValues;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A load test, as its file states it.
 *
 * @param name one word for reports
 * @param seed of all values
 * @param interval between the points of a series; at least 1 ms
 * @param series all of them
 * @param values how they go on
 * @param history what the store is filled with before; empty for nothing
 * @param batch points of a request
 * @param connections that write at the same time
 * @param timeout after which a request has failed, and after which one that could not be begun is
 *     dropped
 * @param closed whether each connection sends its next batch when the last was answered, instead of
 *     at a stated time; the target then sets the rate
 * @param visibleWithin how long after it was acknowledged a point must be readable
 * @param ramp how long the number of series that take part rises
 * @param warmUp how long it is driven with all of them before figures count
 * @param hold how long figures count
 * @param readers what is asked meanwhile
 * @param limits what decides about pass or fail
 */
public record Workload(
    String name,
    long seed,
    Duration interval,
    WorkloadSeries series,
    WorkloadValues values,
    Optional<WorkloadHistory> history,
    int batch,
    int connections,
    boolean closed,
    Duration timeout,
    Duration visibleWithin,
    Duration ramp,
    Duration warmUp,
    Duration hold,
    List<Reader> readers,
    List<Limit> limits) {

  private static final int RAMP_MAX = 1_000_000;

  public Workload {
    require(name.matches("[A-Za-z0-9._-]+"), "name must be letters, digits, '.', '_' and '-'");
    require(interval.toMillis() >= 1, "interval must be 1ms or more");
    require(batch >= 1 && batch <= 100_000, "batch must be 1 to 100000");
    require(connections >= 1 && connections <= 1000, "connections must be 1 to 1000");
    require(timeout.toMillis() >= 1, "timeout must be 1ms or more");
    require(hold.toMillis() >= 1000, "hold must be 1s or more");
    require(
        ramp.toMillis() / interval.toMillis() <= RAMP_MAX,
        "ramp must be at most " + RAMP_MAX + " intervals");
    require(
        !closed || ramp.isZero(),
        "loop: closed has no ramp: the target sets the rate, leave it out");
    Set<String> names = new HashSet<>(Set.of(Limit.WRITE));
    for (Reader reader : readers) {
      require(names.add(reader.name()), "readers: there are two of the name " + reader.name());
      reader
          .where()
          .keySet()
          .forEach(
              key ->
                  require(series.values(key) > 0, "readers: where names the unknown tag " + key));
      require(
          !reader.ofHistory() || history.isPresent(),
          "readers: " + reader.name() + " reads at: history, and there is no history");
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

  /**
   * The same with more or fewer series, and so points a second; history and readers stay as they
   * are.
   */
  public Workload times(double factor) {
    return new Workload(
        name,
        seed,
        interval,
        series.times(factor),
        values,
        history,
        batch,
        connections,
        closed,
        timeout,
        visibleWithin,
        ramp,
        warmUp,
        hold,
        readers,
        limits);
  }

  /** Ramp, warm-up and hold. */
  public Duration duration() {
    return ramp.plus(warmUp).plus(hold);
  }

  /**
   * Points a second, after the ramp; of a closed loop what they would be if it kept to its times.
   */
  public double pointsPerSecond() {
    return series.count() * 1000.0 / interval.toMillis();
  }
}
