package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.TsdChecks;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.query.TsdClient;
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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which store a command works on: a cluster, or the embedded store. */
final class TargetOptions {
  private static final long DISK_RESERVE_BYTES = 1L << 30;

  private static final String NO_TSD_NAMED =
      """
      WARNING   NO TSD WAS NAMED. An unpatched TSD answers without the packed cells that this load
                writes, and says nothing. Name those of this cluster with --tsd-url http://HOST:4242
                and they are asked first; packhorse doctor checks the rest.""";

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
          "The TSD's opentsdb.conf, from which salt, UID widths and table names are read. A cluster needs"
              + " this or --tsd-url.")
  private @Nullable Path tsdConf;

  @Option(
      names = "--tsd-url",
      paramLabel = "URL",
      split = ",",
      description =
          "TSDs of a cluster, as http://HOST:4242: asked before a load writes anything whether they"
              + " read what it writes. Without --tsd-conf the layout is that of the first one.")
  private List<URI> tsdUrls = List.of();

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

  /**
   * Connects; the embedded store is started if it does not run.
   *
   * @throws CommandException PREFLIGHT if the TSD's settings hide or rewrite loaded cells
   */
  Target open(PrintWriter err) throws StoreException, IOException, InterruptedException {
    if (!isEmbedded()) {
      Properties config = tsdConfig();
      Examination.refuse(TsdChecks.settings(config, tsdConfigName(), 0));
    }
    return connect(err);
  }

  /** As {@link #open}, whatever the TSD's settings. */
  Target connect(PrintWriter err) throws StoreException, IOException, InterruptedException {
    return isEmbedded() ? openEmbedded(err) : openCluster();
  }

  /**
   * As {@link #open}, and ready to be written to.
   *
   * @param form of the cells
   * @param meta whether series are to be made known
   * @throws CommandException PREFLIGHT if loaded points would be lost or not be seen; nothing was
   *     written then
   */
  Target openToLoad(PrintWriter err, CellForm form, boolean meta)
      throws StoreException, IOException, InterruptedException {
    Target to = open(err);
    if (isEmbedded()) {
      return to;
    }
    try {
      Examination examination = new Examination(to, form, 0);
      examination.tables(meta);
      examination.storedKeys();
      examination.tsds(tsdUrls);
      Examination.refuse(examination.findings());
      if (form == CellForm.PACKED && tsdUrls.isEmpty()) {
        err.println(NO_TSD_NAMED);
      }
      createOurs(to);
      return to;
    } catch (CommandException | InterruptedException e) {
      to.close();
      throw e;
    }
  }

  private static void createOurs(Target to) {
    try {
      List<String> unused =
          new HBaseTables(to.cluster().connection())
              .createMissing(StoreTables.ours(to.layout().dataTable()));
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER,
          "Nothing was loaded: family p or our own table cannot be made: " + LoadRun.cause(e) + ".",
          e);
    }
  }

  /** Addresses of the TSDs over the store: those named, or the embedded one. */
  List<URI> tsds(Target to) {
    return to.embedded().map(server -> List.of(server.tsdUrl())).orElse(tsdUrls);
  }

  /** The TSD's settings where they are in a file, by the file's name. */
  Map<String, Properties> tsdConfigFile() {
    return tsdConf == null ? Map.of() : Map.of(tsdConf.toString(), readConfig(tsdConf));
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

  /** Whether this is the embedded store. */
  boolean isEmbedded() {
    return zookeeper == null && hbaseConf == null;
  }

  /** The options that name this store, as they were given, each after a space. */
  String asArguments() {
    return store.asArguments()
        + argument("--zookeeper", zookeeper)
        + argument("--hbase-conf", hbaseConf)
        + argument("--tsd-conf", tsdConf)
        + argument(
            "--tsd-url",
            tsdUrls.isEmpty()
                ? null
                : tsdUrls.stream().map(URI::toString).collect(Collectors.joining(",")))
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
    return reach(server.zookeeperQuorum(), null, layout, Optional.of(server));
  }

  private Target openCluster() throws IOException, InterruptedException {
    TableLayout layout = TableLayout.of(tsdConfig(), tsdConfigName());
    return reach(zookeeper, hbaseConf, layout, Optional.empty());
  }

  private static Target reach(
      @Nullable String zookeeper,
      @Nullable Path hbaseConf,
      TableLayout layout,
      Optional<EmbeddedServer> embedded) {
    try {
      return new Target(Cluster.connect(zookeeper, hbaseConf), layout, embedded);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER, "Cannot reach HBase: " + LoadRun.cause(e) + ".", e);
    }
  }

  /** The TSD's settings, of its file or from itself. */
  private Properties tsdConfig() throws InterruptedException {
    if (tsdConf != null) {
      return readConfig(tsdConf);
    }
    if (tsdUrls.isEmpty()) {
      throw new ParameterException(
          command.commandLine(),
          "A cluster needs --tsd-conf, the TSD's opentsdb.conf, or --tsd-url, its address: a wrong"
              + " salt or UID width writes rows that no query finds.");
    }
    try {
      return new TsdClient(tsdUrls.get(0)).look().config();
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER,
          "The TSD " + tsdUrls.get(0) + " does not answer: " + LoadRun.cause(e) + ".",
          e);
    }
  }

  private String tsdConfigName() {
    return tsdConf == null ? tsdUrls.get(0).toString() : tsdConf.toString();
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
