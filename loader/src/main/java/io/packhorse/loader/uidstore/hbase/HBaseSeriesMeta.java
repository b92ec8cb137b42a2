package io.packhorse.loader.uidstore.hbase;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.schema.key.SeriesMetaRow;
import io.packhorse.schema.key.Tsuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * OpenTSDB's table of known series. Nothing is read before it is written: what a TSD or a user has
 * written keeps its place, because it has the greater stamp. One thread.
 */
public final class HBaseSeriesMeta {
  private static final byte[] FAMILY = SeriesMetaRow.FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COUNTER = SeriesMetaRow.COUNTER.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OBJECT = SeriesMetaRow.OBJECT.getBytes(StandardCharsets.US_ASCII);

  private static final byte[] ONE = Bytes.toBytes(1L);
  private static final int CALL_ROWS = 4096;

  /** Objects are stamped with the seconds before it: below all real times, the first one on top. */
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
   * Makes series known, or a later last point of them; may be repeated.
   *
   * @param series number of them, from 0
   * @param lastMs time of the last point of each, negative for one to leave out
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

  /** Takes the cells of a {@link Part}. */
  public interface Cells {
    void take(CellWrite cell) throws IOException, InterruptedException;
  }

  /** Some of the series, whose rows follow each other; each part may be given on its own thread. */
  public interface Part {
    /** Gives what {@link #write} puts as cells in the order of their rows. */
    void giveTo(Cells into) throws IOException, InterruptedException;
  }

  /**
   * What {@link #write} puts, for HFiles of it.
   *
   * @param count of parts at most, about as large as each other; none is empty
   */
  public List<Part> parts(
      int series, IntFunction<Tsuid> tsuids, IntToLongFunction lastMs, int count) {
    long created = Instant.now().getEpochSecond();
    List<byte[]> keys = Arrays.asList(sorted(series, tsuids, lastMs));
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (int part = 1; part <= count; part++) {
      List<byte[]> some = keys.subList(from, (int) ((long) keys.size() * part / count));
      from += some.size();
      if (!some.isEmpty()) {
        parts.add(into -> give(some, lastMs, created, into));
      }
    }
    return parts;
  }

  private static void give(List<byte[]> keys, IntToLongFunction lastMs, long created, Cells into)
      throws IOException, InterruptedException {
    for (byte[] key : keys) {
      int end = key.length - Integer.BYTES;
      long last = lastMs.applyAsLong(ByteBuffer.wrap(key).getInt(end));
      byte[] tsuid = Arrays.copyOf(key, end);
      byte[] object = SeriesMetaRow.object(tsuid, created);
      into.take(new CellWrite(tsuid, CellForm.PACKED, COUNTER, ONE, 0, last));
      into.take(
          new CellWrite(tsuid, CellForm.PACKED, OBJECT, object, 0, OBJECTS_END_SECONDS - created));
    }
  }

  /** TSUIDs in their order, each with the number of its series behind it. */
  private static byte[][] sorted(int series, IntFunction<Tsuid> tsuids, IntToLongFunction lastMs) {
    byte[][] keys = new byte[series][];
    int count = 0;
    for (int id = 0; id < series; id++) {
      if (lastMs.applyAsLong(id) >= 0) {
        byte[] tsuid = tsuids.apply(id).toBytes();
        byte[] key = Arrays.copyOf(tsuid, tsuid.length + Integer.BYTES);
        ByteBuffer.wrap(key).putInt(tsuid.length, id);
        keys[count++] = key;
      }
    }
    byte[][] known = Arrays.copyOf(keys, count);
    Arrays.parallelSort(known, Arrays::compareUnsigned);
    return known;
  }
}
