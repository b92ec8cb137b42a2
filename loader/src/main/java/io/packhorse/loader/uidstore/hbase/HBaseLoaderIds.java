package io.packhorse.loader.uidstore.hbase;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Issues loader ids from an atomic counter in Packhorse's own table; the server's time of the
 * increment is the timestamp of the loader's cells. Any number of threads.
 */
public final class HBaseLoaderIds implements LoaderIds {
  private static final byte[] FAMILY = StoreTables.JOB_FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ROW = "loader-id".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] QUALIFIER = "last".getBytes(StandardCharsets.US_ASCII);

  private static final TableName TABLE = TableName.valueOf(StoreTables.JOBS);

  private final Connection connection;

  /**
   * @param connection stays the caller's
   */
  public HBaseLoaderIds(Connection connection) {
    this.connection = connection;
  }

  @Override
  public LoaderId next() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      Result result = table.increment(new Increment(ROW).addColumn(FAMILY, QUALIFIER, 1));
      Cell cell = result.getColumnLatestCell(FAMILY, QUALIFIER);
      if (cell == null) {
        throw new IOException("the loader id counter gave no answer: table=" + TABLE);
      }
      long id = Bytes.toLong(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
      if (id < 1 || id > PackedQualifier.MAX_LOADER_ID) {
        throw new IOException(
            "no loader id left: last="
                + id
                + ", max="
                + PackedQualifier.MAX_LOADER_ID
                + ", table="
                + TABLE);
      }
      return new LoaderId((int) id, cell.getTimestamp());
    }
  }

  /** Timestamp of the last id issued, milliseconds since 1970; empty if none was. */
  public OptionalLong lastStampMs() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      Cell cell =
          table
              .get(new Get(ROW).addColumn(FAMILY, QUALIFIER))
              .getColumnLatestCell(FAMILY, QUALIFIER);
      return cell == null ? OptionalLong.empty() : OptionalLong.of(cell.getTimestamp());
    }
  }
}
