package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.load.EmbeddedStore;
import io.packhorse.loader.store.StoreDirectory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which store a command works on, as far as its jobs are concerned. */
final class JobsOptions {
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
      names = "--jobs-dir",
      paramLabel = "D",
      description = {
        "Directory with the jobs.",
        "Default: jobs/ of the embedded store; with a cluster $PACKHORSE_JOBS, or ~/.packhorse/jobs."
      })
  private @Nullable Path jobsDir;

  EmbeddedStore store() {
    return store.store();
  }

  @Nullable String zookeeper() {
    return zookeeper;
  }

  @Nullable Path hbaseConf() {
    return hbaseConf;
  }

  /** The jobs of the store. */
  JobFolder jobs() {
    return new JobFolder(path().toAbsolutePath().normalize());
  }

  private Path path() {
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

  /** The options as they were given, each after a space. */
  String asOptions() {
    return store.asOptions()
        + option("--zookeeper", zookeeper)
        + option("--hbase-conf", hbaseConf)
        + option("--jobs-dir", jobsDir);
  }

  static String option(String name, @Nullable Object value) {
    return value == null ? "" : " " + name + " " + value;
  }
}
