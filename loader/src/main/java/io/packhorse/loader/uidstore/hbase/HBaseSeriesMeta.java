package io.packhorse.loader.uidstore.hbase;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.schema.key.SeriesMetaRow;
import io.packhorse.schema.key.Tsuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes series to OpenTSDB's table {@code tsdb-meta}, so that its lookups find them. Nothing is
 * read first: entries that a TSD or a user has written win, because their timestamps are greater.
 * One thread.
 */
public final class HBaseSeriesMeta {
  private static final byte[] FAMILY = SeriesMetaRow.FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COUNTER = SeriesMetaRow.COUNTER.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OBJECT = SeriesMetaRow.OBJECT.getBytes(StandardCharsets.US_ASCII);

  private static final byte[] ONE = Bytes.toBytes(1L);
  private static final int CALL_ROWS = 4096;

  /**
   * An object's timestamp is this minus the seconds when it was made: below all real timestamps in
   * milliseconds, and greatest for the first object of a series.
   */
  private static final long OBJECTS_END_SECONDS = 1L << 32;

  private final Connection connection;
  private final TableName tableName;

  /**
   * @param connection stays the caller's
   * @param table name of the meta table, {@code tsdb-meta} by default
   */
  public HBaseSeriesMeta(Connection connection, String table) {
    this.connection = connection;
    this.tableName = TableName.valueOf(table);
  }

  /**
   * Writes series and the times of their last points; may be repeated.
   *
   * @param series number of series; their ids are from 0
   * @param lastMs time of the last point of each series, negative to leave it out
   */
  public void write(int series, IntFunction<Tsuid> tsuids, IntToLongFunction lastMs)
      throws IOException {
    long created = Instant.now().getEpochSecond();
    List<Put> rows = new ArrayList<>(CALL_ROWS);
    try (Table table = connection.getTable(tableName)) {
      for (int id = 0; id < series; id++) {
        long last = lastMs.applyAsLong(id);
        if (last >= 0) {
          byte[] tsuid = tsuids.apply(id).toBytes();
          rows.add(
              new Put(tsuid)
                  .addColumn(FAMILY, COUNTER, last, ONE)
                  .addColumn(
                      FAMILY,
                      OBJECT,
                      OBJECTS_END_SECONDS - created,
                      SeriesMetaRow.object(tsuid, created)));
        }
        if (rows.size() == CALL_ROWS || (id == series - 1 && !rows.isEmpty())) {
          table.put(rows);
          rows.clear();
        }
      }
    }
  }

  /**
   * The cells that {@link #write} puts, for HFiles of them: each part is some series whose rows
   * follow each other, its cells in the order of rows. A part may be read on any thread.
   *
   * @param series their numbers, in the order of their TSUIDs
   * @param tsuids called by several threads, as is {@code lastMs}
   * @param count the most parts; they are about equally large, and none is empty
   */
  public List<Iterable<CellWrite>> parts(
      int[] series, IntFunction<Tsuid> tsuids, IntToLongFunction lastMs, int count) {
    long created = Instant.now().getEpochSecond();
    List<Iterable<CellWrite>> parts = new ArrayList<>();
    int from = 0;
    for (int part = 1; part <= count; part++) {
      int first = from;
      int end = (int) ((long) series.length * part / count);
      from = end;
      if (first < end) {
        parts.add(
            () -> new Cells(Arrays.stream(series, first, end).iterator(), tsuids, lastMs, created));
      }
    }
    return parts;
  }

  /** Two cells for each series. */
  private static final class Cells implements Iterator<CellWrite> {
    private final PrimitiveIterator.OfInt series;
    private final IntFunction<Tsuid> tsuids;
    private final IntToLongFunction lastMs;
    private final long created;

    /** The object of the series whose counter was next. */
    private @Nullable CellWrite object;

    Cells(
        PrimitiveIterator.OfInt series,
        IntFunction<Tsuid> tsuids,
        IntToLongFunction lastMs,
        long created) {
      this.series = series;
      this.tsuids = tsuids;
      this.lastMs = lastMs;
      this.created = created;
    }

    @Override
    public boolean hasNext() {
      return object != null || series.hasNext();
    }

    @Override
    public CellWrite next() {
      CellWrite second = object;
      if (second != null) {
        object = null;
        return second;
      }
      int id = series.nextInt();
      byte[] row = tsuids.apply(id).toBytes();
      object =
          new CellWrite(
              row,
              CellForm.PACKED,
              OBJECT,
              SeriesMetaRow.object(row, created),
              0,
              OBJECTS_END_SECONDS - created);
      return new CellWrite(row, CellForm.PACKED, COUNTER, ONE, 0, lastMs.applyAsLong(id));
    }
  }
}
