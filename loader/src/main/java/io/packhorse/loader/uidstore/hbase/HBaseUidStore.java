package io.packhorse.loader.uidstore.hbase;

import io.packhorse.loader.resolve.UidStore;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * OpenTSDB's UID table. A new name takes the next number of its kind's counter, then the reverse
 * row (UID to name) and the forward row (name to UID), each only if it is empty: a crash in between
 * leaves an unused UID, never a name whose UID has no name.
 */
public final class HBaseUidStore implements UidStore {
  private static final byte[] ID = UidRows.ID_FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NAME = UidRows.NAME_FAMILY.getBytes(StandardCharsets.US_ASCII);

  private final Connection connection;
  private final TableName tableName;
  private final UidWidths widths;

  /**
   * @param table name of the UID table, {@code tsdb-uid} by default
   */
  public HBaseUidStore(Connection connection, String table, UidWidths widths) {
    this.connection = connection;
    this.tableName = TableName.valueOf(table);
    this.widths = widths;
  }

  @Override
  public OptionalLong find(UidKind kind, String name) throws IOException {
    byte[] qualifier = kind.qualifierBytes();
    try (Table table = connection.getTable(tableName)) {
      byte[] uid =
          table
              .get(new Get(UidRows.nameBytes(name)).addColumn(ID, qualifier))
              .getValue(ID, qualifier);
      return uid == null
          ? OptionalLong.empty()
          : OptionalLong.of(UidRows.decode(uid, widths.of(kind)));
    } catch (MalformedCellException e) {
      throw new IOException(
          "UID of "
              + kind.qualifier()
              + " '"
              + name
              + "' does not fit the UID widths of this load, take them from the TSD's configuration: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public long findOrAssign(UidKind kind, String name) throws IOException {
    OptionalLong found = find(kind, name);
    return found.isPresent() ? found.getAsLong() : assign(kind, name);
  }

  private long assign(UidKind kind, String name) throws IOException {
    byte[] qualifier = kind.qualifierBytes();
    byte[] nameBytes = UidRows.nameBytes(name);
    int width = widths.of(kind);
    try (Table table = connection.getTable(tableName)) {
      while (true) {
        long uid = table.incrementColumnValue(UidRows.counterRow(), ID, qualifier, 1);
        if (uid > UidRows.maxUid(width)) {
          throw new IOException(
              "no UID left for "
                  + kind.qualifier()
                  + ": all "
                  + UidRows.maxUid(width)
                  + " are used");
        }
        byte[] uidBytes = UidRows.encode(uid, width);
        if (!putIfAbsent(table, uidBytes, NAME, qualifier, nameBytes)) {
          // Taken outside the counter, by a TSD that draws random UIDs: take the next.
          continue;
        }
        if (putIfAbsent(table, nameBytes, ID, qualifier, uidBytes)) {
          return uid;
        }
        OptionalLong winner = find(kind, name);
        if (winner.isPresent()) {
          // Somebody else assigned the name meanwhile; our UID stays unused.
          return winner.getAsLong();
        }
      }
    }
  }

  private static boolean putIfAbsent(
      Table table, byte[] row, byte[] family, byte[] qualifier, byte[] value) throws IOException {
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(row)
                .ifNotExists(family, qualifier)
                .build(new Put(row).addColumn(family, qualifier, value)))
        .isSuccess();
  }
}
