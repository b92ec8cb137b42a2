package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobFolder;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Which jobs a command reads that does not connect to their store. It takes the options of the TSDs
 * all the same, so that one set of options goes with every command on a cluster.
 */
final class JobRecordOptions {
  @Mixin private final JobsOptions jobs = new JobsOptions();

  @Option(
      names = {"--tsd-conf", "--tsd-url"},
      hidden = true)
  @SuppressWarnings("unused")
  private List<String> ofTheTsds = List.of();

  JobFolder jobs() {
    return jobs.jobs();
  }
}
