package io.packhorse.loader.table.hbase;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.ServerOptions;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.TableSpec;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.junit.jupiter.api.Test;

final class HBaseTablesIT {
  @Test
  void makesTheStoresTablesAsSpecified() throws Exception {
    try (Cluster cluster = Cluster.connect(EmbeddedStoreFixture.shared().zookeeperQuorum(), null);
        Admin admin = cluster.connection().getAdmin()) {
      HBaseTables tables = new HBaseTables(cluster.connection());
      assertTrue(
          tables
              .names()
              .containsAll(List.of("packhorse", "tsdb", "tsdb-meta", "tsdb-tree", "tsdb-uid")));
      assertEquals(List.of(), tables.createMissing(ServerOptions.tables()));

      List<byte[]> starts =
          tables.regions("tsdb").stream().map(r -> r.getRegion().getStartKey()).toList();
      assertEquals(4, starts.size());
      assertArrayEquals(new byte[0], starts.get(0));
      assertArrayEquals(new byte[] {3}, starts.get(3));

      TableDescriptor data = admin.getDescriptor(TableName.valueOf("tsdb"));
      assertTrue(
          String.valueOf(data.getRegionSplitPolicyClassName())
              .endsWith("DisabledRegionSplitPolicy"));
      assertEquals(2, data.getColumnFamilyCount());
      for (ColumnFamilyDescriptor family : data.getColumnFamilies()) {
        assertEquals(1, family.getMaxVersions());
        assertEquals(BloomType.ROW, family.getBloomFilterType());
        boolean packed = family.getNameAsString().equals("p");
        assertEquals(
            packed ? Compression.Algorithm.ZSTD : Compression.Algorithm.NONE,
            family.getCompressionType());
        assertEquals(
            packed ? DataBlockEncoding.FAST_DIFF : DataBlockEncoding.NONE,
            family.getDataBlockEncoding());
      }
    }
  }

  @Test
  void addsAMissingFamilyToATableThatHoldsData() throws Exception {
    byte[] row = {7};
    byte[] old = {'t'};
    byte[] added = {'p'};
    try (Cluster cluster = Cluster.connect(EmbeddedStoreFixture.shared().zookeeperQuorum(), null)) {
      HBaseTables tables = new HBaseTables(cluster.connection());
      assertEquals(List.of("created table older"), tables.createMissing(List.of(older("t"))));
      try (Table table = cluster.connection().getTable(TableName.valueOf("older"))) {
        table.put(new Put(row).addColumn(old, row, row));
        assertEquals(
            List.of("added family p to table older"),
            tables.createMissing(List.of(older("t", "p"))));
        table.put(new Put(row).addColumn(added, row, row));
        assertEquals(2, table.get(new Get(row)).size());
      }
    }
  }

  private static TableSpec older(String... families) {
    return new TableSpec(
        "older", List.of(families).stream().map(FamilySpec::new).toList(), List.of(), true, false);
  }
}
