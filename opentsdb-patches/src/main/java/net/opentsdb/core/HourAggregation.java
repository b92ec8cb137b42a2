package net.opentsdb.core;

import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import net.opentsdb.rollup.RollupQuery;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A group's points, not downsampled or of rows reduced to intervals: hours in which all series have
 * the same times are aggregated column by column ({@link AlignedHour}), the others by {@link
 * AggregationIterator}.
 *
 * <p>At a time where every active series has a point, the state of an AggregationIterator depends
 * on that time alone: each current point is at that time, each next one is the series' following
 * point. So an iterator started at the last time of an aligned hour, its first point dropped, gives
 * the same points as one that ran from the beginning. And an hour may be aggregated column by
 * column whatever came before it, if each series without points in it has ended or has not begun.
 *
 * <p>For one thread, as AggregationIterator.
 */
@NullMarked
final class HourAggregation implements SeekableView, DataPoint {
  private final List<Span> spans;
  private final List<List<iRowSeq>> rows;
  private final long startMs;
  private final long endMs;
  private final Aggregator aggregator;
  private final DownsamplingSpecification downsampler;
  private final AlignedHour columns;

  /** Per series: index of the row of the current or the next hour; index of the first in range. */
  private final int[] cursor;

  private final int[] begin;

  private int at;
  private int end;

  /** Gives the points of hours that are not aligned; null within an aligned hour. */
  private @Nullable AggregationIterator stock;

  /** Start of the next hour, from which aligned hours are tried again. */
  private long nextHourMs;

  private boolean started;
  private boolean stockForGood;

  private HourAggregation(
      List<Span> spans,
      List<List<iRowSeq>> rows,
      long startMs,
      long endMs,
      Aggregator aggregator,
      DownsamplingSpecification downsampler,
      AlignedHour columns) {
    this.spans = spans;
    this.rows = rows;
    this.startMs = startMs;
    this.endMs = endMs;
    this.aggregator = aggregator;
    this.downsampler = downsampler;
    this.columns = columns;
    this.cursor = new int[rows.size()];
    this.begin = new int[rows.size()];
  }

  /**
   * The group's points, or null if the query needs more than aggregation or a function that needs
   * all values of a time at once: AggregationIterator gives them then.
   *
   * @throws QueryException with status 413 if the hours that it decodes do not fit
   */
  static @Nullable SeekableView of(
      List<Span> spans,
      long startMs,
      long endMs,
      Aggregator aggregator,
      @Nullable DownsamplingSpecification downsampler,
      boolean rate,
      @Nullable RollupQuery rollup) {
    SeekableView points =
        columnByColumn(spans, startMs, endMs, aggregator, downsampler, rate, rollup);
    if (points == null) {
      countDecoded(spans, downsampler);
    }
    return points;
  }

  /** Counts the hours that AggregationIterator decodes at the same time: one of each series. */
  private static void countDecoded(
      List<Span> spans, @Nullable DownsamplingSpecification downsampler) {
    QueryMemory memory = QueryMemory.ofThread();
    if (memory == null
        || (downsampler != null && downsampler != DownsamplingSpecification.NO_DOWNSAMPLER)) {
      return; // Intervals are made from one hour after the other.
    }
    long points = 0;
    for (Span span : spans) {
      int most = 0;
      for (iRowSeq row : HourRowSeq.inOrder(span)) {
        most = row instanceof PackedRowSeq ? Math.max(most, row.size()) : most;
      }
      points += most;
    }
    memory.addDecoded(points * PackedRowSeq.DECODED_POINT_BYTES);
  }

  private static @Nullable SeekableView columnByColumn(
      List<Span> spans,
      long startMs,
      long endMs,
      Aggregator aggregator,
      @Nullable DownsamplingSpecification downsampler,
      boolean rate,
      @Nullable RollupQuery rollup) {
    DownsamplingSpecification intervals =
        downsampler == null ? DownsamplingSpecification.NO_DOWNSAMPLER : downsampler;
    boolean points = intervals == DownsamplingSpecification.NO_DOWNSAMPLER;
    if (rate
        || rollup != null
        || spans.isEmpty()
        || !(points || intervals.getFillPolicy() == FillPolicy.NONE)) {
      return null;
    }
    AlignedHour columns = AlignedHour.of(aggregator, spans.size());
    if (columns == null) {
      return null;
    }
    List<List<iRowSeq>> rows = new ArrayList<>(spans.size());
    boolean packed = false;
    for (Span span : spans) {
      List<iRowSeq> ofSpan = HourRowSeq.inOrder(span);
      for (iRowSeq row : ofSpan) {
        if (points ? row instanceof PackedRowSeq : row instanceof ReducedRowSeq) {
          packed = true;
        } else if (!(points && row instanceof RowSeq)) {
          return null;
        }
      }
      rows.add(ofSpan);
    }
    if (!packed) {
      return null;
    }
    long firstMs = points ? startMs : RowDownsampler.firstInterval(startMs, intervals);
    return new HourAggregation(spans, rows, firstMs, endMs, aggregator, intervals, columns);
  }

  @Override
  public boolean hasNext() {
    if (!started) {
      start();
    }
    return stock == null ? at < end : stock.hasNext();
  }

  @Override
  public DataPoint next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more points in " + this);
    }
    if (stock != null) {
      return nextOfStock(stock);
    }
    columns.moveTo(at++);
    if (at == end) {
      nextHour(columns.timestamp());
    }
    return this;
  }

  private void start() {
    started = true;
    for (int i = 0; i < cursor.length; i++) {
      List<iRowSeq> ofSpan = rows.get(i);
      while (begin[i] < ofSpan.size() && HourRowSeq.latest(ofSpan.get(begin[i])) < startMs) {
        begin[i]++;
      }
      cursor[i] = begin[i];
    }
    nextHour(-1);
  }

  /**
   * Moves to the earliest hour among the current rows, if there is one.
   *
   * @param lastMs time of the last point returned, -1 for none
   */
  private void nextHour(long lastMs) {
    at = 0;
    end = 0;
    long base = earliestBase();
    if (base > endMs) {
      return;
    }
    if (fill(base)) {
      end = columns.count();
      advance(base);
      return;
    }
    nextHourMs = base + PointBlock.HOUR_MS;
    stock = stockFrom(lastMs < 0 ? startMs : lastMs);
    if (lastMs >= 0) {
      stock.next();
    }
  }

  private DataPoint nextOfStock(AggregationIterator iterator) {
    DataPoint point = iterator.next();
    if (stockForGood || point.timestamp() < nextHourMs) {
      return point;
    }
    long time = point.timestamp();
    for (int i = 0; i < cursor.length; i++) {
      while (cursor[i] < rows.get(i).size()
          && HourRowSeq.latest(rows.get(i).get(cursor[i])) < time) {
        cursor[i]++;
      }
    }
    long base = earliestBase();
    if (base <= time && fill(base) && columns.timeOf(0) == time) {
      stock = null;
      at = 0;
      end = columns.count();
      advance(base);
      return next();
    }
    nextHourMs = time - time % PointBlock.HOUR_MS + PointBlock.HOUR_MS;
    return point;
  }

  /** Base time in milliseconds of the earliest current row; Long.MAX_VALUE after the last. */
  private long earliestBase() {
    long earliest = Long.MAX_VALUE;
    for (int i = 0; i < cursor.length; i++) {
      if (cursor[i] < rows.get(i).size()) {
        earliest = Math.min(earliest, rows.get(i).get(cursor[i]).baseTime() * 1000);
      }
    }
    return earliest;
  }

  private void advance(long baseMs) {
    for (int i = 0; i < cursor.length; i++) {
      if (isIn(i, baseMs)) {
        cursor[i]++;
      }
    }
  }

  private boolean isIn(int i, long baseMs) {
    return cursor[i] < rows.get(i).size() && rows.get(i).get(cursor[i]).baseTime() * 1000 == baseMs;
  }

  /** Aggregates an hour column by column; false if the result could differ from stock. */
  private boolean fill(long baseMs) {
    boolean doubles = false;
    boolean doubleNext = false;
    for (int i = 0; i < cursor.length; i++) {
      List<iRowSeq> ofSpan = rows.get(i);
      int row = cursor[i];
      if (isIn(i, baseMs)) {
        doubles |= HourRowSeq.beginsWithDouble(ofSpan.get(row));
        doubleNext |= row + 1 < ofSpan.size() && HourRowSeq.beginsWithDouble(ofSpan.get(row + 1));
      } else if (row < ofSpan.size()) {
        if (row > begin[i]) {
          return false; // A gap in a series: stock interpolates.
        }
        // Stock checks the kind of each series' next point, even before the series begins.
        doubles |= HourRowSeq.beginsWithDouble(ofSpan.get(row));
      }
    }
    if (doubleNext && !doubles) {
      return false; // Stock would make only the last time a double.
    }
    columns.clear(doubles);
    for (int i = 0; i < cursor.length; i++) {
      if (isIn(i, baseMs) && !columns.add(rows.get(i).get(cursor[i]), startMs, endMs)) {
        return false;
      }
    }
    columns.finish();
    return true;
  }

  private AggregationIterator stockFrom(long fromMs) {
    countDecoded(spans, downsampler);
    return AggregationIterator.create(
        spans,
        fromMs,
        endMs,
        aggregator,
        aggregator.interpolationMethod(),
        downsampler,
        startMs,
        endMs,
        false,
        null,
        null);
  }

  /** As in stock: seeks the series, and keeps points already taken from them. */
  @Override
  public void seek(long timestamp) {
    if (started) {
      throw new UnsupportedOperationException("seek comes before the first point");
    }
    started = true;
    stockForGood = true;
    stock = stockFrom(startMs);
    stock.seek(timestamp);
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long timestamp() {
    return columns.timestamp();
  }

  @Override
  public boolean isInteger() {
    return !columns.isDouble();
  }

  @Override
  public long longValue() {
    if (!isInteger()) {
      throw new ClassCastException("current value is a double: " + this);
    }
    return columns.longValue();
  }

  @Override
  public double doubleValue() {
    if (isInteger()) {
      throw new ClassCastException("current value is a long: " + this);
    }
    double value = columns.doubleValue();
    if (Double.isInfinite(value)) {
      throw new IllegalStateException("Got Infinity: " + value + " in this " + this);
    }
    return value;
  }

  @Override
  public double toDouble() {
    return isInteger() ? longValue() : doubleValue();
  }

  @Override
  public long valueCount() {
    return 2L * spans.size();
  }

  @Override
  public String toString() {
    return "HourAggregation(spans=" + spans.size() + ", aggregator=" + aggregator + ")";
  }
}
