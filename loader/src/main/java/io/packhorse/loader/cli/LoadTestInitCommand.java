package io.packhorse.loader.cli;

import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code loadtest init}: writes a workload file to begin with. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write a workload file with all keys, their meaning and their defaults.",
    footer = {"", "Example:", "  packhorse loadtest init production.yaml"})
final class LoadTestInitCommand implements Callable<Integer> {
  static final String SAMPLE =
      """
      # A load test: packhorse loadtest run FILE --target http://HOST:4242
      # Spans are written as 100ms, 1s, 5m, 12h, 7d.
      name: production
      seed: 1                  # of all values; the same seed writes the same values

      # Series: each metric with every combination of tag values (site0, site1, ...).
      metrics: [plant.temperature]
      tags: {site: 10, sensor: 100}
      interval: 1s             # between the points of a series: 1,000 series make 1,000 points/s

      # Each value follows from seed, series and time, so answers can be checked.
      #   constant  min, always
      #   noise     any value from min to max
      #   gauge     a level from min to max, kept for hold points
      #   counter   rises by up to step, begins again after hold points
      #   walk      from level to level in hold points, off by up to step
      # decimals: 1 makes 20.5 of 205.
      values: {kind: walk, min: 0, max: 1000, step: 5, hold: 60, decimals: 1}

      # What packhorse loadtest fill writes: each series has all its points from then on.
      history: {from: 2025-01-01, span: 30d}

      batch: 50                # points of a request
      connections: 8           # requests at the same time; the others wait, and that counts
      timeout: 10s             # of a request; one that is later than this is dropped
      visible-within: 5s       # after which an acknowledged point must be in answers

      phases:
        warm-up: 10s           # driven, but not counted
        hold: 1m

      readers:
        - name: one-sensor
          where: {site: any, sensor: any}   # another one each time
          range: 5m
          rate: 2              # queries a second
        - name: site-average
          aggregator: avg      # none, sum, avg, min, max
          downsample: 10s-avg
          where: {site: any}
          range: 5m
          rate: 1

        - name: a-day-of-the-history
          at: history          # another day each time; default: now, the newest points
          aggregator: none
          downsample: 1h-max
          where: {site: any, sensor: any}
          range: 1d
          rate: 1

      # NAME.FIGURE: write or a reader; p50 to p99.9 and max of the response time, from the
      # intended moment on; service-p99 and so on from sending on; errors, dropped, done as shares.
      limits:
        - write.p99 < 250ms
        - write.done >= 99.9%
        - one-sensor.p99 < 500ms
        - site-average.p99 < 1s
        - a-day-of-the-history.p99 < 500ms
      """;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "FILE", description = "Where it goes; must not exist.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Override
  public Integer call() throws IOException {
    try {
      Files.writeString(file, SAMPLE, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new OperationException(Kind.USAGE, file + " exists already: name another file.", e);
    }
    command
        .commandLine()
        .getOut()
        .println(
            "written   "
                + file
                + "; run it with: packhorse loadtest run "
                + file
                + " --target http://HOST:4242");
    return ExitCode.OK.code();
  }
}
