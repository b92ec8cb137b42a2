package io.packhorse.loader.source.text;

import java.util.Map;
import java.util.Set;

/**
 * What becomes of the names of an input on their way into the store, and which points are wanted.
 * Tags are dropped, then renamed, then added; {@code where} looks at the outcome.
 *
 * @param renamedMetrics old name to new
 * @param renamedTags old tag key to new
 * @param addedTags for every series that has not got that tag
 * @param droppedTags tag keys
 * @param where tag keys, each with the values of which a series must have one
 * @param replacesCharacters whether characters that OpenTSDB's names cannot have become underscores
 * @param tagsMax tags of a series
 * @param fromMs first time wanted, milliseconds since 1970
 * @param toMs time after the last wanted
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
    long toMs) {
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
}
