package io.packhorse.loader.cli;

import io.packhorse.loader.load.Summaries;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which summaries a command is about. */
final class SummaryWantedOptions {
  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "Of this metric; may be repeated (default: of all).")
  private List<String> metrics = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "From the year of this time on, such as 2024-01-01.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "Before this time, and to the end of its year.")
  private @Nullable Instant to;

  Summaries.Wanted wanted() {
    return new Summaries.Wanted(metrics, Optional.ofNullable(from), Optional.ofNullable(to));
  }

  void putInto(Map<String, Object> settings) {
    settings.put("metrics", metrics);
    settings.put("from_s", from == null ? null : from.getEpochSecond());
    settings.put("to_s", to == null ? null : to.getEpochSecond());
  }
}
