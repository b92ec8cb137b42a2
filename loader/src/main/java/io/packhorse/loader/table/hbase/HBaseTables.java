package io.packhorse.loader.table.hbase;

import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Brings the tables of a cluster to their specs without touching what is there.
 *
 * <p>Safe for use by several threads and processes at once: losing a race to create counts as
 * found. Uses the caller's connection and does not close it.
 */
public final class HBaseTables {
  /** Named, not imported: the class lives on the servers. */
  private static final String NO_SPLITS =
      "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";

  private final Connection connection;

  public HBaseTables(Connection connection) {
    this.connection = connection;
  }

  /**
   * Creates missing tables, and adds missing families to existing ones while they stay online.
   *
   * @return what was done, one sentence each; empty if nothing was missing
   */
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
          admin.addColumnFamily(table, describe(family));
          done.add("added family " + family.name() + " to table " + spec.name());
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

  private static List<FamilySpec> missing(TableDescriptor found, TableSpec spec) {
    return spec.families().stream()
        .filter(family -> !found.hasColumnFamily(Bytes.toBytes(family.name())))
        .toList();
  }

  static TableDescriptor describe(TableSpec spec) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name(spec.name()));
    spec.families().forEach(family -> table.setColumnFamily(describe(family)));
    if (!spec.regionSplits()) {
      table.setRegionSplitPolicyClassName(NO_SPLITS);
    }
    return table.build();
  }

  private static ColumnFamilyDescriptor describe(FamilySpec family) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family.name()))
        .setMaxVersions(FamilySpec.VERSIONS)
        .setBloomFilterType(BloomType.ROW)
        .setDataBlockEncoding(DataBlockEncoding.NONE)
        .setCompressionType(Compression.Algorithm.NONE)
        .build();
  }

  /** Names of the tables outside HBase's own namespace, rising. */
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
