package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.store.StoreDirectory;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which store a command works on: a cluster, or the embedded store. */
final class TargetOptions {
  @Mixin private final StoreOptions store = new StoreOptions();

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT,...",
      description = "Quorum of a cluster, instead of the embedded store.")
  private @Nullable String zookeeper;

  @Option(
      names = "--hbase-conf",
      paramLabel = "FILE",
      description = "hbase-site.xml of a cluster, instead of the embedded store.")
  private @Nullable Path hbaseConf;

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
          "TSDs of a cluster, as http://HOST:4242: before a load writes anything they are checked for"
              + " reading what it writes. Without --tsd-conf the layout is that of the first one.")
  private List<URI> tsdUrls = List.of();

  @Option(
      names = "--jobs-dir",
      paramLabel = "D",
      description = {
        "Directory with the jobs.",
        "Default: jobs/ of the embedded store; with a cluster $PACKHORSE_JOBS, or ~/.packhorse/jobs."
      })
  private @Nullable Path jobsDir;

  /** The store these options name. */
  StoreAddress address() {
    return new StoreAddress(
        store.store(),
        zookeeper,
        hbaseConf,
        tsdConf,
        tsdUrls,
        new JobFolder(jobs().toAbsolutePath().normalize()),
        asOptions());
  }

  private Path jobs() {
    if (jobsDir != null) {
      return jobsDir;
    }
    if (zookeeper == null && hbaseConf == null) {
      return new StoreDirectory(store.store().path()).jobs();
    }
    String fromEnvironment = System.getenv("PACKHORSE_JOBS");
    return fromEnvironment != null && !fromEnvironment.isEmpty()
        ? Path.of(fromEnvironment)
        : Path.of(System.getProperty("user.home", ""), ".packhorse", "jobs");
  }

  private String asOptions() {
    return store.asOptions()
        + option("--zookeeper", zookeeper)
        + option("--hbase-conf", hbaseConf)
        + option("--tsd-conf", tsdConf)
        + option(
            "--tsd-url",
            tsdUrls.isEmpty()
                ? null
                : tsdUrls.stream().map(URI::toString).collect(Collectors.joining(",")))
        + option("--jobs-dir", jobsDir);
  }

  private static String option(String name, @Nullable Object value) {
    return value == null ? "" : " " + name + " " + value;
  }
}
