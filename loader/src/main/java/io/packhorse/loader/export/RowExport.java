package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.read.RowPoints;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns rows into points of named series: the columns of a row are merged as a TSD merges them for
 * a query. What cannot be read is left out, counted and listed. One thread.
 */
public final class RowExport implements RowSource.Visitor {
  /** Rows whose names are looked up together: so many, or of so many bytes. */
  private static final int ROWS_A_BATCH = 512;

  private static final int BYTES_A_BATCH = 4 << 20;

  /** Objects and arrays around the bytes of a column. */
  private static final int COLUMN_BYTES = 100;

  private final RowKeyLayout layout;
  private final ExportPart part;
  private final ExportCounts counts;
  private final long fromMs;
  private final long toMs;
  private final SeriesNames names;
  private final RowPoints decoder = new RowPoints();
  private final List<Row> batch = new ArrayList<>();
  private long batchBytes;

  private record Row(StoredRow stored, Tsuid series, long baseSeconds) {}

  /**
   * @param names may be used by others in the same thread
   * @param fromMs first time wanted
   * @param toMs time after the last
   */
  public RowExport(
      RowKeyLayout layout,
      SeriesNames names,
      long fromMs,
      long toMs,
      ExportPart part,
      ExportCounts counts) {
    this.layout = layout;
    this.names = names;
    this.fromMs = fromMs;
    this.toMs = toMs;
    this.part = part;
    this.counts = counts;
  }

  @Override
  public void row(StoredRow row) throws IOException {
    boolean points = false;
    for (StoredColumn column : row.columns()) {
      if (column.holdsPoints()) {
        points = true;
      } else {
        counts.leftOut(column.kind());
      }
      batchBytes += column.value().length + column.qualifier().length + COLUMN_BYTES;
    }
    if (!points) {
      return;
    }
    try {
      batch.add(new Row(row, layout.tsuid(row.rowKey()), layout.baseTimeSeconds(row.rowKey())));
    } catch (MalformedCellException e) {
      counts.broken(BrokenColumn.of(row, String.valueOf(e.getMessage())));
    }
    if (batch.size() >= ROWS_A_BATCH || batchBytes >= BYTES_A_BATCH) {
      exportBatch();
    }
  }

  /** Exports the rows that are left; the caller completes the part. */
  public void finish() throws IOException {
    exportBatch();
  }

  private void exportBatch() throws IOException {
    names.prepare(batch.stream().map(Row::series).toList());
    for (Row row : batch) {
      try {
        export(row);
      } catch (SeriesNames.NoNameException
          | UnwritableException
          | MalformedCellException unreadable) {
        counts.broken(BrokenColumn.of(row.stored(), String.valueOf(unreadable.getMessage())));
      }
    }
    batch.clear();
    batchBytes = 0;
  }

  private void export(Row row)
      throws IOException, SeriesNames.NoNameException, UnwritableException, MalformedCellException {
    SeriesName series = names.of(row.series());
    List<BrokenColumn> broken = new ArrayList<>(0);
    PointBlock points =
        decoder.of(
            row.stored(),
            (column, reason) -> broken.add(BrokenColumn.of(row.stored(), column, reason)));
    for (BrokenColumn each : broken) {
      counts.broken(each);
    }
    long baseMs = row.baseSeconds() * 1000;
    int from = indexOf(points, fromMs - baseMs);
    int to = indexOf(points, toMs - baseMs);
    if (from < to) {
      part.take(series, row.baseSeconds(), points, from, to);
      counts.exported(to - from, decoder.replaced());
    }
  }

  /** Index of the first point at an offset or after it. */
  private static int indexOf(PointBlock points, long offsetMs) {
    if (offsetMs <= 0) {
      return 0;
    }
    if (offsetMs >= PointBlock.HOUR_MS) {
      return points.count();
    }
    int found = Arrays.binarySearch(points.offsetsMs(), 0, points.count(), (int) offsetMs);
    return found < 0 ? -found - 1 : found;
  }
}
