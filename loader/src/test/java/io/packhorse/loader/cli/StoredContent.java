package io.packhorse.loader.cli;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What the tables of a store hold, for comparison: a checksum of all cells of each metric, the
 * names with their UIDs, and a checksum of each of the other tables.
 *
 * @param metrics by UID in hexadecimal
 * @param names by kind and name, the UID in hexadecimal
 * @param others by table
 */
record StoredContent(
    Map<String, Long> metrics, Map<String, String> names, Map<String, Long> others) {
  /** OpenTSDB's salt and metric at the beginning of a row key. */
  private static final int SALT_BYTES = 1;

  private static final int UID_BYTES = 3;

  static StoredContent read(Cluster cluster) throws IOException {
    Map<String, Long> metrics = new TreeMap<>();
    for (Cell cell : cells(cluster, StoreTables.DATA)) {
      byte[] row = CellUtil.cloneRow(cell);
      String metric =
          Bytes.toHex(
              Arrays.copyOfRange(row, SALT_BYTES, Math.min(row.length, SALT_BYTES + UID_BYTES)));
      metrics.merge(metric, checksum(cell), Long::sum);
    }
    Map<String, String> names = new HashMap<>();
    for (Cell cell : cells(cluster, StoreTables.UID)) {
      byte[] row = CellUtil.cloneRow(cell);
      // The row of a single zero byte holds the counters of UIDs.
      if (!Arrays.equals(row, new byte[1])) {
        boolean toUid = Bytes.toString(CellUtil.cloneFamily(cell)).equals("id");
        String kind = Bytes.toString(CellUtil.cloneQualifier(cell));
        byte[] value = CellUtil.cloneValue(cell);
        names.put(
            kind + (toUid ? " name " : " uid ") + (toUid ? Bytes.toString(row) : Bytes.toHex(row)),
            toUid ? Bytes.toHex(value) : Bytes.toString(value));
      }
    }
    Map<String, Long> others = new TreeMap<>();
    for (String table : List.of(StoreTables.META, StoreTables.TREE)) {
      long sum = 0;
      for (Cell cell : cells(cluster, table)) {
        sum += checksum(cell);
      }
      others.put(table, sum);
    }
    return new StoredContent(metrics, names, others);
  }

  /**
   * What differs in a later content, but for new names that begin with {@code own} and the points
   * of such metrics.
   */
  Set<String> changes(StoredContent later, String own) {
    Set<String> changes = new TreeSet<>();
    later.names.forEach(
        (key, value) -> {
          String was = names.get(key);
          String name = key.contains(" name ") ? key.substring(key.indexOf(" name ") + 6) : value;
          if (was == null ? !name.startsWith(own) : !was.equals(value)) {
            changes.add(key + " = " + value + ", before " + was);
          }
        });
    names.keySet().stream()
        .filter(key -> !later.names.containsKey(key))
        .forEach(key -> changes.add(key + " is gone"));
    Set<String> all = new TreeSet<>(metrics.keySet());
    all.addAll(later.metrics.keySet());
    for (String uid : all) {
      String name = later.names.getOrDefault("metrics uid " + uid, "no name");
      if (!name.startsWith(own) && !later.metrics.getOrDefault(uid, 0L).equals(metrics.get(uid))) {
        changes.add("cells of " + uid + " (" + name + ")");
      }
    }
    others.forEach(
        (table, sum) -> {
          if (!sum.equals(later.others.get(table))) {
            changes.add("cells of table " + table);
          }
        });
    return changes;
  }

  private static long checksum(Cell cell) {
    long sum = 1;
    sum = sum * 1_000_003 + Arrays.hashCode(CellUtil.cloneRow(cell));
    sum = sum * 1_000_003 + Arrays.hashCode(CellUtil.cloneFamily(cell));
    sum = sum * 1_000_003 + Arrays.hashCode(CellUtil.cloneQualifier(cell));
    sum = sum * 1_000_003 + cell.getTimestamp();
    return sum * 1_000_003 + Arrays.hashCode(CellUtil.cloneValue(cell));
  }

  private static Iterable<Cell> cells(Cluster cluster, String name) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table table = cluster.connection().getTable(TableName.valueOf(name));
        ResultScanner rows = table.getScanner(new Scan())) {
      for (Result row : rows) {
        cells.addAll(List.of(row.rawCells()));
      }
    }
    return cells;
  }
}
