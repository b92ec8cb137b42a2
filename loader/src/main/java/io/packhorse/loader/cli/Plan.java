package io.packhorse.loader.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a load would do, by the beginning of its inputs.
 *
 * @param inputs number of files
 * @param inputBytes their bytes as they lie on disk
 * @param wholeInputs how many of them were read to their end
 * @param sample what was read
 * @param share of the bytes that was read, above 0 to 1
 * @param buckets regions that the rows fall into at least, one a salt bucket
 * @param seconds it took to read and pack that, on one thread
 */
record Plan(
    int inputs,
    long inputBytes,
    int wholeInputs,
    Sample sample,
    double share,
    int buckets,
    double seconds) {
  /**
   * What was read.
   *
   * @param firstSeries of these a few, as they will be stored
   * @param firstMs time of the first point, milliseconds since 1970
   * @param lastMs of the last
   * @param cellBytes of its cells, keys included
   */
  record Sample(
      long points,
      long rejected,
      long leftOut,
      int series,
      List<String> firstSeries,
      long firstMs,
      long lastMs,
      long cellBytes) {}

  private long whole(long ofSample) {
    return Math.round((double) ofSample / share);
  }

  private boolean exact() {
    return wholeInputs == inputs;
  }

  private double bytesPerPoint() {
    return (double) sample.cellBytes() / Math.max(1, sample.points());
  }

  void print(PrintWriter out) {
    String about = exact() ? "" : "about ";
    out.printf(
        "inputs    %s, %sB; %s%n",
        inputs == 1 ? "1 file" : Figures.count(inputs) + " files",
        Figures.si((double) inputBytes),
        exact()
            ? "all of it read"
            : Figures.count(wholeInputs) + " of them read whole, of the others the beginning");
    out.printf(
        "points    %s%s of %s series%s; %s%s rejected, %s%s left out%n",
        about,
        Figures.count(whole(sample.points())),
        Figures.count(sample.series()),
        exact() ? "" : " or more",
        about,
        Figures.count(whole(sample.rejected())),
        about,
        Figures.count(whole(sample.leftOut())));
    sample.firstSeries().forEach(name -> out.println("          " + name));
    if (sample.series() > sample.firstSeries().size()) {
      out.println("          ...");
    }
    if (sample.points() > 0) {
      out.printf(
          "times     %s to %s%s%n",
          Instant.ofEpochMilli(sample.firstMs()),
          Instant.ofEpochMilli(sample.lastMs()),
          exact() ? "" : ", and what the rest holds");
    }
    out.printf(
        "cells     %s%sB, %s bytes/point; in %s at least%n",
        about,
        Figures.si((double) whole(sample.cellBytes())),
        Figures.ratio(bytesPerPoint()),
        buckets == 1 ? "1 region" : Figures.count(buckets) + " regions");
    out.printf(
        "time      about %s to read and pack on one thread here; the store may take longer%n",
        Figures.seconds(seconds / share));
    out.println("dry run   nothing was stored");
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("inputs", inputs);
    json.put("input_bytes", inputBytes);
    json.put("exact", exact());
    json.put("points", whole(sample.points()));
    json.put("series_at_least", sample.series());
    json.put("first_series", sample.firstSeries());
    json.put("rejected", whole(sample.rejected()));
    json.put("left_out", whole(sample.leftOut()));
    json.put("first_ms", sample.firstMs());
    json.put("last_ms", sample.lastMs());
    json.put("cell_bytes", whole(sample.cellBytes()));
    json.put("bytes_per_point", bytesPerPoint());
    json.put("regions_at_least", buckets);
    json.put("seconds_to_pack", seconds / share);
    return json;
  }
}
