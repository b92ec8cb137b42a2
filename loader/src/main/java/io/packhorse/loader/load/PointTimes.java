package io.packhorse.loader.load;

import io.packhorse.loader.point.LastTimes;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The times that the points of a load span, those that were replaced included.
 *
 * @param firstMs milliseconds since 1970
 * @param lastMs the same, of the last point
 */
public record PointTimes(long firstMs, long lastMs) {
  /** The times of the first and the last point of a load; empty if it has no points. */
  static Optional<PointTimes> of(LastTimes times) {
    return times.firstOfAll() == LastTimes.NONE
        ? Optional.empty()
        : Optional.of(new PointTimes(times.firstOfAll(), times.lastOfAll()));
  }

  /** {@code 2010-01-01T08:00:00Z to 2011-01-01T07:00:00Z}. */
  @Override
  public String toString() {
    return Instant.ofEpochMilli(firstMs) + " to " + Instant.ofEpochMilli(lastMs);
  }

  void putInto(Map<String, Object> json) {
    json.put("first_ms", firstMs);
    json.put("last_ms", lastMs);
  }
}
