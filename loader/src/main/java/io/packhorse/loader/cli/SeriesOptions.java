package io.packhorse.loader.cli;

import io.packhorse.loader.source.record.SeriesRules;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How series that are received are named in the store. */
final class SeriesOptions {
  private static final int TAGS_MOST = 200;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--metric-prefix",
      paramLabel = "PREFIX",
      defaultValue = "",
      description = "Put this before the name of every metric, such as plant.")
  private String metricPrefix = "";

  @Option(
      names = "--rename-metric",
      paramLabel = "OLD=NEW",
      description = "Store a metric under another name.")
  private Map<String, String> renamedMetrics = new LinkedHashMap<>();

  @Option(
      names = "--rename-tag",
      paramLabel = "OLD=NEW",
      description = "Store a tag under another key.")
  private Map<String, String> renamedTags = new LinkedHashMap<>();

  @Option(
      names = "--add-tag",
      paramLabel = "KEY=VALUE",
      description = "Add a tag to every series that does not have it.")
  private Map<String, String> addedTags = new LinkedHashMap<>();

  @Option(names = "--drop-tag", paramLabel = "KEY", description = "Leave a tag out.")
  private Set<String> droppedTags = new HashSet<>();

  @Option(
      names = "--max-tags",
      paramLabel = "N",
      defaultValue = "16",
      description =
          "Most tags of a series. A TSD reads any number, but writes to a series of more than 8"
              + " only with tsd.storage.max_tags (default: ${DEFAULT-VALUE}).")
  private int tagsMax;

  @Option(
      names = "--replace-characters",
      description =
          "Replace characters that OpenTSDB does not allow in names by underscores, instead of"
              + " rejecting the point.")
  private boolean replacesCharacters;

  /** What these options say; picocli's usage error if they make no sense. */
  SeriesRules rules() {
    for (Map<String, String> pairs : List.of(renamedMetrics, renamedTags, addedTags)) {
      pairs.forEach(
          (key, value) -> {
            if (key.isEmpty() || value == null || value.isEmpty()) {
              throw refused("'" + key + "' needs a name on both sides of its equals sign.");
            }
          });
    }
    if (tagsMax < 1 || tagsMax > TAGS_MOST) {
      throw refused("--max-tags must be 1 to " + TAGS_MOST + ".");
    }
    return new SeriesRules(
        renamedMetrics,
        renamedTags,
        addedTags,
        droppedTags,
        Map.of(),
        replacesCharacters,
        tagsMax,
        0,
        Long.MAX_VALUE,
        metricPrefix);
  }

  private ParameterException refused(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }
}
