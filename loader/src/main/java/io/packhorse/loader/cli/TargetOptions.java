package io.packhorse.loader.cli;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.ServerOptions;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which store a command works on: a cluster, or the embedded store. */
final class TargetOptions {
  private static final long DISK_RESERVE_BYTES = 1L << 30;

  @Mixin private StoreOptions store = new StoreOptions();

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

  @Option(
      names = "--jobs-dir",
      paramLabel = "D",
      description = {
        "Where jobs have their folders.",
        "Default: jobs/ of the embedded store; with a cluster $PACKHORSE_JOBS, or ~/.packhorse/jobs."
      })
  private @Nullable Path jobsDir;

  /** The embedded store of these options and nothing else. */
  static TargetOptions embedded(StoreOptions store) {
    TargetOptions options = new TargetOptions();
    options.store = store;
    return options;
  }

  /** Connects; the embedded store is started if it does not run. */
  Target open(PrintWriter err) throws StoreException, IOException, InterruptedException {
    return isEmbedded() ? openEmbedded(err) : openCluster();
  }

  /** Where jobs of this store are; nothing is made. */
  JobFolder jobs() {
    Path path = jobsDir;
    if (path == null && isEmbedded()) {
      path = new StoreDirectory(store.path()).jobs();
    }
    if (path == null) {
      String fromEnvironment = System.getenv("PACKHORSE_JOBS");
      path =
          fromEnvironment != null && !fromEnvironment.isEmpty()
              ? Path.of(fromEnvironment)
              : Path.of(System.getProperty("user.home", ""), ".packhorse", "jobs");
    }
    return new JobFolder(path.toAbsolutePath().normalize());
  }

  private boolean isEmbedded() {
    return zookeeper == null && hbaseConf == null;
  }

  /** The options that name this store, as they were given, each after a space. */
  String asArguments() {
    return store.asArguments()
        + argument("--zookeeper", zookeeper)
        + argument("--hbase-conf", hbaseConf)
        + argument("--tsd-conf", tsdConf)
        + argument("--jobs-dir", jobsDir);
  }

  private static String argument(String name, @Nullable Object value) {
    return value == null ? "" : " " + name + " " + value;
  }

  /**
   * Refuses a load that the embedded store's disk cannot take.
   *
   * @param cellBytes expected bytes of all cells
   * @param sink how they are written
   */
  void checkRoom(double cellBytes, SinkKind sink) throws StoreException, IOException {
    if (!isEmbedded()) {
      return;
    }
    StoreDirectory directory = store.open();
    double needed = diskBytesPerCellByte(sink) * cellBytes + DISK_RESERVE_BYTES;
    if ((double) directory.freeBytes() < needed) {
      throw new CommandException(
          ExitCode.PREFLIGHT,
          String.format(
              "Not enough room in %s: the load may need %sB while it runs, %sB are free. Free some,"
                  + " choose another --dir, or load less.",
              directory.root(), Figures.si(needed), Figures.si((double) directory.freeBytes())));
    }
  }

  /** What a byte of cells costs on the embedded store's disk while it is loaded. */
  private static double diskBytesPerCellByte(SinkKind sink) {
    return switch (sink) {
      // The write-ahead log until it is cleaned away, the flushed file and a compacted one.
      case PUTS -> 3;
      // The file, which HBase moves, and a compacted one.
      case HFILES -> 2;
      case NULL -> 0;
    };
  }

  /** The row keys of the store, without asking it: the embedded one has salt in four buckets. */
  RowKeyLayout plannedLayout() throws IOException {
    return tsdConf == null
        ? Destination.NOWHERE
        : TableLayout.of(readConfig(tsdConf), tsdConf.toString()).rowKeys();
  }

  private Target openEmbedded(PrintWriter err)
      throws StoreException, IOException, InterruptedException {
    boolean ran = store.isRunning();
    if (!ran) {
      err.println("store     starting in " + store.path());
    }
    EmbeddedServer server = store.ensureRunning(ServerOptions.defaults());
    if (!ran) {
      err.println("store     running, stop it with: packhorse server stop --dir " + store.path());
    }
    TableLayout layout = TableLayout.ofTsdConfig(server.store().tsdConfig(TsdKind.PATCHED));
    return new Target(Cluster.connect(server.zookeeperQuorum(), null), layout, Optional.of(server));
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
      TableLayout layout = TableLayout.of(properties, config.toString());
      Cluster cluster = Cluster.connect(zookeeper, hbaseConf);
      new HBaseTables(cluster.connection()).createMissing(StoreTables.ours(layout.dataTable()));
      return new Target(cluster, layout, Optional.empty());
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
