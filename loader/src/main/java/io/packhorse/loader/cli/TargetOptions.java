package io.packhorse.loader.cli;

import io.packhorse.loader.load.StoreAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which store a command works on: a cluster, or the embedded store. */
final class TargetOptions {
  @Mixin private final JobsOptions jobs = new JobsOptions();

  @Option(
      names = "--tsd-conf",
      paramLabel = "FILE",
      description =
          "The TSD's opentsdb.conf, from which salt, UID widths and table names are read. A cluster needs"
              + " this or --tsd-url.")
  private @Nullable Path tsdConf;

  @Option(
      names = "--tsd-url",
      paramLabel = "URL",
      split = ",",
      description =
          "TSDs of a cluster, as http://HOST:4242. A load asks them first whether they can read packed"
              + " cells; without --tsd-conf the first one tells the layout.")
  private List<URI> tsdUrls = List.of();

  /** The store these options name. */
  StoreAddress address() {
    return new StoreAddress(
        jobs.store(),
        jobs.zookeeper(),
        jobs.hbaseConf(),
        tsdConf,
        tsdUrls,
        jobs.jobs(),
        asOptions());
  }

  private String asOptions() {
    return jobs.asOptions()
        + JobsOptions.option("--tsd-conf", tsdConf)
        + JobsOptions.option(
            "--tsd-url",
            tsdUrls.isEmpty()
                ? null
                : tsdUrls.stream().map(URI::toString).collect(Collectors.joining(",")));
  }
}
