package net.opentsdb.tsd;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.utils.Config;
import org.jspecify.annotations.NullMarked;

/**
 * Counts the points that HBase's client holds until they are stored, and says when there are too
 * many: while HBase is slow or away they would fill the heap.
 *
 * <p>{@value #SETTING} is the limit; without it one for each 8 KiB of the largest heap. Any thread.
 */
@NullMarked
final class PointsInFlight {
  static final String SETTING = "tsd.core.points_in_flight";
  private static final long HEAP_OF_A_POINT = 8192;

  private static final AtomicLong COUNT = new AtomicLong();
  private static final Queue<Waiter> WAITING = new ConcurrentLinkedQueue<>();
  private static final Callback<Object, Object> ENDED =
      result -> {
        ended();
        return result;
      };

  private record Waiter(long roomAt, Runnable work) {}

  private PointsInFlight() {}

  /** The limit of a TSD. */
  static long limit(Config config) {
    return config.hasProperty(SETTING)
        ? Math.max(1, config.getLong(SETTING))
        : Runtime.getRuntime().maxMemory() / HEAP_OF_A_POINT;
  }

  /** Counts a point until its result is there. */
  @SuppressWarnings("unchecked")
  static void add(Deferred<?> result) {
    ((Deferred<Object>) begun(result)).addBoth(ENDED);
  }

  /** Counts a point until {@link #ended} is called, for those who have a callback of their own. */
  static <T> Deferred<T> begun(Deferred<T> result) {
    COUNT.incrementAndGet();
    return result;
  }

  /** Counts a point no longer. */
  static void ended() {
    COUNT.decrementAndGet();
    wake();
  }

  static boolean isFull(long limit) {
    return COUNT.get() >= limit;
  }

  /** Runs this once when half of the limit is free, perhaps at once and here. */
  static void whenRoom(long limit, Runnable work) {
    WAITING.add(new Waiter(limit / 2, work));
    wake();
  }

  private static void wake() {
    for (Waiter next = WAITING.peek();
        next != null && COUNT.get() <= next.roomAt() && WAITING.remove(next);
        next = WAITING.peek()) {
      next.work().run();
    }
  }
}
