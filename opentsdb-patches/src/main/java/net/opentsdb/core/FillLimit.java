package net.opentsdb.core;

import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/**
 * Refuses a query whose filled intervals alone make an answer that cannot be held: how many there
 * are follows from the query, whether or not there are points.
 */
@NullMarked
public final class FillLimit {
  /** The shortest point of an answer, such as {@code "1700000000":0,}. */
  private static final int POINT_BYTES = 15;

  private FillLimit() {}

  /**
   * Checks a validated query.
   *
   * @throws QueryException with status 413
   */
  public static void check(TSQuery query) {
    double intervals = 0;
    for (TSSubQuery part : query.getQueries()) {
      DownsamplingSpecification downsampling = part.downsamplingSpecification();
      if (downsampling != null
          && downsampling != DownsamplingSpecification.NO_DOWNSAMPLER
          && downsampling.getFillPolicy() != FillPolicy.NONE
          && downsampling.getInterval() > 0
          && !RowDownsampler.isAll(downsampling)) {
        intervals += (double) (query.endTime() - query.startTime()) / downsampling.getInterval();
      }
    }
    double bytes = intervals * POINT_BYTES * QueryMemory.ANSWER_COPIES;
    if (bytes > QueryMemory.limit()) {
      throw new QueryException(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
          "This query fills "
              + (long) intervals
              + " intervals, more than there is memory for. Ask for a shorter time range, a longer"
              + " downsample interval or no fill policy");
    }
  }
}
