package net.opentsdb.core;

import io.packhorse.schema.packed.PackedCellHeader;
import java.util.List;
import java.util.function.Supplier;
import net.opentsdb.uid.UniqueId;
import org.hbase.async.Bytes;
import org.hbase.async.Bytes.ByteMap;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Reduces the series of one scanner to intervals, batch by batch: of a year of second data a few
 * bytes a day remain. A series has all its rows in one scanner, in order of time, so that values
 * are added up in the order in which a stock TSD adds them.
 *
 * <p>One instance a scanner; one thread at a time.
 */
@NullMarked
final class SeriesFolds {
  /** An estimate of what a series takes beside its intervals: objects, key and entry. */
  private static final int SERIES_BYTES = 500;

  private final QueryMemory.Rows rows;
  private final @Nullable Supplier<IntervalBuckets> intervals;
  private final long intervalMs;
  private final long fromMs;
  private final long toMs;
  private final ByteMap<Fold> folds = new ByteMap<>();
  private long bytes;

  /**
   * @param rows of the scanner; what is folded leaves the list
   * @param intervals makes the empty intervals of a series; null to leave all rows as they are
   * @param intervalMs distance of their starts, or a divisor of it
   * @param fromMs time of the first point to take, in milliseconds since the epoch
   * @param toMs time after the last one
   */
  SeriesFolds(
      QueryMemory.Rows rows,
      @Nullable Supplier<IntervalBuckets> intervals,
      long intervalMs,
      long fromMs,
      long toMs) {
    this.rows = rows;
    this.intervals = intervals;
    this.intervalMs = intervalMs;
    this.fromMs = fromMs;
    this.toMs = toMs;
  }

  /**
   * Folds the rows that the scanner has brought since the last call; none may still be on its way.
   *
   * @throws NotReducibleException if a row cannot be folded
   * @throws IllegalDataException naming row and reason, if a packed cell is malformed
   */
  void foldBatch() {
    if (intervals == null) {
      return;
    }
    List<KeyValue> batch = rows.take();
    // Rows whose names had to be looked up arrive after others.
    batch.sort((a, b) -> Bytes.memcmp(a.key(), b.key()));
    long before = bytes;
    for (KeyValue row : batch) {
      byte[] series =
          UniqueId.getTSUIDFromKey(row.key(), TSDB.metrics_width(), Const.TIMESTAMP_BYTES);
      Fold fold = folds.get(series);
      if (fold == null) {
        fold = new Fold(row.key(), intervals.get());
        folds.put(series, fold);
        bytes += SERIES_BYTES + fold.buckets.bytes();
      }
      long held = fold.buckets.bytes();
      fold.add(row);
      bytes += fold.buckets.bytes() - held;
    }
    rows.charge(bytes - before);
  }

  /** Gives each series that was folded to the list of rows, as one row. */
  void finish() {
    if (intervals != null) {
      foldBatch();
      for (Fold fold : folds.values()) {
        rows.add(fold.toRow());
      }
      folds.clear();
      rows.charge(-bytes);
    }
  }

  private final class Fold {
    private final byte[] firstKey;
    private final IntervalBuckets buckets;
    private long points;
    private long firstMs;
    private long lastMs;
    private long lastBaseMs = -1;

    Fold(byte[] firstKey, IntervalBuckets buckets) {
      this.firstKey = firstKey;
      this.buckets = buckets;
    }

    void add(KeyValue row) {
      long baseTime = Bytes.getUnsignedInt(row.key(), Const.SALT_WIDTH() + TSDB.metrics_width());
      long baseMs = baseTime * 1000;
      if (baseMs <= lastBaseMs) {
        throw ReducedSeq.repeated();
      }
      lastBaseMs = baseMs;
      PackedCellHeader header = PointColumn.matches(row) ? PointColumn.of(row).header() : null;
      if (header != null
          && baseMs + header.firstOffsetMs() >= fromMs
          && baseMs + header.lastOffsetMs() < toMs
          && buckets.add(header, baseMs)) {
        note(header.count(), baseMs + header.firstOffsetMs(), baseMs + header.lastOffsetMs());
        return;
      }
      HourPoints hour = HourPoints.ofThread();
      if (!hour.read(row, baseTime, header)) {
        throw new NotReducibleException("a row cannot be read as one column of points");
      }
      int from = hour.from(fromMs);
      int to = hour.from(toMs);
      if (from < to) {
        buckets.add(hour, from, to);
      }
      int count = hour.count();
      note(count, baseMs + hour.offsets()[0], baseMs + hour.offsets()[count - 1]);
    }

    private void note(int count, long first, long last) {
      if (points == 0) {
        firstMs = first;
      }
      points += count;
      lastMs = last;
    }

    KeyValue toRow() {
      buckets.finish();
      return ReducedSeriesSeq.pack(firstKey, points, firstMs, lastMs, intervalMs, buckets);
    }
  }
}
