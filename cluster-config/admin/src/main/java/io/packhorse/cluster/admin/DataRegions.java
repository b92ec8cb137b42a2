package io.packhorse.cluster.admin;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The regions of the data table: where they are, and where they are split.
 *
 * <p>For one thread. Uses the caller's connection and does not close it.
 */
final class DataRegions {
  /** Named, not imported: this class lives on the servers. */
  private static final String SPLIT_BY_SIZE =
      "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy";

  private static final String NO_SPLITS =
      "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";

  private final Connection connection;
  private final TableLayout layout;
  private final TableName table;

  DataRegions(Connection connection, TableLayout layout) {
    this.connection = connection;
    this.layout = layout;
    this.table = TableName.valueOf(layout.dataTable());
  }

  /** Gives the table a split policy that permits splits; the one it is created with refuses all. */
  void allowSplits() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setRegionSplitPolicyClassName(SPLIT_BY_SIZE)
              .build());
    }
  }

  /** Asks the master to move each region to its server; see {@link #serverOf}. */
  void place(List<String> hosts) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<ServerName> servers = servers(admin, hosts);
      for (HRegionLocation region : locations()) {
        ServerName server = serverOf(region, servers);
        if (!server.equals(region.getServerName())) {
          admin.move(region.getRegion().getEncodedNameAsBytes(), server);
        }
      }
    }
  }

  /** Whether every region is on its server and no file of the table is being compacted. */
  boolean isPlaced(List<String> hosts) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<ServerName> servers = servers(admin, hosts);
      for (HRegionLocation region : locations()) {
        if (!serverOf(region, servers).equals(region.getServerName())) {
          return false;
        }
      }
      return admin.getCompactionState(table) == CompactionState.NONE;
    }
  }

  /** Number of regions by host name; regions without a server count under {@code "no server"}. */
  Map<String, Integer> countByHost() throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    for (HRegionLocation region : locations()) {
      ServerName server = region.getServerName();
      counts.merge(server == null ? "no server" : server.getHostname(), 1, Integer::sum);
    }
    return counts;
  }

  /**
   * Splits, in each salt bucket, the region that holds an hour of a metric, at that hour.
   *
   * @param baseTimeSeconds the hour, a multiple of 3600
   * @return number of regions split
   * @throws IOException if the metric has no UID, or the table permits no splits
   */
  int split(String metric, long baseTimeSeconds) throws IOException, InterruptedException {
    RowKeyLayout rowKeys = layout.rowKeys();
    long uid = metricUid(metric);
    try (Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(table)) {
      TableDescriptor descriptor = admin.getDescriptor(table);
      if (NO_SPLITS.equals(descriptor.getRegionSplitPolicyClassName())) {
        throw new IOException(
            "table " + table + " permits no splits: run packhorse-node admin regions allow-splits");
      }
      List<Future<Void>> splits = new ArrayList<>();
      for (int bucket = 0; bucket < rowKeys.salt().buckets(); bucket++) {
        byte[] key = rowKeys.scanStart(bucket, uid, baseTimeSeconds);
        HRegionLocation region = locator.getRegionLocation(key, true);
        splits.add(admin.splitRegionAsync(region.getRegion().getRegionName(), key));
      }
      for (Future<Void> split : splits) {
        split.get();
      }
      return splits.size();
    } catch (ExecutionException e) {
      throw new IOException("a region was not split: " + e.getCause(), e);
    }
  }

  private long metricUid(String metric) throws IOException {
    try (Table uids = connection.getTable(TableName.valueOf(layout.uidTable()))) {
      byte[] uid =
          uids.get(new Get(UidRows.nameBytes(metric)))
              .getValue(Bytes.toBytes(UidRows.ID_FAMILY), UidKind.METRIC.qualifierBytes());
      if (uid == null) {
        throw new IOException("metric " + metric + " has no UID in table " + layout.uidTable());
      }
      return UidRows.decode(uid, layout.rowKeys().widths().metric());
    } catch (MalformedCellException e) {
      throw new IOException("UID of metric " + metric + ": " + e.getMessage(), e);
    }
  }

  private List<HRegionLocation> locations() throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      return locator.getAllRegionLocations();
    }
  }

  private static List<ServerName> servers(Admin admin, List<String> hosts) throws IOException {
    List<ServerName> live = List.copyOf(admin.getRegionServers());
    List<ServerName> servers = new ArrayList<>();
    for (String host : hosts) {
      servers.add(
          live.stream()
              .filter(server -> server.getHostname().equals(host))
              .findFirst()
              .orElseThrow(() -> new IOException("no live region server on host " + host)));
    }
    return servers;
  }

  private ServerName serverOf(HRegionLocation region, List<ServerName> servers) {
    return serverOf(layout.rowKeys().salt().width(), region.getRegion().getStartKey(), servers);
  }

  /**
   * Salt bucket b belongs to server b modulo the number of servers. All regions of a bucket are on
   * one server, because loads write to the last of them only.
   *
   * @param saltWidth bytes of salt that row keys start with
   * @param startKey of a region; empty for the first one
   */
  static <T> T serverOf(int saltWidth, byte[] startKey, List<T> servers) {
    int bucket = 0;
    for (int i = 0; i < saltWidth; i++) {
      bucket = bucket << 8 | (i < startKey.length ? startKey[i] & 0xff : 0);
    }
    return servers.get(Math.floorMod(bucket, servers.size()));
  }
}
