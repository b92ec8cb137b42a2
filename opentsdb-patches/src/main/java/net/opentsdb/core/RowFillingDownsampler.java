package net.opentsdb.core;

import java.util.NoSuchElementException;
import org.jspecify.annotations.NullMarked;

/**
 * {@link FillingDownsampler} over the intervals of a {@link RowDownsampler}: one value for each
 * interval of the query, the fill value where there are no points.
 *
 * <p>For one thread, as FillingDownsampler.
 */
@NullMarked
final class RowFillingDownsampler extends Downsampler {
  private final RowDownsampler intervals;
  private final double fillValue;
  private final long intervalMs;
  private final long endMs;
  private long nextMs;

  /**
   * @param source as for Downsampler; not read
   * @param specification of the intervals
   * @param startMs a time in the first interval
   * @param endMs a time in the first interval after the last
   */
  RowFillingDownsampler(
      SeekableView source,
      RowDownsampler intervals,
      DownsamplingSpecification specification,
      long startMs,
      long endMs) {
    super(source, specification, startMs, endMs);
    this.intervals = intervals;
    this.fillValue = specification.getFillPolicy() == FillPolicy.ZERO ? 0. : Double.NaN;
    this.intervalMs = specification.getInterval();
    this.nextMs = startMs - startMs % intervalMs;
    this.endMs = endMs - endMs % intervalMs;
  }

  @Override
  public boolean hasNext() {
    return nextMs < endMs;
  }

  @Override
  public DataPoint next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more data points in " + this);
    }
    while (intervals.hasNext() && intervals.nextMs() < nextMs) {
      intervals.next();
    }
    boolean isThere = intervals.hasNext() && intervals.nextMs() == nextMs;
    timestamp = nextMs;
    value = isThere ? intervals.next().doubleValue() : fillValue;
    nextMs += intervalMs;
    return this;
  }

  @Override
  public void seek(long time) {
    intervals.seek(time);
  }

  @Override
  public String toString() {
    return "RowFillingDownsampler(" + specification + ", intervals=" + intervals + ")";
  }
}
