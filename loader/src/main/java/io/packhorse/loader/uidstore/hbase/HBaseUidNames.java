package io.packhorse.loader.uidstore.hbase;

import io.packhorse.loader.resolve.UidNames;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** The way from UIDs to names in OpenTSDB's UID table. Any number of threads. */
public final class HBaseUidNames implements UidNames {
  private static final byte[] NAME = UidRows.NAME_FAMILY.getBytes(StandardCharsets.US_ASCII);

  private final Connection connection;
  private final TableName tableName;
  private final UidWidths widths;

  /**
   * @param connection stays the caller's
   * @param table name of the UID table
   */
  public HBaseUidNames(Connection connection, String table, UidWidths widths) {
    this.connection = connection;
    this.tableName = TableName.valueOf(table);
    this.widths = widths;
  }

  @Override
  public Map<Long, String> names(UidKind kind, Collection<Long> uids) throws IOException {
    byte[] column = kind.qualifierBytes();
    List<Get> gets = new ArrayList<>(uids.size());
    for (long uid : uids) {
      // On eight bytes a damaged row key may hold a number that is no UID.
      if (uid > 0) {
        gets.add(new Get(UidRows.encode(uid, widths.of(kind))).addColumn(NAME, column));
      }
    }
    Map<Long, String> names = new HashMap<>();
    try (Table table = connection.getTable(tableName)) {
      for (Result row : table.get(gets)) {
        put(kind, row, names);
      }
    }
    return names;
  }

  @Override
  public Map<Long, String> all(UidKind kind) throws IOException {
    Scan scan = new Scan().addColumn(NAME, kind.qualifierBytes()).setCacheBlocks(false);
    Map<Long, String> names = new HashMap<>();
    try (Table table = connection.getTable(tableName);
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        put(kind, row, names);
      }
    }
    return names;
  }

  private void put(UidKind kind, Result row, Map<Long, String> names) throws IOException {
    byte[] name = row.isEmpty() ? null : row.getValue(NAME, kind.qualifierBytes());
    if (name == null) {
      return;
    }
    try {
      names.put(UidRows.decode(row.getRow(), widths.of(kind)), UidRows.name(name));
    } catch (MalformedCellException e) {
      throw new IOException(
          "the UID of " + kind.qualifier() + " '" + UidRows.name(name) + "' is no UID: " + e, e);
    }
  }
}
