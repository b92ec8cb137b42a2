package io.packhorse.loader.load;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.read.hbase.HBaseRows;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.resolve.UidAssigner;
import io.packhorse.loader.resolve.UidNames;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.resolve.UidTable;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.loader.summary.hbase.HBaseSummaries;
import io.packhorse.loader.summary.hbase.SummaryBuilder;
import io.packhorse.loader.table.FoundServer;
import io.packhorse.loader.table.RegionLoad;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.loader.uidstore.hbase.HBaseSeriesIndex;
import io.packhorse.loader.uidstore.hbase.HBaseSeriesMeta;
import io.packhorse.loader.uidstore.hbase.HBaseUidNames;
import io.packhorse.loader.uidstore.hbase.HBaseUidTable;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A connection to a store, and the layout of its tables.
 *
 * @param cluster closed with this connection
 * @param layout of the tables, from the TSD's configuration
 * @param embedded the servers of the embedded store, if it is that
 * @param newNamesMax how many new names may be assigned UIDs
 */
public record StoreConnection(
    Cluster cluster, TableLayout layout, Optional<EmbeddedServer> embedded, long newNamesMax)
    implements Closeable {
  StoreConnection(Cluster cluster, TableLayout layout, Optional<EmbeddedServer> embedded) {
    this(cluster, layout, embedded, Long.MAX_VALUE);
  }

  /** This connection with a limit of new names; the caller closes one of the two. */
  StoreConnection withNewNames(long max) {
    return new StoreConnection(cluster, layout, embedded, max);
  }

  /**
   * UIDs of names; new ones are assigned.
   *
   * @param calls runs the calls that write new names
   */
  UidStore uids(Executor calls) {
    return new UidAssigner(uidTable(calls), layout.rowKeys().widths(), newNamesMax);
  }

  /** UIDs that names have already; none is assigned. */
  UidStore knownUids() {
    return new KnownUids(uidTable(Runnable::run));
  }

  /** Names of UIDs. */
  UidNames uidNames() {
    return new HBaseUidNames(cluster.connection(), layout.uidTable(), layout.rowKeys().widths());
  }

  /** How many UIDs are left. */
  UidCapacity uidCapacity() {
    return new UidCapacity(uidTable(Runnable::run), layout.uidTable(), layout.rowKeys().widths());
  }

  private UidTable uidTable(Executor calls) {
    return new HBaseUidTable(
        cluster.connection(), layout.uidTable(), layout.rowKeys().widths(), calls);
  }

  HBaseSeriesMeta seriesMeta() {
    return new HBaseSeriesMeta(cluster.connection(), layout.metaTable());
  }

  /** Has readers know the series of a load before their cells are stored. */
  IndexedSeries indexed(
      SeriesResolver resolver, Optional<SummarisedCells> summaries, Executor calls) {
    return new IndexedSeries(seriesIndex(calls), resolver, summaries);
  }

  HBaseClaims claims() {
    return new HBaseClaims(cluster.connection(), layout.dataTable());
  }

  /** The builder of a repack that writes under this loader id. */
  SummaryBuilder summaryBuilder(LoaderId loader) {
    return new SummaryBuilder(cluster.connection(), layout.dataTable(), layout.rowKeys(), loader);
  }

  SummaryBuilder summaryBuilder() {
    return new SummaryBuilder(cluster.connection(), layout.dataTable(), layout.rowKeys());
  }

  HBaseSummaries summaries() {
    return new HBaseSummaries(cluster.connection(), layout.dataTable());
  }

  HBaseSeriesIndex seriesIndex() {
    return seriesIndex(Runnable::run);
  }

  private HBaseSeriesIndex seriesIndex(Executor calls) {
    return new HBaseSeriesIndex(
        cluster.connection(), layout.dataTable(), layout.rowKeys().widths(), calls);
  }

  HBaseRows rows() {
    return new HBaseRows(cluster.connection(), layout.dataTable(), layout.rowKeys());
  }

  /** The live region servers. */
  public List<FoundServer> servers() throws IOException {
    return new HBaseTables(cluster.connection()).servers();
  }

  /** What each region of the data table has done so far. */
  public List<RegionLoad> regions() throws IOException {
    return new HBaseTables(cluster.connection()).load(layout.dataTable());
  }

  /**
   * What has to stay the same for the rows of a resumed job to be the job's: part of a manifest.
   */
  String fingerprint() {
    var keys = layout.rowKeys();
    return String.format(
        Locale.ROOT,
        "%s, salt %d x %d, UID widths %d/%d/%d",
        layout.dataTable(),
        keys.salt().width(),
        keys.salt().buckets(),
        keys.widths().metric(),
        keys.widths().tagk(),
        keys.widths().tagv());
  }

  /**
   * Why this is not the store that a job was made for, if it is not.
   *
   * @param store as in the job's manifest; empty if the job has not reached any
   */
  Optional<String> differsFrom(String store) {
    return store.isEmpty() || store.equals(fingerprint())
        ? Optional.empty()
        : Optional.of("it was made for the store " + store + ", this is " + fingerprint());
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
