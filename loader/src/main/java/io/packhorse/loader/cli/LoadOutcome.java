package io.packhorse.loader.cli;

import io.packhorse.loader.pipeline.LoadCounts;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a load ended.
 *
 * @param counts of the whole load, earlier runs of its job included
 * @param earlier points acknowledged in those
 * @param rejected lines of the input that are not points, counted and written down
 * @param seconds from the first point read to the last acknowledgement
 * @param cpuSeconds of this process in that time
 */
record LoadOutcome(
    LoadCounts counts, long earlier, long rejected, double seconds, double cpuSeconds) {
  double pointsPerSecond() {
    return (counts.acknowledged() - earlier) / seconds;
  }

  /**
   * @param done what was done with the points, in a word
   */
  void print(String done, PrintWriter out) {
    out.printf(
        "%-9s %s points in %s: %s points/s, %.1f CPU s%n",
        done,
        Figures.count(counts.acknowledged() - earlier),
        Figures.seconds(seconds),
        Figures.si(pointsPerSecond()),
        cpuSeconds);
    out.printf(
        "balance   read %s = packed %s + replaced %s + rejected %s; acknowledged %s%n",
        Figures.count(counts.read() + rejected),
        Figures.count(counts.packed()),
        Figures.count(counts.replaced()),
        Figures.count(rejected),
        Figures.count(counts.acknowledged()));
    out.printf(
        "cells     %s, %s bytes/point with row key and column, %s in the value alone%n",
        Figures.count(counts.cells()),
        Figures.ratio(counts.bytesPerPoint()),
        Figures.ratio(counts.valueBytesPerPoint()));
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("read", counts.read() + rejected);
    json.put("packed", counts.packed());
    json.put("replaced", counts.replaced());
    json.put("rejected", rejected);
    json.put("acknowledged", counts.acknowledged());
    json.put("acknowledged_earlier", earlier);
    json.put("cells", counts.cells());
    json.put("seconds", seconds);
    json.put("cpu_s", cpuSeconds);
    json.put("points_per_s", pointsPerSecond());
    json.put("bytes_per_point", counts.bytesPerPoint());
    json.put("value_bytes_per_point", counts.valueBytesPerPoint());
    return json;
  }
}
