package io.packhorse.loader.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a load would do, judged by the beginning of its inputs.
 *
 * @param findings what was understood of the inputs
 * @param inputs number of files
 * @param inputBytes their bytes as they lie on disk
 * @param wholeInputs how many of them were read to their end
 * @param sample what was read
 * @param share of the bytes that was read, above 0 to 1
 * @param buckets fewest regions that the rows fall into, one for each salt bucket
 * @param seconds it took to read and pack that, on one thread
 */
public record LoadPlan(
    InputFindings findings,
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
   * @param points those that are replaced among them
   * @param replaced points that have the series and time of another one
   * @param howReplaced what else is known of them
   * @param firstSeries of these a few, as they will be stored
   * @param firstMs time of the first point, milliseconds since 1970
   * @param lastMs of the last
   * @param cellBytes of its cells, keys included
   */
  public record Sample(
      long points,
      long replaced,
      Replaced howReplaced,
      long rejected,
      long leftOut,
      int series,
      List<String> firstSeries,
      long firstMs,
      long lastMs,
      long cellBytes) {}

  /** A number of the sample, scaled to all inputs. */
  public long whole(long ofSample) {
    return Math.round((double) ofSample / share);
  }

  /** Whether all of every input was read, so that nothing is estimated. */
  public boolean exact() {
    return wholeInputs == inputs;
  }

  /** Bytes of cells, keys included, for each point that would be in the store. */
  public double bytesPerPoint() {
    return (double) sample.cellBytes() / Math.max(1, sample.points() - sample.replaced());
  }

  /** For programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("files", inputs);
    json.put("input_bytes", inputBytes);
    json.put("exact", exact());
    json.put("points", whole(sample.points()));
    json.put("replaced", whole(sample.replaced()));
    sample.howReplaced().putInto(json);
    json.put("replaced_exact", exact() && sample.howReplaced().exact());
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
    findings.putInto(json);
    return json;
  }
}
