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
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--jobs-dir",
      paramLabel = "D",
      description = {
        "Directory with the jobs.",
        "Default: jobs/ of the embedded store; with a cluster $PACKHORSE_JOBS, or ~/.packhorse/jobs."
      })
  private @Nullable Path jobsDir;

  EmbeddedStore store() {
    return cluster.store();
  }

  @Nullable String zookeeper() {
    return cluster.zookeeper();
  }

  @Nullable Path hbaseConf() {
    return cluster.hbaseConf();
  }

  /** The jobs of the store. */
  JobFolder jobs() {
    return new JobFolder(path().toAbsolutePath().normalize());
  }

  private Path path() {
    if (jobsDir != null) {
      return jobsDir;
    }
    if (!cluster.isCluster()) {
      return new StoreDirectory(cluster.store().path()).jobs();
    }
    String fromEnvironment = System.getenv("PACKHORSE_JOBS");
    return fromEnvironment != null && !fromEnvironment.isEmpty()
        ? Path.of(fromEnvironment)
        : Path.of(System.getProperty("user.home", ""), ".packhorse", "jobs");
  }

  /** The options as they were given, each after a space. */
  String asOptions() {
    return cluster.asOptions() + option("--jobs-dir", jobsDir);
  }

  static String option(String name, @Nullable Object value) {
    return value == null ? "" : " " + name + " " + value;
  }
}
