package net.opentsdb.tsd;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import net.opentsdb.stats.QueryStats;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Lets one answer to a request pass: the one that comes first, be it the result, an error or the
 * end of its time. Any thread.
 */
@NullMarked
final class AnsweredOnce {
  private final AtomicBoolean begun = new AtomicBoolean();
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();

  /** Adds something to do once when the answer begins, or now if it has begun. */
  void then(Runnable whenAnswered) {
    actions.add(whenAnswered);
    if (begun.get() && actions.remove(whenAnswered)) {
      whenAnswered.run();
    }
  }

  /** Whether an answer has been sent, so that another one would be dropped. */
  boolean hasBegun() {
    return begun.get();
  }

  /**
   * Whether an answer may be sent; true once.
   *
   * @param stats of the query; with this answer it is no longer among the running ones, and its
   *     memory is given back if the answer comes too late
   * @param status of the answer
   */
  boolean begin(@Nullable QueryStats stats, HttpResponseStatus status) {
    if (begun.compareAndSet(false, true)) {
      for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
        action.run();
      }
      if (stats != null && stats.getQueryCompletedTimestamp() == 0) {
        stats.markSerialized(status, null);
      }
      return true;
    }
    if (stats != null) {
      stats.markSendFailed();
    }
    return false;
  }
}
