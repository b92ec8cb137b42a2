package net.opentsdb.tsd;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import net.opentsdb.core.TSDB;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.util.Timeout;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request with status 504 if it has no answer after twice {@code tsd.query.timeout}, or
 * {@value #GRACE_MAX_MS} ms after it: whatever went wrong inside, no client waits for ever.
 *
 * <p>One instance for each request, any thread. The request is forgotten when it is answered.
 */
@NullMarked
final class UnansweredRequests {
  private static final long GRACE_MAX_MS = 10_000;

  private UnansweredRequests() {}

  /** Starts the time of a request; nothing happens if it is answered in time. */
  static void watch(TSDB tsdb, AbstractHttpQuery query, AnsweredOnce answer) {
    long limitMs = tsdb.getConfig().getLong("tsd.query.timeout");
    if (limitMs <= 0) {
      return;
    }
    long waitMs = limitMs + Math.min(limitMs, GRACE_MAX_MS);
    AtomicReference<@Nullable AbstractHttpQuery> unanswered = new AtomicReference<>(query);
    Timeout timeout =
        tsdb.getTimer()
            .newTimeout(
                expired -> {
                  AbstractHttpQuery waiting = unanswered.getAndSet(null);
                  if (waiting != null) {
                    waiting.badRequest(
                        new BadRequestException(
                            HttpResponseStatus.GATEWAY_TIMEOUT,
                            "There was no answer within " + waitMs + " ms"));
                  }
                },
                waitMs,
                TimeUnit.MILLISECONDS);
    answer.then(
        () -> {
          unanswered.set(null);
          timeout.cancel();
        });
  }
}
