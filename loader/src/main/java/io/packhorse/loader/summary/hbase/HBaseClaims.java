package io.packhorse.loader.summary.hbase;

import io.packhorse.loader.summary.ClaimStore;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import io.packhorse.schema.summary.SummaryTable;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What the summary table of a data table answers for: its mark, and claims. All are in one row of
 * our own table, which readers get in one piece. Protocol: {@code docs/format.md}, section 17. Any
 * number of threads.
 */
public final class HBaseClaims implements ClaimStore {
  private static final byte[] FAMILY = Bytes.toBytes(StoreTables.JOB_FAMILY);
  private static final byte[] WHOLE = Bytes.toBytes(SummaryTable.WHOLE);
  private static final byte[] YES = {1};

  private final Connection connection;
  private final byte[] row;

  /**
   * @param connection stays the caller's
   */
  public HBaseClaims(Connection connection, String dataTable) {
    this.connection = connection;
    this.row = SeriesIndexRow.whole(dataTable);
  }

  /**
   * Everything that one Get returns.
   *
   * @param whole whether the mark is set
   */
  public record Content(boolean whole, List<StoredClaim> claims) {}

  @Override
  public boolean put(int loaderId, SummaryClaim claim) throws IOException {
    byte[] column = SummaryTable.claim(loaderId);
    put(column, claim);
    return read().claims().stream().anyMatch(StoredClaim::isOfBuilder);
  }

  /**
   * Stores a claim of no loader.
   *
   * @param number a random one
   */
  public void putOther(long number, SummaryClaim claim) throws IOException {
    put(SummaryTable.otherClaim(number), claim);
  }

  private void put(byte[] column, SummaryClaim claim) throws IOException {
    byte[] value = claim.encode();
    try (Table table = table()) {
      table.put(new Put(row).addColumn(FAMILY, column, value));
      byte[] stored = table.get(new Get(row).addColumn(FAMILY, column)).getValue(FAMILY, column);
      if (!Arrays.equals(value, stored)) {
        // Written by a server whose clock is behind that of the one before: an older cell wins.
        throw new IOException(
            "a claim of summaries is hidden by an older one, because the clocks of the region"
                + " servers differ: table="
                + StoreTables.JOBS
                + ", column="
                + Bytes.toStringBinary(column)
                + "; set the clocks and try again");
      }
    }
  }

  /** Removes the claim of a loader. */
  public void remove(int loaderId) throws IOException {
    try (Table table = table()) {
      table.delete(new Delete(row).addColumns(FAMILY, SummaryTable.claim(loaderId)));
    }
  }

  /** Removes a claim as it was read; one stored since stays. */
  public void remove(StoredClaim claim) throws IOException {
    try (Table table = table()) {
      table.delete(new Delete(row).addColumns(FAMILY, claim.column(), claim.stampMs()));
    }
  }

  /** Removes a claim of no loader. */
  public void removeOther(long number) throws IOException {
    try (Table table = table()) {
      table.delete(new Delete(row).addColumns(FAMILY, SummaryTable.otherClaim(number)));
    }
  }

  /** Sets the mark: every packed cell that no claim covers is summed up. */
  public void setWhole() throws IOException {
    try (Table table = table()) {
      table.put(new Put(row).addColumn(FAMILY, WHOLE, YES));
    }
  }

  /** Removes the mark: readers do not use the summaries any more. */
  public void removeWhole() throws IOException {
    try (Table table = table()) {
      table.delete(new Delete(row).addColumns(FAMILY, WHOLE));
    }
  }

  /** Reads the mark and all claims. */
  public Content read() throws IOException {
    try (Table table = table()) {
      Result found = table.get(new Get(row).addFamily(FAMILY));
      List<StoredClaim> claims = new ArrayList<>();
      if (!found.isEmpty()) {
        for (Cell cell : found.rawCells()) {
          byte[] column = CellUtil.cloneQualifier(cell);
          if (SummaryTable.isClaim(column)) {
            claims.add(claim(column, cell));
          }
        }
      }
      return new Content(found.containsColumn(FAMILY, WHOLE), claims);
    }
  }

  private static StoredClaim claim(byte[] column, Cell cell) {
    SummaryClaim claim;
    boolean readable = true;
    try {
      claim = SummaryClaim.decode(CellUtil.cloneValue(cell));
    } catch (MalformedCellException e) {
      claim = SummaryClaim.ofAll(Reason.NOT_SUMMARISED);
      readable = false;
    }
    return new StoredClaim(
        column, SummaryTable.loaderOf(column), claim, readable, cell.getTimestamp());
  }

  private Table table() throws IOException {
    return connection.getTable(TableName.valueOf(StoreTables.JOBS));
  }
}
