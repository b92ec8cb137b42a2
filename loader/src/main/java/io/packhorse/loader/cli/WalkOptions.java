package io.packhorse.loader.cli;

import io.packhorse.loader.source.generated.WalkSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say which reference workload is meant: the same words load it and verify it. */
final class WalkOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--sensors",
      paramLabel = "N",
      defaultValue = "128",
      description = "Series to generate, tagged sensor=s000 and so on (default: ${DEFAULT-VALUE}).")
  private int sensors;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = TimeSpan.class,
      description =
          "Time between points, a divisor of one hour: 100ms, 1s, 60s (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration interval;

  @Option(
      names = "--span",
      paramLabel = "TIME",
      defaultValue = "7d",
      converter = TimeSpan.class,
      description = "Length of the history: 1h, 7d, 365d (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration span;

  @Option(
      names = "--values",
      paramLabel = "KIND",
      defaultValue = "walk",
      description =
          "walk: integer random walk, steps uniform in -50..+50 (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private String values;

  @Option(
      names = "--start",
      paramLabel = "TIME",
      defaultValue = "2024-01-01",
      converter = StartTime.class,
      description =
          "First point, on a full hour: 2024-01-01, 2024-01-01T06:00Z or seconds since 1970"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Instant start;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Every value follows from seed, series and time (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      defaultValue = "reference.walk",
      description = "Metric of every series (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private String metric;

  /** The workload; picocli's usage error if the options do not fit together. */
  WalkSpec spec() {
    if (!values.equals("walk")) {
      throw new ParameterException(
          command.commandLine(), "--values must be walk, not '" + values + "'.");
    }
    if (span.compareTo(interval) < 0) {
      throw new ParameterException(
          command.commandLine(), "--span must be at least --interval: nothing would be generated.");
    }
    try {
      return new WalkSpec(
          metric,
          sensors,
          Math.toIntExact(interval.toMillis()),
          start.getEpochSecond(),
          span.toMillis() / Math.max(1, interval.toMillis()),
          seed);
    } catch (ArithmeticException e) {
      throw new ParameterException(command.commandLine(), "--interval is too long.", e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage() + ".", e);
    }
  }

  /** A workload says all that these options say. */
  void refuseBeside(WorkloadChoice workload) {
    for (String name :
        List.of("--sensors", "--interval", "--span", "--values", "--start", "--seed", "--metric")) {
      if (command.commandLine().getParseResult().hasMatchedOption(name)) {
        throw new ParameterException(
            command.commandLine(), name + " is in " + workload + " already: change it there.");
      }
    }
  }

  /** The workload for a JSON result. */
  Map<String, Object> json(WalkSpec spec) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("metric", spec.metric());
    json.put("sensors", spec.sensors());
    json.put("interval_ms", spec.intervalMs());
    json.put("start", spec.startSeconds());
    json.put("points_per_sensor", spec.points());
    json.put("values", values);
    json.put("seed", spec.seed());
    return json;
  }

  /** The workload and how it is loaded, for a JSON result. */
  Map<String, Object> json(WalkSpec spec, LoadOptions load) {
    Map<String, Object> json = json(spec);
    json.put("cells", load.form().toString());
    json.put("threads", load.threads());
    return json;
  }
}
