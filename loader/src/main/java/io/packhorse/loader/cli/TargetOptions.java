package io.packhorse.loader.cli;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.target.TableLayout;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which store a command works on: a cluster, or the embedded store. */
final class TargetOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

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
          "The TSD's opentsdb.conf, needed with a cluster: salt, UID widths and table names are read"
              + " from it.")
  private @Nullable Path tsdConf;

  /** Connects. */
  Target open(PrintStream err) throws IOException {
    if (zookeeper == null && hbaseConf == null) {
      throw new ParameterException(command.commandLine(), "No store named.");
    }
    return openCluster();
  }

  private Target openCluster() throws IOException {
    Path config = tsdConf;
    if (config == null) {
      throw new ParameterException(
          command.commandLine(),
          "A cluster needs --tsd-conf, the TSD's opentsdb.conf: a wrong salt or UID width writes rows"
              + " that no query finds.");
    }
    Properties properties = readConfig(config);
    List<String> dangers = TableLayout.dangersOf(properties);
    if (!dangers.isEmpty()) {
      throw new CommandException(
          ExitCode.PREFLIGHT, config + ": " + String.join("; ", dangers) + ".");
    }
    try {
      return new Target(
          Cluster.connect(zookeeper, hbaseConf), TableLayout.of(properties, config.toString()));
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER, "Cannot reach HBase: " + LoadRun.cause(e) + ".", e);
    }
  }

  private Properties readConfig(Path config) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(config, StandardCharsets.UTF_8)) {
      properties.load(reader);
      return properties;
    } catch (IOException | IllegalArgumentException e) {
      throw new ParameterException(
          command.commandLine(),
          "Cannot read --tsd-conf " + config + ": " + e.getMessage() + ".",
          e);
    }
  }
}
