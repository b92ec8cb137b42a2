package io.packhorse.loader.point;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A series as users write it: a metric and its tags.
 *
 * @param metric not empty
 * @param tags at least one, by tag key; unmodifiable
 */
public record SeriesName(String metric, SortedMap<String, String> tags) {
  public SeriesName {
    tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
  }

  /** A series of one tag. */
  public static SeriesName of(String metric, String tagKey, String tagValue) {
    return new SeriesName(metric, new TreeMap<>(Map.of(tagKey, tagValue)));
  }

  /** As OpenTSDB prints it: {@code metric{key=value,...}}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(metric).append('{');
    tags.forEach((key, value) -> text.append(key).append('=').append(value).append(','));
    text.setCharAt(text.length() - 1, '}');
    return text.toString();
  }
}
