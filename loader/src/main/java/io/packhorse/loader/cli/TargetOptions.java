package io.packhorse.loader.cli;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.target.TableLayout;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which store a command works on. */
final class TargetOptions {
  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description = "Quorum of the HBase cluster, as host:port,host:port.")
  private @Nullable String zookeeper;

  @Option(
      names = "--hbase-conf",
      paramLabel = "FILE",
      description = "The cluster's hbase-site.xml.")
  private @Nullable Path hbaseSite;

  @Option(
      names = "--tsd-conf",
      paramLabel = "FILE",
      description = "The TSD's opentsdb.conf: salt, UID widths, table names.")
  private @Nullable Path tsdConfig;

  Target open(PrintStream err) {
    try {
      TableLayout layout =
          tsdConfig == null
              ? TableLayout.of(new Properties(), "default")
              : TableLayout.ofTsdConfig(tsdConfig);
      return new Target(Cluster.connect(zookeeper, hbaseSite), layout);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER, "The store cannot be opened: " + LoadRun.cause(e) + ".", e);
    }
  }
}
