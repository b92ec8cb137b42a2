package io.packhorse.loader.table.hbase;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.packhorse.loader.hbase.Bigtable;
import io.packhorse.loader.table.FoundFamily;
import io.packhorse.loader.table.FoundServer;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.RegionLoad;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Creates missing tables and families, and inspects existing ones; existing ones are not changed.
 *
 * <p>Any number of threads and processes: what another one creates meanwhile counts as existing.
 * The connection stays the caller's.
 */
public final class HBaseTables {
  /** Names, not imports: these classes are needed on the servers only. */
  private static final String NO_SPLITS =
      "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";

  private static final String MULTI_ROW_PUTS =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

  private final Connection connection;

  public HBaseTables(Connection connection) {
    this.connection = connection;
  }

  /**
   * Creates missing tables, and adds missing families to existing tables, which stay online.
   *
   * @return what was created, one sentence each; empty if nothing was missing
   */
  @CanIgnoreReturnValue
  public List<String> createMissing(List<TableSpec> specs) throws IOException {
    List<String> done = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableSpec spec : specs) {
        TableName table = name(spec.name());
        if (!admin.tableExists(table) && create(admin, spec)) {
          done.add("created table " + spec.name());
          continue;
        }
        for (FamilySpec family : missing(admin.getDescriptor(table), spec)) {
          if (add(admin, table, family)) {
            done.add("added family " + family.name() + " to table " + spec.name());
          }
        }
      }
    }
    return done;
  }

  private static boolean create(Admin admin, TableSpec spec) throws IOException {
    try {
      byte[][] splitPoints = spec.splitPoints().toArray(new byte[0][]);
      if (splitPoints.length == 0) {
        admin.createTable(describe(spec));
      } else {
        admin.createTable(describe(spec), splitPoints);
      }
      return true;
    } catch (TableExistsException createdMeanwhile) {
      return false;
    }
  }

  private static boolean add(Admin admin, TableName table, FamilySpec family) throws IOException {
    try {
      admin.addColumnFamily(table, describe(family));
      return true;
    } catch (DoNotRetryIOException e) {
      // Perhaps another process has added the family, or is changing the table.
      if (isMissing(admin.getDescriptor(table), family)) {
        throw e;
      }
      return false;
    }
  }

  private static List<FamilySpec> missing(TableDescriptor found, TableSpec spec) {
    return spec.families().stream().filter(family -> isMissing(found, family)).toList();
  }

  private static boolean isMissing(TableDescriptor found, FamilySpec family) {
    return !found.hasColumnFamily(Bytes.toBytes(family.name()));
  }

  static TableDescriptor describe(TableSpec spec) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name(spec.name()));
    spec.families().forEach(family -> table.setColumnFamily(describe(family)));
    if (!spec.regionSplits()) {
      table.setRegionSplitPolicyClassName(NO_SPLITS);
    }
    if (spec.multiRowPuts()) {
      table.setCoprocessor(MULTI_ROW_PUTS);
    }
    return table.build();
  }

  private static ColumnFamilyDescriptor describe(FamilySpec family) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family.name()))
        .setMaxVersions(FamilySpec.VERSIONS)
        .setBloomFilterType(BloomType.ROW)
        .setDataBlockEncoding(DataBlockEncoding.valueOf(family.encoding()))
        .setCompressionType(Compression.Algorithm.valueOf(family.compression()))
        .build();
  }

  /** Names of all tables, in rising order, without those of HBase's own namespace. */
  public List<String> names() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.listTableDescriptors().stream()
          .map(TableDescriptor::getTableName)
          .filter(
              t -> !t.getNamespaceAsString().equals(NamespaceDescriptor.SYSTEM_NAMESPACE_NAME_STR))
          .map(TableName::getNameAsString)
          .sorted()
          .toList();
    }
  }

  /** A table, if it exists. */
  public Optional<FoundTable> find(String table) throws IOException {
    TableName name = name(table);
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        return Optional.empty();
      }
      TableDescriptor descriptor = admin.getDescriptor(name);
      List<byte[]> startKeys = new ArrayList<>();
      SortedSet<String> servers = new TreeSet<>();
      for (HRegionLocation region : regions(table)) {
        startKeys.add(region.getRegion().getStartKey());
        if (region.getServerName() != null) {
          servers.add(region.getServerName().getAddress().toString());
        }
      }
      return Optional.of(
          new FoundTable(
              table,
              Stream.of(descriptor.getColumnFamilies()).map(HBaseTables::found).toList(),
              regions(descriptor),
              startKeys,
              servers,
              Bigtable.is(connection)
                  ? OptionalLong.empty()
                  : OptionalLong.of(bytes(admin, name))));
    }
  }

  private FoundTable.Regions regions(TableDescriptor table) {
    if (Bigtable.is(connection)) {
      return FoundTable.Regions.BY_STORE;
    }
    return table.isSplitEnabled() && !NO_SPLITS.equals(table.getRegionSplitPolicyClassName())
        ? FoundTable.Regions.SPLIT_BY_SIZE
        : FoundTable.Regions.FIXED;
  }

  private static long bytes(Admin admin, TableName table) throws IOException {
    long bytes = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
        bytes += (long) region.getStoreFileSize().get(Size.Unit.BYTE);
      }
    }
    return bytes;
  }

  /**
   * What each region of a table has done, as its server knows it now.
   *
   * @throws IOException if HBase does not answer, or is Bigtable, which tells nothing of this
   */
  public List<RegionLoad> load(String table) throws IOException {
    if (Bigtable.is(connection)) {
      throw new IOException("Bigtable tells nothing of its regions");
    }
    List<RegionLoad> load = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, name(table))) {
          load.add(
              new RegionLoad(
                  server.getAddress().toString(),
                  RegionInfo.encodeRegionName(region.getRegionName()),
                  region.getReadRequestCount(),
                  region.getWriteRequestCount(),
                  (long) region.getMemStoreSize().get(Size.Unit.BYTE),
                  region.getStoreFileCount(),
                  (long) region.getStoreFileSize().get(Size.Unit.BYTE)));
        }
      }
    }
    return load;
  }

  private static FoundFamily found(ColumnFamilyDescriptor family) {
    return new FoundFamily(
        family.getNameAsString(),
        family.getCompressionType().name(),
        family.getDataBlockEncoding().name(),
        family.getBloomFilterType().name(),
        family.getMaxVersions(),
        family.getTimeToLive());
  }

  /** The live region servers. */
  public List<FoundServer> servers() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      long asked = System.currentTimeMillis();
      return admin
          .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
          .getLiveServerMetrics()
          .values()
          .stream()
          .map(
              server ->
                  new FoundServer(
                      server.getServerName().getAddress().toString(),
                      server.getReportTimestamp(),
                      asked,
                      server.getInfoServerPort()))
          .toList();
    }
  }

  /** HBase's version. */
  public String version() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return String.valueOf(
          admin
              .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION))
              .getHBaseVersion());
    }
  }

  /** Writes what a table holds in memory to its files. */
  public void flush(String table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(name(table));
    }
  }

  /** A table's regions in key order. */
  public List<HRegionLocation> regions(String table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name(table))) {
      return locator.getAllRegionLocations();
    }
  }

  private static TableName name(String table) {
    return TableName.valueOf(table);
  }
}
