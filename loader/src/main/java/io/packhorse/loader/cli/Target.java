package io.packhorse.loader.cli;

import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.read.hbase.HBaseRows;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.target.TableLayout;
import io.packhorse.loader.uidstore.hbase.HBaseLoaderIds;
import io.packhorse.loader.uidstore.hbase.HBaseUidStore;
import java.io.Closeable;
import java.io.IOException;

/**
 * The store a command works on: a connection and the layout of its tables.
 *
 * @param cluster closed with this target
 */
record Target(Cluster cluster, TableLayout layout) implements Closeable {
  UidStore uids() {
    return new HBaseUidStore(cluster.connection(), layout.uidTable(), layout.rowKeys().widths());
  }

  LoaderIds loaderIds() {
    return new HBaseLoaderIds(cluster.connection(), TableLayout.PACKHORSE_TABLE);
  }

  HBaseRows rows() {
    return new HBaseRows(cluster.connection(), layout.dataTable(), layout.rowKeys());
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
