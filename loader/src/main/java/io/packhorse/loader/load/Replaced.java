package io.packhorse.loader.load;

import io.packhorse.loader.pack.RepeatedTime;
import io.packhorse.loader.point.SeriesNames;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The points of a load that were replaced by later points of the same load.
 *
 * @param exact whether the count is exact; if false, it is a lower bound
 * @param example one replaced point, its series and time; empty if no point was replaced or only
 *     the number of replaced points is known
 */
public record Replaced(boolean exact, Optional<Example> example) {
  /** The share of replaced points above which a load asks whether it has understood its input. */
  public static final double ASKED_SHARE = 0.01;

  /** An exact count, without an example. */
  static final Replaced NONE = new Replaced(true, Optional.empty());

  /**
   * Where two points meet.
   *
   * @param series its name as it is stored; empty if it has none
   * @param timeMs milliseconds since 1970
   */
  public record Example(String series, long timeMs) {
    /** {@code temp{city=oslo} at 2024-01-31T10:00:00Z}; of a series without a name, the time. */
    @Override
    public String toString() {
      Instant time = Instant.ofEpochMilli(timeMs);
      return series.isEmpty() ? time.toString() : series + " at " + time;
    }
  }

  static Replaced of(boolean exact, Optional<RepeatedTime> example, IntFunction<String> names) {
    return new Replaced(
        exact, example.map(at -> new Example(names.apply(at.series()), at.timeMs())));
  }

  static Replaced of(boolean exact, Optional<RepeatedTime> example, SeriesNames names) {
    return of(exact, example, series -> names.get(series).toString());
  }

  /** Whether the share of replaced points is above {@link #ASKED_SHARE}. */
  public static boolean isMany(long replaced, long points) {
    return replaced > ASKED_SHARE * points;
  }

  void putInto(Map<String, Object> json) {
    json.put("replaced_exact", exact);
    example.ifPresent(
        at -> json.put("replaced_example", Map.of("series", at.series(), "time_ms", at.timeMs())));
  }
}
