package net.opentsdb.core;

import io.packhorse.schema.packed.CellStatistics;
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
  private final RowReduction reduction;
  private final long fromMs;
  private final long toMs;
  private final ByteMap<Fold> folds = new ByteMap<>();

  /** Used instead where summaries are: their rows come in any order. */
  private final ByteMap<Summed> summed = new ByteMap<>();

  private long bytes;

  /**
   * @param rows of the scanner; what is folded leaves the list
   * @param reduction of the query
   * @param fromMs time of the first point to take, in milliseconds since the epoch
   * @param toMs time after the last one
   */
  SeriesFolds(QueryMemory.Rows rows, RowReduction reduction, long fromMs, long toMs) {
    this.rows = rows;
    this.reduction = reduction;
    this.fromMs = fromMs;
    this.toMs = toMs;
    rows.atEnd(reduction::end);
  }

  /**
   * Folds the rows that the scanner has brought since the last call; none may still be on its way.
   *
   * @throws NotReducibleException if a row cannot be folded
   * @throws IllegalDataException naming row and reason, if a packed cell is malformed
   */
  void foldBatch() {
    SummaryPlan summaries = reduction.summaries();
    Supplier<IntervalBuckets> intervals = reduction.intervals();
    if (summaries != null) {
      sum(summaries);
    } else if (intervals != null) {
      fold(intervals);
    }
  }

  private void sum(SummaryPlan summaries) {
    long before = bytes;
    for (KeyValue row : rows.take()) {
      byte[] series = series(row);
      if (SummaryPlan.matches(row)) {
        SummaryBuckets begun = summaries.begun(row);
        summed.put(series, new Summed(row.key(), begun));
        // They are in the account already.
        before += begun.bytes();
        bytes += begun.bytes();
        continue;
      }
      Summed sum = summed.get(series);
      if (sum == null) {
        sum = new Summed(row.key(), summaries.newBuckets());
        summed.put(series, sum);
        bytes += sum.buckets.bytes();
      }
      long held = sum.buckets.bytes();
      sum.add(row);
      bytes += sum.buckets.bytes() - held;
    }
    rows.charge(bytes - before);
  }

  private static byte[] series(KeyValue row) {
    return UniqueId.getTSUIDFromKey(row.key(), TSDB.metrics_width(), Const.TIMESTAMP_BYTES);
  }

  private void fold(Supplier<IntervalBuckets> intervals) {
    List<KeyValue> batch = rows.take();
    // Rows whose names had to be looked up arrive after others.
    batch.sort((a, b) -> Bytes.memcmp(a.key(), b.key()));
    long before = bytes;
    for (KeyValue row : batch) {
      byte[] series = series(row);
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
    foldBatch();
    if (reduction.isUnordered()) {
      List<KeyValue> all = rows.take();
      all.sort((a, b) -> Bytes.memcmp(a.key(), b.key()));
      rows.addAll(all);
    }
    for (Fold fold : folds.values()) {
      rows.add(fold.toRow());
    }
    for (Summed sum : summed.values()) {
      KeyValue row = sum.buckets.toRow(sum.key);
      if (row != null) {
        rows.add(row);
      }
    }
    folds.clear();
    summed.clear();
    rows.charge(-bytes);
    bytes = 0;
  }

  /** Header of a packed cell; null for another column. */
  private static @Nullable PackedCellHeader header(KeyValue row) {
    return PointColumn.matches(row) ? PointColumn.of(row).header() : null;
  }

  /** Whether all points of a cell lie in the time range of the query. */
  private boolean isWanted(PackedCellHeader header, long baseMs) {
    return baseMs + header.firstOffsetMs() >= fromMs && baseMs + header.lastOffsetMs() < toMs;
  }

  private static HourPoints points(KeyValue row, long baseTime, @Nullable PackedCellHeader header) {
    HourPoints hour = HourPoints.ofThread();
    if (!hour.read(row, baseTime, header)) {
      throw new NotReducibleException("a row cannot be read as one column of points");
    }
    return hour;
  }

  /** A series of a query that uses summaries. */
  private final class Summed {
    private final byte[] key;
    private final SummaryBuckets buckets;

    Summed(byte[] key, SummaryBuckets buckets) {
      this.key = key;
      this.buckets = buckets;
    }

    void add(KeyValue row) {
      long baseTime = Bytes.getUnsignedInt(row.key(), Const.SALT_WIDTH() + TSDB.metrics_width());
      long baseMs = baseTime * 1000;
      PackedCellHeader header = header(row);
      CellStatistics all = header == null ? null : header.statistics();
      if (header != null && all != null && isWanted(header, baseMs) && buckets.takes(all)) {
        buckets.add(all, baseMs + header.firstOffsetMs(), baseMs + header.lastOffsetMs());
        return;
      }
      HourPoints hour = points(row, baseTime, header);
      int from = hour.from(fromMs);
      int to = hour.from(toMs);
      if (from < to) {
        buckets.add(hour, from, to);
      }
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
      PackedCellHeader header = header(row);
      if (header != null && isWanted(header, baseMs) && buckets.add(header, baseMs)) {
        note(header.count(), baseMs + header.firstOffsetMs(), baseMs + header.lastOffsetMs());
        return;
      }
      HourPoints hour = points(row, baseTime, header);
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
      return ReducedSeriesSeq.pack(
          firstKey, points, firstMs, lastMs, buckets.intervalMs(), buckets);
    }
  }
}
