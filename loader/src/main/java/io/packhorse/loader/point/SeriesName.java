package io.packhorse.loader.point;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A series as users write it: a metric and its tags.
 *
 * @param metric not empty
 * @param tags at least one
 */
public record SeriesName(String metric, Tags tags) {
  public SeriesName(String metric, SortedMap<String, String> tags) {
    this(metric, Tags.of(tags));
  }

  /** A series of one tag. */
  public static SeriesName of(String metric, String tagKey, String tagValue) {
    return new SeriesName(metric, new TreeMap<>(Map.of(tagKey, tagValue)));
  }

  /** As OpenTSDB prints it: {@code metric{key=value,...}}. */
  @Override
  public String toString() {
    return metric + tags;
  }
}
