package io.packhorse.loader.table.hbase;

import io.packhorse.loader.hbase.PatientCall;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads a sample of stored keys, to check with which layout the tables were written. One thread.
 */
public final class StoredKeys {
  private static final int REGIONS_MAX = 16;
  private static final int ROWS_OF_A_REGION = 8;

  private final Connection connection;

  public StoredKeys(Connection connection) {
    this.connection = connection;
  }

  /** The first row keys of some regions, spread over the table. */
  public List<byte[]> rowKeys(String table) throws IOException {
    List<byte[]> keys = new ArrayList<>();
    List<HRegionLocation> regions = new HBaseTables(connection).regions(table);
    int step = Math.max(1, regions.size() / REGIONS_MAX);
    try (Table data = connection.getTable(TableName.valueOf(table))) {
      for (int i = 0; i < regions.size(); i += step) {
        byte[] end = regions.get(i).getRegion().getEndKey();
        Scan scan =
            new Scan()
                .withStartRow(regions.get(i).getRegion().getStartKey())
                .withStopRow(end)
                .setLimit(ROWS_OF_A_REGION)
                .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
        keys.addAll(PatientCall.of(() -> rowKeys(data, scan)));
      }
    }
    return keys;
  }

  private static List<byte[]> rowKeys(Table data, Scan scan) throws IOException {
    List<byte[]> keys = new ArrayList<>();
    try (ResultScanner rows = data.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        keys.add(row.getRow());
      }
    }
    return keys;
  }

  /** Width in bytes of the first UID of each kind that has one. */
  public Map<UidKind, Integer> uidWidths(String uidTable) throws IOException {
    Map<UidKind, Integer> widths = new EnumMap<>(UidKind.class);
    try (Table uids = connection.getTable(TableName.valueOf(uidTable))) {
      for (UidKind kind : UidKind.values()) {
        Scan scan =
            new Scan()
                // After the row of the counters, whose values are not UIDs.
                .withStartRow(Arrays.copyOf(UidRows.counterRow(), 2))
                .addColumn(Bytes.toBytes(UidRows.ID_FAMILY), kind.qualifierBytes())
                .setLimit(1);
        try (ResultScanner rows = uids.getScanner(scan)) {
          Result first = rows.next();
          if (first != null) {
            widths.put(kind, first.value().length);
          }
        }
      }
    }
    return widths;
  }
}
