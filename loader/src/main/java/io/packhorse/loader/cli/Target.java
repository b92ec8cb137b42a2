package io.packhorse.loader.cli;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.read.hbase.HBaseRows;
import io.packhorse.loader.resolve.UidAssigner;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.resolve.UidTable;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.uidstore.hbase.HBaseSeriesMeta;
import io.packhorse.loader.uidstore.hbase.HBaseUidTable;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The store a command works on: a connection and the layout of its tables.
 *
 * @param cluster closed with this target
 * @param layout of the tables, from the TSD's configuration
 * @param embedded the embedded store's servers, if it is that
 */
record Target(Cluster cluster, TableLayout layout, Optional<EmbeddedServer> embedded)
    implements Closeable {
  /**
   * @param calls runs those that write new names
   */
  UidStore uids(Executor calls) {
    return new UidAssigner(uidTable(calls), layout.rowKeys().widths());
  }

  /** Those that names have already. */
  UidStore knownUids() {
    return new KnownUids(uidTable(Runnable::run));
  }

  UidRoom uidRoom() {
    return new UidRoom(uidTable(Runnable::run), layout.rowKeys().widths());
  }

  private UidTable uidTable(Executor calls) {
    return new HBaseUidTable(
        cluster.connection(), layout.uidTable(), layout.rowKeys().widths(), calls);
  }

  HBaseSeriesMeta seriesMeta() {
    return new HBaseSeriesMeta(cluster.connection(), layout.metaTable());
  }

  HBaseRows rows() {
    return new HBaseRows(cluster.connection(), layout.dataTable(), layout.rowKeys());
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
