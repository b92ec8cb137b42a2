package net.opentsdb.tsd;

import java.util.List;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.core.NameLookup;
import net.opentsdb.core.TSDB;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Has batches of points wait for their names without holding up a thread, and refuses them while
 * too many points wait for HBase. A batch whose names are known is stored at once, on the thread of
 * its connection. Any thread.
 */
@NullMarked
final class HttpPuts {
  private HttpPuts() {}

  /**
   * Called before a batch is stored.
   *
   * @param store stores the batch and answers
   * @return false if the caller is to store it now; true if it will be stored or refused later
   * @throws BadRequestException with status 503 if too many points wait
   */
  static boolean wait(
      TSDB tsdb,
      HttpQuery query,
      AnsweredOnce answered,
      List<? extends IncomingDataPoint> points,
      BlockingRequests.Work store) {
    if (PutThreads.isCurrent()) {
      return false;
    }
    if (PointsInFlight.isFull(PointsInFlight.limit(tsdb.getConfig()))) {
      throw new BadRequestException(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "HBase is behind: too many points wait for it ("
              + PointsInFlight.SETTING
              + "). Nothing of this request was stored; send it again later");
    }
    NameLookup names = new NameLookup(tsdb);
    for (IncomingDataPoint point : points) {
      // JSON may contain nulls.
      @Nullable IncomingDataPoint given = point;
      if (given != null) {
        names.add(given.getMetric(), given.getTags());
      }
    }
    if (names.allKnown()) {
      return false;
    }
    Channel channel = query.channel();
    // So that a client which does not wait for answers cannot pile up requests.
    channel.setReadable(false);
    answered.then(() -> channel.setReadable(true));
    names.whenDone(failure -> PutThreads.execute(() -> resume(query, answered, failure, store)));
    return true;
  }

  private static void resume(
      HttpQuery query,
      AnsweredOnce answered,
      @Nullable Exception failure,
      BlockingRequests.Work store) {
    if (answered.hasBegun()) {
      return; // 504
    }
    try {
      if (failure != null) {
        throw failure;
      }
      BlockingRequests.run(store);
    } catch (BadRequestException e) {
      query.badRequest(e);
    } catch (Exception e) {
      query.internalError(e);
    }
  }
}
