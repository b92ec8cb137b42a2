package io.packhorse.loader.summary.hbase;

import io.packhorse.loader.hbase.PatientScan;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.uid.UidRows;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Finds what there is to sum up: a unit is the packed cells of a metric, year and salt bucket,
 * which lie beside each other; between units is a gap without packed cells. In row order, together
 * they are the whole range. One thread.
 */
final class SummaryUnits {
  private static final byte[] FAMILY = Bytes.toBytes(PackedQualifier.FAMILY);

  private final Connection connection;
  private final TableName dataTable;
  private final RowKeyLayout layout;

  /** A unit. */
  record Unit(int bucket, long metric, long yearSeconds) {
    long endSeconds() {
      return SummaryRange.endOfYear(yearSeconds);
    }
  }

  /** What is done with them. */
  interface Work {
    /** The rows of a unit, of the data table and the summary table. */
    void unit(Unit unit) throws IOException;

    /**
     * Rows, of both tables, without a packed cell.
     *
     * @param stop exclusive, empty for the end of the table
     */
    void gap(byte[] start, byte[] stop) throws IOException;
  }

  SummaryUnits(Connection connection, String dataTable, RowKeyLayout layout) {
    this.connection = connection;
    this.dataTable = TableName.valueOf(dataTable);
    this.layout = layout;
  }

  void visit(SummaryRange range, Work work) throws IOException {
    int width = layout.widths().metric();
    for (int bucket = 0; bucket < layout.salt().buckets(); bucket++) {
      if (range.metrics().isEmpty()) {
        visitAll(bucket, range, work);
      }
      List<byte[]> metrics = range.metrics().stream().sorted(Arrays::compareUnsigned).toList();
      for (byte[] metric : metrics) {
        visit(bucket, decode(metric, width), range, work);
      }
    }
  }

  private void visitAll(int bucket, SummaryRange range, Work work) throws IOException {
    long last = UidRows.maxUid(layout.widths().metric());
    byte[] end = layout.scanStop(bucket, last, RowKeyLayout.END_OF_TIME);
    long metric = 1;
    while (metric <= last) {
      byte[] start = layout.scanStart(bucket, metric, 0);
      byte[] first = firstRow(start, end);
      if (first == null) {
        work.gap(start, end);
        return;
      }
      long found = metric(first);
      if (found > metric) {
        work.gap(start, layout.scanStart(bucket, found, 0));
      }
      visit(bucket, found, range, work);
      metric = found + 1;
    }
  }

  private void visit(int bucket, long metric, SummaryRange range, Work work) throws IOException {
    byte[] end = layout.scanStop(bucket, metric, range.toSeconds());
    long year = range.fromSeconds();
    while (year < range.toSeconds()) {
      byte[] start = layout.scanStart(bucket, metric, year);
      byte[] first = firstRow(start, end);
      if (first == null) {
        work.gap(start, end);
        return;
      }
      long found = SummaryLevel.MONTH.row(hourSeconds(first));
      if (found > year) {
        work.gap(start, layout.scanStart(bucket, metric, found));
      }
      Unit unit = new Unit(bucket, metric, found);
      work.unit(unit);
      year = unit.endSeconds();
    }
  }

  /** The first row with a packed cell, if there is one. */
  private byte @Nullable [] firstRow(byte[] start, byte[] stop) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(start)
            .withStopRow(stop)
            .addFamily(FAMILY)
            .setFilter(new FirstKeyOnlyFilter())
            .setLimit(1)
            .setOneRowLimit();
    try (Table data = connection.getTable(dataTable);
        PatientScan rows = new PatientScan(data, scan)) {
      Result row = rows.next();
      return row == null ? null : row.getRow();
    }
  }

  private long metric(byte[] row) throws IOException {
    try {
      return decode(
          SeriesIndexRow.metric(layout.widths(), layout.tsuid(row)), layout.widths().metric());
    } catch (MalformedCellException e) {
      throw damaged(row, e);
    }
  }

  private static long decode(byte[] metric, int width) throws IOException {
    try {
      return UidRows.decode(metric, width);
    } catch (MalformedCellException e) {
      throw new IOException("a metric does not have the UID width of this store", e);
    }
  }

  private long hourSeconds(byte[] row) throws IOException {
    try {
      return layout.baseTimeSeconds(row);
    } catch (MalformedCellException e) {
      throw damaged(row, e);
    }
  }

  static IOException damaged(byte[] row, MalformedCellException e) {
    return new IOException(
        "row " + Bytes.toStringBinary(row) + " cannot be summed up: " + e.getMessage(), e);
  }
}
