package net.opentsdb.core;

import io.packhorse.schema.packed.PackedCellHeader;
import java.util.List;
import java.util.NoSuchElementException;
import net.opentsdb.rollup.RollupQuery;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * {@link Downsampler} over whole rows, for fixed intervals, no fill and the functions of {@link
 * PackedFold}: same intervals, same values.
 *
 * <p>Holds a row's intervals, never its points. For one thread, as Downsampler.
 */
@NullMarked
final class PackedDownsampler extends Downsampler {
  private final List<iRowSeq> rows;
  private final long intervalMs;
  private final PackedBuckets buckets;

  /** Index of the next row to read, and the time that its points are taken from. */
  private int nextRow;

  private long fromMs;

  /**
   * @param source as for Downsampler; not read
   * @param rows of the Span, in order
   * @param specification one that {@link #fits}
   */
  PackedDownsampler(
      SeekableView source,
      List<iRowSeq> rows,
      DownsamplingSpecification specification,
      long queryStart,
      long queryEnd) {
    super(source, specification, queryStart, queryEnd);
    PackedFold.Function function = PackedFold.of(specification.getFunction());
    if (function == null) {
      throw new IllegalArgumentException("no specification for rows: " + specification);
    }
    this.rows = rows;
    this.intervalMs = specification.getInterval();
    this.buckets = new PackedBuckets(intervalMs, function);
  }

  /** Whether a specification can be answered from rows. */
  static boolean fits(DownsamplingSpecification specification, @Nullable RollupQuery rollup) {
    String interval = specification.getStringInterval();
    return rollup == null
        && specification.getFillPolicy() == FillPolicy.NONE
        && specification.getInterval() > 0
        && !specification.useCalendar()
        && (interval == null || !interval.contains("all"))
        && PackedFold.of(specification.getFunction()) != null;
  }

  @Override
  public boolean hasNext() {
    while (buckets.size() == 0) {
      if (nextRow == rows.size()) {
        buckets.finish();
        return buckets.size() > 0;
      }
      readRow(rows.get(nextRow++));
      fromMs = 0;
    }
    return true;
  }

  private void readRow(iRowSeq row) {
    if (row instanceof PackedBucketSeq reduced) {
      reduced.copy(fromMs, buckets);
    } else if (PackedSeq.latest(row) >= fromMs && !addWhole(row)) {
      PackedHour hour = PackedHour.ofThread();
      hour.read(row);
      int from = hour.from(fromMs);
      if (from < hour.count()) {
        buckets.add(hour, from);
      }
    }
  }

  private boolean addWhole(iRowSeq row) {
    if (!(row instanceof PackedRowSeq packed)) {
      return false;
    }
    PackedCellHeader header = packed.header();
    return header != null
        && packed.baseMs() + header.firstOffsetMs() >= fromMs
        && buckets.add(header, packed.baseMs());
  }

  @Override
  public DataPoint next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more data points in " + this);
    }
    timestamp = buckets.time();
    value = buckets.value();
    buckets.drop();
    return this;
  }

  @Override
  public void seek(long time) {
    long rounded = time + intervalMs - 1;
    fromMs = rounded - rounded % intervalMs;
    buckets.clear();
    nextRow = 0;
    while (nextRow < rows.size() && PackedSeq.latest(rows.get(nextRow)) < fromMs) {
      nextRow++;
    }
  }

  @Override
  public String toString() {
    return "PackedDownsampler(" + specification + ", rows=" + rows.size() + ")";
  }
}
