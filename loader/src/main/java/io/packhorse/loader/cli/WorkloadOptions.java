package io.packhorse.loader.cli;

import io.packhorse.loader.table.DataVolume;
import io.packhorse.loader.table.TablePlan;
import io.packhorse.schema.key.RowKeyLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The data that a store has to hold, for its plan. */
final class WorkloadOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(names = "--series", paramLabel = "N", description = "Series in all.")
  private @Nullable Long series;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description = "Time between the points of a series: 1s, 5m.")
  private @Nullable Duration interval;

  @Option(
      names = "--retention",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description = "How long data are kept: 90d, 104w.")
  private @Nullable Duration retention;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "End of that time, for the first split into regions (default: now).")
  private @Nullable Instant until;

  @Option(
      names = "--metrics",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of metrics of these series (default: ${DEFAULT-VALUE}).")
  private long metrics;

  @Option(
      names = "--tags",
      paramLabel = "N",
      defaultValue = "1",
      description = "Tags of a series (default: ${DEFAULT-VALUE}).")
  private int tags;

  @Option(
      names = "--bytes-per-point",
      paramLabel = "B",
      description =
          "As packhorse estimate prints for your own points"
              + " (default: 0.85 and 13 bytes a cell, as of the reference walk).")
  private @Nullable Double bytesPerPoint;

  /** The plan, if a workload is given; picocli's usage error if half of one is. */
  Optional<TablePlan> plan(RowKeyLayout layout) {
    if (series == null && interval == null && retention == null) {
      return Optional.empty();
    }
    if (series == null || interval == null || retention == null) {
      throw refused("--series, --interval and --retention have to be given together");
    }
    if (bytesPerPoint != null && !(bytesPerPoint > 0 && bytesPerPoint < 1_000)) {
      throw refused("--bytes-per-point must be above 0 and below 1000");
    }
    try {
      return Optional.of(
          new TablePlan(
              new DataVolume(
                  series,
                  interval,
                  retention,
                  metrics,
                  tags,
                  bytesPerPoint == null
                      ? OptionalDouble.empty()
                      : OptionalDouble.of(bytesPerPoint)),
              layout));
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  /** End of the time that is kept. */
  Instant until() {
    return until == null ? Instant.now() : until;
  }

  private ParameterException refused(String why) {
    return new ParameterException(command.commandLine(), why + ".");
  }
}
