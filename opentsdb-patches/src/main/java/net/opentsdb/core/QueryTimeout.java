package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.util.Timeout;
import org.jspecify.annotations.NullMarked;

/** The time a query may take: {@value #SETTING} in milliseconds, 0 for no limit. Any thread. */
@NullMarked
public final class QueryTimeout {
  static final String SETTING = "tsd.query.timeout";

  private QueryTimeout() {}

  /**
   * Fails a scan that has not been answered when its time is up.
   *
   * @param answer the result of the scan
   * @param fail called on the TSD's timer thread if there is no answer in time
   */
  static <T> void arm(TSDB tsdb, Deferred<T> answer, Consumer<? super Exception> fail) {
    long limitMs = tsdb.getConfig().getLong(SETTING);
    if (limitMs <= 0) {
      return;
    }
    Timeout timeout =
        tsdb.getTimer()
            .newTimeout(expired -> fail.accept(tooLong(limitMs)), limitMs, TimeUnit.MILLISECONDS);
    Callback<T, T> cancel =
        result -> {
          timeout.cancel();
          return result;
        };
    answer.addBoth(cancel);
  }

  /**
   * Gives up a query whose time is up.
   *
   * @throws QueryException with status 408
   */
  public static void check(TSDB tsdb, TSQuery query) {
    check(tsdb, query, 0);
  }

  /**
   * The same for a query that has waited for its client, which does not count.
   *
   * @param waitedMs for how long, in milliseconds
   */
  public static void check(TSDB tsdb, TSQuery query, long waitedMs) {
    long limitMs = tsdb.getConfig().getLong(SETTING);
    long beganMs = query.getQueryStats().getQueryStartTimestamp();
    if (limitMs > 0 && System.currentTimeMillis() - beganMs - waitedMs > limitMs) {
      throw tooLong(limitMs);
    }
  }

  /** The limit in milliseconds; 0 for none. */
  public static long limitMs(TSDB tsdb) {
    return tsdb.getConfig().getLong(SETTING);
  }

  /** The answer of a query that took longer than the limit. */
  public static QueryException tooLong(long limitMs) {
    return new QueryException(
        HttpResponseStatus.REQUEST_TIMEOUT,
        "Sorry, your query took longer than the limit of "
            + limitMs
            + " ms. Please try filtering using more tags or decrease your time range.");
  }
}
