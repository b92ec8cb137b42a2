package io.packhorse.loader.source.record;

import java.util.Map;
import java.util.Set;

/**
 * How names are changed on their way into the store, and which points are loaded. Tags are dropped,
 * then renamed, then added; {@code where} is applied to the result.
 *
 * @param renamedMetrics old name to new
 * @param renamedTags old tag key to new
 * @param addedTags for every series without that tag
 * @param droppedTags tag keys
 * @param where tag keys, each with the values of which a series must have one
 * @param replacesCharacters whether characters that OpenTSDB's names cannot have become underscores
 * @param tagsMax tags of a series
 * @param fromMs first time to load, milliseconds since 1970
 * @param toMs end of the time range, exclusive
 * @param metricPrefix put before the name of every metric, after it was renamed
 */
public record SeriesRules(
    Map<String, String> renamedMetrics,
    Map<String, String> renamedTags,
    Map<String, String> addedTags,
    Set<String> droppedTags,
    Map<String, Set<String>> where,
    boolean replacesCharacters,
    int tagsMax,
    long fromMs,
    long toMs,
    String metricPrefix) {
  /** OpenTSDB's own limit of tags, unless {@code tsd.storage.max_tags} says otherwise. */
  public static final int TAGS_MAX = 8;

  /** Everything as it is, nothing left out. */
  public static final SeriesRules NONE =
      new SeriesRules(
          Map.of(), Map.of(), Map.of(), Set.of(), Map.of(), false, TAGS_MAX, 0, Long.MAX_VALUE);

  public SeriesRules {
    renamedMetrics = Map.copyOf(renamedMetrics);
    renamedTags = Map.copyOf(renamedTags);
    addedTags = Map.copyOf(addedTags);
    droppedTags = Set.copyOf(droppedTags);
    where = Map.copyOf(where);
  }

  /** Metrics are stored without a prefix. */
  public SeriesRules(
      Map<String, String> renamedMetrics,
      Map<String, String> renamedTags,
      Map<String, String> addedTags,
      Set<String> droppedTags,
      Map<String, Set<String>> where,
      boolean replacesCharacters,
      int tagsMax,
      long fromMs,
      long toMs) {
    this(
        renamedMetrics,
        renamedTags,
        addedTags,
        droppedTags,
        where,
        replacesCharacters,
        tagsMax,
        fromMs,
        toMs,
        "");
  }

  /** These rules with other tags for every series without them, and another prefix. */
  public SeriesRules with(Map<String, String> tags, String prefix) {
    return new SeriesRules(
        renamedMetrics,
        renamedTags,
        tags,
        droppedTags,
        where,
        replacesCharacters,
        tagsMax,
        fromMs,
        toMs,
        prefix);
  }
}
