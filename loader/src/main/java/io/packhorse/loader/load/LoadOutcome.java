package io.packhorse.loader.load;

import io.packhorse.loader.pipeline.LoadCounts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a load ended, in numbers.
 *
 * @param counts of the whole load, earlier runs of its job included
 * @param replaced what is known of the replaced points
 * @param earlier points acknowledged in earlier runs
 * @param rejected lines of the whole load that were rejected
 * @param times first and last time of all points, earlier runs of the job included; empty without
 *     points
 * @param seconds from the first point read to the last acknowledgement of this run
 * @param cpuSeconds of this process in that time; 0 for a load of many processes, whose time is not
 *     known
 */
public record LoadOutcome(
    LoadCounts counts,
    Replaced replaced,
    long earlier,
    long rejected,
    Optional<PointTimes> times,
    double seconds,
    double cpuSeconds) {
  /** Points acknowledged in this run, by the second. */
  public double pointsPerSecond() {
    return pointsOfRun() / seconds;
  }

  /** Points acknowledged in this run. */
  public long pointsOfRun() {
    return Math.max(0, counts.acknowledged() - earlier);
  }

  /** For programs. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("read", counts.read() + rejected);
    json.put("packed", counts.packed());
    json.put("replaced", counts.replaced());
    replaced.putInto(json);
    json.put("rejected", rejected);
    json.put("acknowledged", counts.acknowledged());
    json.put("acknowledged_earlier", earlier);
    times.ifPresent(span -> span.putInto(json));
    json.put("cells", counts.cells());
    json.put("seconds", seconds);
    if (cpuSeconds > 0) {
      json.put("cpu_s", cpuSeconds);
    }
    json.put("points_per_s", pointsPerSecond());
    json.put("bytes_per_point", counts.bytesPerPoint());
    json.put("value_bytes_per_point", counts.valueBytesPerPoint());
    return json;
  }
}
