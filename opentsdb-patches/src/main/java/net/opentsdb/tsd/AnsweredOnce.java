package net.opentsdb.tsd;

import java.util.ArrayList;
import java.util.List;
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
  private final List<Runnable> actions = new ArrayList<>();
  private boolean begun;

  /** How to break off an answer that is sent in parts. */
  private @Nullable Runnable breakOff;

  /** Adds something to do once when the answer begins, or now if it has begun. */
  void then(Runnable whenAnswered) {
    synchronized (this) {
      if (!begun) {
        actions.add(whenAnswered);
        return;
      }
    }
    whenAnswered.run();
  }

  /** Whether an answer has been sent, so that another one would be dropped. */
  synchronized boolean hasBegun() {
    return begun;
  }

  /**
   * Whether an answer may be sent; true once. An error that comes while another answer is sent in
   * parts breaks that one off.
   *
   * @param stats of the query; with this answer it is no longer among the running ones, and its
   *     memory is given back if the answer comes too late
   * @param status of the answer
   */
  boolean begin(@Nullable QueryStats stats, HttpResponseStatus status) {
    if (isFirst(null)) {
      if (stats != null && stats.getQueryCompletedTimestamp() == 0) {
        stats.markSerialized(status, null);
      }
      return true;
    }
    Runnable inParts = breakOff();
    if (inParts == null) {
      if (stats != null) {
        stats.markSendFailed();
      }
    } else if (status.getCode() >= 400) {
      inParts.run();
    }
    return false;
  }

  /**
   * Whether an answer may be sent in parts; true if there has been no other.
   *
   * @param inParts breaks it off in a way that the client sees
   */
  boolean beginStream(Runnable inParts) {
    return isFirst(inParts);
  }

  private boolean isFirst(@Nullable Runnable inParts) {
    List<Runnable> toDo;
    synchronized (this) {
      if (begun) {
        return false;
      }
      begun = true;
      breakOff = inParts;
      toDo = List.copyOf(actions);
      actions.clear();
    }
    toDo.forEach(Runnable::run);
    return true;
  }

  private synchronized @Nullable Runnable breakOff() {
    return breakOff;
  }
}
