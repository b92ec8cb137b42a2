package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.load.EmbeddedStore;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.store.StoreDirectory;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which HBase a command works on. */
final class ClusterOptions {
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

  EmbeddedStore store() {
    return store.store();
  }

  @Nullable String zookeeper() {
    return zookeeper;
  }

  @Nullable Path hbaseConf() {
    return hbaseConf;
  }

  /** Whether a cluster is named; else it is the embedded store. */
  boolean isCluster() {
    return zookeeper != null || hbaseConf != null;
  }

  /** Whether one of the options was given. */
  boolean isGiven() {
    return !asOptions().isEmpty();
  }

  /**
   * The store these options name, for a command without jobs.
   *
   * @param tsds of a cluster, the first of which tells the layout of its tables
   */
  StoreAddress address(List<URI> tsds) {
    return new StoreAddress(
        store(),
        zookeeper,
        hbaseConf,
        null,
        tsds,
        new JobFolder(new StoreDirectory(store().path()).jobs()),
        asOptions());
  }

  /** The options as they were given, each after a space. */
  String asOptions() {
    return store.asOptions()
        + JobsOptions.option("--zookeeper", zookeeper)
        + JobsOptions.option("--hbase-conf", hbaseConf);
  }
}
