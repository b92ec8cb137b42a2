package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.TsdChecks;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.ServerOptions;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.table.SplitPoints;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Which store an operation works on, and how to reach it: a cluster if {@code zookeeper} or {@code
 * hbaseConf} names one, else the embedded store.
 *
 * @param embedded the embedded store; ignored if a cluster is named
 * @param zookeeper quorum of a cluster
 * @param hbaseConf {@code hbase-site.xml} of a cluster
 * @param tsdConf the TSD's {@code opentsdb.conf}, from which the layout of the tables is read
 * @param tsdUrls TSDs of the cluster; without {@code tsdConf} the first one tells the layout
 * @param jobs where the jobs of this store are kept
 * @param options the command line options that name this store, each after a space, for hints
 */
public record StoreAddress(
    EmbeddedStore embedded,
    @Nullable String zookeeper,
    @Nullable Path hbaseConf,
    @Nullable Path tsdConf,
    List<URI> tsdUrls,
    JobFolder jobs,
    String options) {
  private static final long DISK_RESERVE_BYTES = 1L << 30;

  private static final String NO_TSD_NAMED =
      """
      NO TSD WAS NAMED. An unpatched TSD answers without the packed cells that this load
                writes, and does not say so. Name the TSDs of this cluster with
                --tsd-url http://HOST:4242 to have them checked first; packhorse doctor checks the rest.\
      """;

  /** The embedded store in a directory. */
  public static StoreAddress ofEmbedded(EmbeddedStore store) {
    return new StoreAddress(
        store,
        null,
        null,
        null,
        List.of(),
        new JobFolder(new StoreDirectory(store.path()).jobs()),
        "");
  }

  /** Whether this is the embedded store. */
  public boolean isEmbedded() {
    return zookeeper == null && hbaseConf == null;
  }

  /**
   * Checks what can be checked of the TSD's settings without reaching anything.
   *
   * @throws OperationException USAGE if it cannot be known where they are, REFUSED as {@link #open}
   */
  void checkConfigFile() {
    if (isEmbedded()) {
      return;
    }
    if (tsdConf != null) {
      PreflightChecks.refuse(TsdChecks.settings(readConfig(tsdConf), tsdConfigName(), 0));
    } else {
      requireTsdUrl();
    }
  }

  /**
   * Connects; the embedded store is started if it does not run.
   *
   * @throws OperationException REFUSED if the TSD's settings hide or rewrite loaded cells
   */
  public StoreConnection open(Announcer announcer)
      throws StoreException, IOException, InterruptedException {
    if (!isEmbedded()) {
      PreflightChecks.refuse(TsdChecks.settings(tsdConfig(), tsdConfigName(), 0));
    }
    return connect(announcer);
  }

  /** As {@link #open}, whatever the TSD's settings are. */
  public StoreConnection connect(Announcer announcer)
      throws StoreException, IOException, InterruptedException {
    return isEmbedded() ? connectEmbedded(announcer) : connectCluster();
  }

  /**
   * As {@link #open}, and checked for writing.
   *
   * @param form of the cells
   * @param seriesMeta whether {@code tsdb-meta} will be written
   * @throws OperationException REFUSED if loaded points would be lost or not be seen; nothing was
   *     written then
   */
  public StoreConnection openToLoad(Announcer announcer, CellForm form, boolean seriesMeta)
      throws StoreException, IOException, InterruptedException {
    StoreConnection to = open(announcer);
    if (isEmbedded()) {
      return to;
    }
    try {
      PreflightChecks checks = new PreflightChecks(to, form, 0);
      checks.tables(seriesMeta);
      checks.storedKeys();
      checks.tsds(tsdUrls);
      PreflightChecks.refuse(checks.findings());
      if (form == CellForm.PACKED && tsdUrls.isEmpty()) {
        announcer.say("WARNING", NO_TSD_NAMED);
      }
      createOwnTables(to);
      return to;
    } catch (OperationException | InterruptedException e) {
      to.close();
      throw e;
    }
  }

  /**
   * Refuses what Bigtable cannot take. Nothing is connected to.
   *
   * @param output of a load
   * @throws OperationException REFUSED
   */
  public void checkOutput(LoadOutput output) {
    String lacks = null;
    if (output instanceof LoadOutput.HFiles) {
      lacks = "takes no HFiles: load with --sink puts, and --rate to spare those who read";
    } else if (output instanceof LoadOutput.Puts puts && puts.durability() != PutDurability.SYNC) {
      lacks =
          "has stored a Put when it answers, and has neither a log to leave out nor a flush: leave"
              + " out --durability "
              + puts.durability();
    }
    if (lacks != null && isBigtable()) {
      throw new OperationException(
          Kind.REFUSED,
          "Refused before anything was written: the store in "
              + hbaseConf
              + " is Bigtable, which "
              + lacks
              + ".");
    }
  }

  private boolean isBigtable() {
    try {
      return Cluster.isBigtable(hbaseConf);
    } catch (IOException | RuntimeException e) {
      throw new OperationException(
          Kind.USAGE, "Cannot read --hbase-conf " + hbaseConf + ": " + e.getMessage() + ".", e);
    }
  }

  static void createOwnTables(StoreConnection to) {
    SaltFunction salt = to.layout().rowKeys().salt();
    try {
      new HBaseTables(to.cluster().connection())
          .createMissing(
              StoreTables.ours(
                  to.layout().dataTable(), SplitPoints.bySaltBucket(salt.width(), salt.buckets())));
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "Nothing was written: column family p or one of our tables cannot be created: "
              + Causes.sentence(e)
              + ".",
          e);
    }
  }

  /** Addresses of the TSDs over the store: those named, or the embedded one. */
  public List<URI> tsds(StoreConnection to) {
    return to.embedded().map(server -> List.of(server.tsdUrl())).orElse(tsdUrls);
  }

  /** The TSD's settings if they are in a file, by the name of the file. */
  public Map<String, Properties> tsdConfigFile() {
    return tsdConf == null ? Map.of() : Map.of(tsdConf.toString(), readConfig(tsdConf));
  }

  /**
   * Refuses a load that the embedded store's disk has no room for.
   *
   * @param cellBytes expected bytes of all cells
   * @throws OperationException REFUSED
   */
  public void checkRoom(double cellBytes, LoadOutput output) throws StoreException, IOException {
    if (!isEmbedded()) {
      return;
    }
    StoreDirectory directory = embedded.open();
    double needed = diskBytesPerCellByte(output) * cellBytes + DISK_RESERVE_BYTES;
    if ((double) directory.freeBytes() < needed) {
      throw new OperationException(
          Kind.REFUSED,
          String.format(
              "Not enough room in %s: the load may need %s while it runs, %s are free. Free some,"
                  + " choose another --dir, or load less.",
              directory.root(),
              HumanNumbers.bytes(needed),
              HumanNumbers.bytes((double) directory.freeBytes())));
    }
  }

  /** Bytes on the embedded store's disk for each byte of cells, while they are loaded. */
  private static double diskBytesPerCellByte(LoadOutput output) {
    if (output instanceof LoadOutput.Puts) {
      // The write-ahead log until it is cleaned away, the flushed file and a compacted one.
      return 3;
    }
    // The file, which HBase moves, and a compacted one.
    return output instanceof LoadOutput.HFiles ? 2 : 0;
  }

  /** The row keys of the store, without connecting; by default those of the embedded store. */
  public RowKeyLayout plannedRowKeys() throws IOException {
    return tsdConf == null
        ? Destination.DEFAULT_ROW_KEYS
        : TableLayout.of(readConfig(tsdConf), tsdConf.toString()).rowKeys();
  }

  private StoreConnection connectEmbedded(Announcer announcer)
      throws StoreException, IOException, InterruptedException {
    boolean ran = embedded.isRunning();
    if (!ran) {
      announcer.say("store", "starting in " + embedded.path());
    }
    boolean lacksTsd = embedded.lacksTsd();
    EmbeddedServer server = embedded.ensureRunning(ServerOptions.defaults());
    if (lacksTsd) {
      announcer.say(
          "store", "OpenTSDB did not run and was started again; logs in " + server.store().log());
    }
    if (!ran) {
      announcer.say(
          "store", "running, stop it with: packhorse server stop --dir " + embedded.path());
    }
    TableLayout layout = TableLayout.ofTsdConfig(server.store().tsdConfig(TsdKind.PATCHED));
    return connect(server.zookeeperQuorum(), null, layout, Optional.of(server));
  }

  private StoreConnection connectCluster() throws IOException, InterruptedException {
    TableLayout layout = TableLayout.of(tsdConfig(), tsdConfigName());
    return connect(zookeeper, hbaseConf, layout, Optional.empty());
  }

  private static StoreConnection connect(
      @Nullable String zookeeper,
      @Nullable Path hbaseConf,
      TableLayout layout,
      Optional<EmbeddedServer> server) {
    try {
      return new StoreConnection(Cluster.connect(zookeeper, hbaseConf), layout, server);
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER, "Cannot reach HBase: " + Causes.sentence(e) + ".", e);
    }
  }

  /** The TSD's settings, from its file or from itself. */
  private Properties tsdConfig() throws InterruptedException {
    if (tsdConf != null) {
      return readConfig(tsdConf);
    }
    requireTsdUrl();
    try {
      return new TsdClient(tsdUrls.get(0)).state().config();
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "The TSD " + tsdUrls.get(0) + " does not answer: " + Causes.sentence(e) + ".",
          e);
    }
  }

  private void requireTsdUrl() {
    if (tsdUrls.isEmpty()) {
      throw new OperationException(
          Kind.USAGE,
          "A cluster needs --tsd-conf, the TSD's opentsdb.conf, or --tsd-url, its address: a wrong"
              + " salt or UID width writes rows that no query finds.");
    }
  }

  private String tsdConfigName() {
    return tsdConf == null ? tsdUrls.get(0).toString() : tsdConf.toString();
  }

  private static Properties readConfig(Path config) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(config, StandardCharsets.UTF_8)) {
      properties.load(reader);
      return properties;
    } catch (IOException | IllegalArgumentException e) {
      throw new OperationException(
          Kind.USAGE, "Cannot read --tsd-conf " + config + ": " + e.getMessage() + ".", e);
    }
  }
}
