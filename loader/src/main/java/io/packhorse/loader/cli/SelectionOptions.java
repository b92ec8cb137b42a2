package io.packhorse.loader.cli;

import io.packhorse.loader.load.PointSelection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which stored points a command is about; where they end is an option of the command's own. */
final class SelectionOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "Of this metric; may be repeated (default: of all).")
  private List<String> metrics = List.of();

  @Option(
      names = "--where",
      paramLabel = "TAG=VALUE",
      description =
          "Of series with this tag: a value, several as A|B, or * for any; may be repeated, then all"
              + " of them must hold.")
  private List<String> where = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "From this time on, such as 2024-01-01 or 2024-01-01T06:00.")
  private @Nullable Instant from;

  /**
   * What these options select.
   *
   * @param to time after the last, if there is an end
   */
  PointSelection selection(@Nullable Instant to) {
    return new PointSelection(metrics, tags(), Optional.ofNullable(from), Optional.ofNullable(to));
  }

  private SortedMap<String, List<String>> tags() {
    SortedMap<String, List<String>> tags = new TreeMap<>();
    for (String condition : where) {
      int equals = condition.indexOf('=');
      if (equals < 1 || equals == condition.length() - 1) {
        throw new ParameterException(
            command.commandLine(),
            "'" + condition + "' is no condition: write --where host=web1 or 'host=web1|web2'.");
      }
      String key = condition.substring(0, equals);
      String values = condition.substring(equals + 1);
      if (tags.containsKey(key)) {
        throw new ParameterException(
            command.commandLine(),
            "--where names the tag " + key + " twice: write 'TAG=A|B' for one of several values.");
      }
      tags.put(key, values.equals("*") ? List.of() : List.of(values.split("\\|", -1)));
    }
    return tags;
  }

  /** As they were given, for programs. */
  void putInto(Map<String, Object> settings) {
    settings.put("metrics", metrics);
    settings.put("where", List.copyOf(where));
    settings.put("from_ms", from == null ? null : from.toEpochMilli());
  }
}
