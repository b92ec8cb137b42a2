package io.packhorse.loader.sink.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Brings cells to disk that the write-ahead log does not keep. A region server that has died in
 * between took some with it, though later Puts and the flush go well on another one: so it fails as
 * well if the servers of the cluster are not those of the last time, by host, port and start. Any
 * number of threads.
 */
public final class TableFlush {
  /**
   * Earlier masters say that all is flushed though a region was passed over, because it was being
   * flushed already without the last cells (HBASE-26867).
   */
  private static final String SINCE = "2.6.0";

  private final Flush flush;
  private final Servers servers;
  private final AtomicLong begun = new AtomicLong();
  private List<String> seen;
  private boolean failed;

  /** Returns when all that was put before is on disk. */
  interface Flush {
    void run() throws IOException;
  }

  /** The servers of the cluster, those that live and those that are known to be dead. */
  interface Servers {
    List<String> look() throws IOException;
  }

  TableFlush(Flush flush, Servers servers) throws IOException {
    this.flush = flush;
    this.servers = servers;
    this.seen = servers.look();
  }

  /**
   * Of one family of a table; before its first cell is put.
   *
   * @param connection stays the caller's
   * @throws IOException if HBase does not answer, or is too old to say when all is flushed
   */
  public static TableFlush of(Connection connection, String table, String family)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      requireSince(
          String.valueOf(
              admin
                  .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION))
                  .getHBaseVersion()));
    }
    return new TableFlush(
        () -> {
          try (Admin admin = connection.getAdmin()) {
            admin.flush(TableName.valueOf(table), Bytes.toBytes(family));
          }
        },
        () -> {
          try (Admin admin = connection.getAdmin()) {
            return look(admin);
          }
        });
  }

  static void requireSince(String version) throws IOException {
    // HBase takes 2.6.0-hadoop3 to be before 2.6.0.
    if (VersionInfo.compareVersion(version.split("-", 2)[0], SINCE) < 0) {
      throw new IOException(
          "HBase must be "
              + SINCE
              + " or later to say when Puts that its log does not keep are on disk: version="
              + version);
    }
  }

  private static List<String> look(Admin admin) throws IOException {
    ClusterMetrics now =
        admin.getClusterMetrics(
            EnumSet.of(ClusterMetrics.Option.SERVERS_NAME, ClusterMetrics.Option.DEAD_SERVERS));
    TreeSet<String> names = new TreeSet<>();
    for (ServerName server : now.getServersName()) {
      names.add(server.getServerName());
    }
    for (ServerName server : now.getDeadServerNames()) {
      names.add("dead " + server.getServerName());
    }
    return new ArrayList<>(names);
  }

  /**
   * Returns when every cell answered before the call is on disk. Calls at the same time share a
   * flush.
   *
   * @throws IOException if not all of them may be; every later call then fails, too
   */
  public void run() throws IOException {
    long before = begun.get();
    synchronized (this) {
      boolean ofAnother = begun.get() > before;
      if (failed) {
        throw new IOException("cells may be lost that were not on disk yet");
      }
      if (!ofAnother) {
        begun.incrementAndGet();
        failed = true;
        flush.run();
        check();
        failed = false;
      }
    }
  }

  private void check() throws IOException {
    List<String> now = servers.look();
    if (!now.equals(seen)) {
      throw new IOException(
          "region servers have come or gone while cells were not on disk, and some may be lost: "
              + seen
              + ", now "
              + now);
    }
    seen = now;
  }
}
