package io.packhorse.loader.table.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tests on which region servers a codec works, by opening an empty table with it on each of them;
 * the table is removed afterwards. One thread.
 */
public final class CodecProbe {
  private static final int WAIT_SECONDS_MAX = 60;

  private final Connection connection;

  public CodecProbe(Connection connection) {
    this.connection = connection;
  }

  /**
   * Tests a codec.
   *
   * @param codec HBase's name of it
   * @return servers that cannot open a table with it
   * @throws IOException if the master refuses the codec, with its reason, or if the test table
   *     cannot be removed
   */
  public SortedSet<String> serversWithout(String codec) throws IOException {
    if (Stream.of(Compression.Algorithm.values()).noneMatch(known -> known.name().equals(codec))) {
      throw new IOException("HBase has no such codec");
    }
    TableName table = TableName.valueOf("packhorse-probe-" + UUID.randomUUID());
    try (Admin admin = connection.getAdmin()) {
      List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
      if (servers.isEmpty()) {
        throw new IOException("no region server is alive");
      }
      try {
        create(admin, table, codec, servers.size());
        return withoutRegion(admin, table, servers);
      } finally {
        remove(admin, table);
      }
    }
  }

  private static void create(Admin admin, TableName table, String codec, int regions)
      throws IOException {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = Bytes.toBytes(i + 1);
    }
    var descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                    .setCompressionType(Compression.Algorithm.valueOf(codec))
                    .build())
            .build();
    await(
        splits.length == 0
            ? admin.createTableAsync(descriptor)
            : admin.createTableAsync(descriptor, splits),
        "no region server has opened a table with " + codec);
  }

  /** The balancer gives each server a region; a region is moved to a server that has none. */
  private SortedSet<String> withoutRegion(Admin admin, TableName table, List<ServerName> servers)
      throws IOException {
    SortedSet<String> without = new TreeSet<>();
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      for (ServerName server : servers) {
        List<HRegionLocation> regions = locator.getAllRegionLocations();
        if (regions.stream().noneMatch(region -> server.equals(region.getServerName()))) {
          HRegionLocation moved = regions.get(0);
          admin.move(moved.getRegion().getEncodedNameAsBytes(), server);
          locator.clearRegionLocationCache();
          HRegionLocation now = locator.getRegionLocation(moved.getRegion().getStartKey(), true);
          if (!server.equals(now.getServerName())) {
            without.add(server.getAddress().toString());
          }
        }
      }
    }
    return without;
  }

  private static void remove(Admin admin, TableName table) throws IOException {
    if (!admin.tableExists(table)) {
      return;
    }
    String trouble =
        "the test table " + table + " could not be removed; remove it in the HBase shell";
    if (!admin.isTableDisabled(table)) {
      await(admin.disableTableAsync(table), trouble);
    }
    await(admin.deleteTableAsync(table), trouble);
  }

  private static void await(Future<Void> done, String orElse) throws IOException {
    try {
      done.get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException(orElse + " within " + WAIT_SECONDS_MAX + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(orElse + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(orElse);
    }
  }
}
