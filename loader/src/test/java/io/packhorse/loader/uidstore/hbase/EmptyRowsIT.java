package io.packhorse.loader.uidstore.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.loader.uidstore.hbase.EmptyRows.EmptyCell;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many rows at once, against real tables. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class EmptyRowsIT {
  private static final byte[] FAMILY = Bytes.toBytes("id");
  private static final byte[] OTHER = Bytes.toBytes("name");
  private static final byte[] QUALIFIER = Bytes.toBytes("tagv");

  @Test
  void fillsAllOrNone() throws Exception {
    try (Cluster cluster = connect();
        Table table = table(cluster, "uid-together", List.of(), true)) {
      EmptyRows rows = new EmptyRows(cluster.connection());
      assertTrue(rows.fill(table, cells("one", "b", "a", "c")));
      assertEquals(List.of("one", "one", "one"), values(table, "a", "b", "c"));

      assertFalse(rows.fill(table, cells("two", "d", "c", "e")));
      assertEquals(List.of("", "one", ""), values(table, "d", "c", "e"));

      assertTrue(rows.fill(table, cells("three", "d", "e")));
      assertEquals(List.of("three", "three"), values(table, "d", "e"));
    }
  }

  /** Rows of a TSD: what is there of another kind or family is no hindrance, and stays. */
  @Test
  void ignoresOtherCellsOfARow() throws Exception {
    try (Cluster cluster = connect();
        Table table = table(cluster, "uid-shared", List.of(), true)) {
      byte[] row = Bytes.toBytes("host");
      table.put(
          new Put(row)
              .addColumn(OTHER, QUALIFIER, row)
              .addColumn(FAMILY, Bytes.toBytes("tagk"), row));
      assertTrue(new EmptyRows(cluster.connection()).fill(table, cells("one", "host")));
      assertEquals(3, table.get(new Get(row)).size());
      assertEquals(List.of("one"), values(table, "host"));
    }
  }

  @Test
  void writesNothingToATableWithoutTheEndpoint() throws Exception {
    try (Cluster cluster = connect();
        Table table = table(cluster, "uid-plain", List.of(), false)) {
      EmptyRows rows = new EmptyRows(cluster.connection());
      assertFalse(rows.fill(table, cells("one", "a", "b")));
      assertFalse(rows.fill(table, cells("one", "a", "b")));
      assertEquals(List.of("", ""), values(table, "a", "b"));
    }
  }

  @Test
  void writesNothingToRowsOfTwoRegions() throws Exception {
    try (Cluster cluster = connect();
        Table table = table(cluster, "uid-split", List.of(Bytes.toBytes("m")), true)) {
      EmptyRows rows = new EmptyRows(cluster.connection());
      assertTrue(rows.fill(table, cells("one", "x", "y")));
      assertFalse(rows.fill(table, cells("one", "a", "z")));
      assertEquals(List.of("one", "one", "", ""), values(table, "x", "y", "a", "z"));
    }
  }

  private static Cluster connect() throws Exception {
    return Cluster.connect(EmbeddedStoreFixture.shared().zookeeperQuorum(), null);
  }

  private static Table table(
      Cluster cluster, String name, List<byte[]> splitPoints, boolean multiRowPuts)
      throws IOException {
    TableSpec spec =
        new TableSpec(
            name,
            List.of(new FamilySpec("id"), new FamilySpec("name")),
            splitPoints,
            true,
            multiRowPuts);
    assertEquals(
        List.of("created table " + name),
        new HBaseTables(cluster.connection()).createMissing(List.of(spec)));
    return cluster.connection().getTable(TableName.valueOf(name));
  }

  private static List<EmptyCell> cells(String value, String... rows) {
    return Stream.of(rows)
        .map(row -> new EmptyCell(Bytes.toBytes(row), FAMILY, QUALIFIER, Bytes.toBytes(value)))
        .toList();
  }

  private static List<String> values(Table table, String... rows) throws IOException {
    List<Get> gets =
        Stream.of(rows)
            .map(row -> new Get(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER))
            .toList();
    return Stream.of(table.get(gets))
        .map(result -> result.isEmpty() ? "" : Bytes.toString(result.value()))
        .toList();
  }
}
