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
 * Flushes a table, so that cells not yet in the write-ahead log are on disk. Any number of threads.
 *
 * <p>A region server that dies before the flush loses such cells, although later Puts and the flush
 * succeed on another server. Therefore a flush also fails if the servers of the cluster, by host,
 * port and start time, are not the same as at the flush before.
 */
public final class TableFlush {
  /**
   * Earlier masters report success although a region was skipped, because an earlier flush of it,
   * without the last cells, was still running (HBASE-26867).
   */
  private static final String SINCE = "2.6.0";

  private final Flush flush;
  private final Servers servers;
  private final AtomicLong begun = new AtomicLong();
  private List<String> seen;
  private boolean failed;

  /** Returns when everything put before is on disk. */
  interface Flush {
    void run() throws IOException;
  }

  /** Lists the region servers of the cluster, live ones and dead ones. */
  interface Servers {
    List<String> list() throws IOException;
  }

  TableFlush(Flush flush, Servers servers) throws IOException {
    this.flush = flush;
    this.servers = servers;
    this.seen = servers.list();
  }

  /**
   * Flushes one family of a table. To be made before its first cell is put.
   *
   * @param connection stays the caller's
   * @throws IOException if HBase does not answer, or is too old to report the end of a flush
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
            return list(admin);
          }
        });
  }

  static void requireSince(String version) throws IOException {
    // compareVersion puts 2.6.0-hadoop3 before 2.6.0.
    if (VersionInfo.compareVersion(version.split("-", 2)[0], SINCE) < 0) {
      throw new IOException(
          "loading without waiting for the write-ahead log needs HBase "
              + SINCE
              + " or later, which reports when a flush is complete: version="
              + version);
    }
  }

  private static List<String> list(Admin admin) throws IOException {
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
   * Returns when every cell that HBase answered for before the call is on disk. Concurrent calls
   * share a flush.
   *
   * @throws IOException if some cells may be lost; every later call fails too
   */
  public void run() throws IOException {
    long before = begun.get();
    synchronized (this) {
      boolean ofAnother = begun.get() > before;
      if (failed) {
        throw new IOException("an earlier flush failed: cells that were not on disk may be lost");
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
    List<String> now = servers.list();
    if (!now.equals(seen)) {
      throw new IOException(
          "region servers started or died while cells were not on disk yet, so some may be lost:"
              + " before "
              + seen
              + ", now "
              + now);
    }
    seen = now;
  }
}
