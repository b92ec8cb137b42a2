package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;

/**
 * The threads that read rows, as many as there are processors. The HBase client has one thread for
 * each region server, and that one has answers to fetch.
 *
 * <p>What waits here is bounded by the scanners that run: each has one batch at a time.
 */
@NullMarked
final class PackedThreads {
  private static final int FEW_ROWS = 32;

  private static final ExecutorService ALL =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), threads());

  private PackedThreads() {}

  /**
   * Gives the next rows of a scanner to a reader on one of these threads, or on the thread that
   * brought them while they are few, which another would only delay.
   *
   * @param before how many rows the scanner has brought before
   * @param failed is told of an error, the reader's too, that of a full heap among them
   */
  static <T extends List<?>> void handOff(
      Deferred<T> next,
      long before,
      Callback<Object, T> reader,
      Callback<Object, Exception> failed) {
    Deferred<T> here = new Deferred<>();
    Callback<Object, T> rows =
        arrived -> {
          if (before + (arrived == null ? 0 : arrived.size()) < FEW_ROWS) {
            here.callback(arrived);
          } else {
            ALL.execute(() -> here.callback(arrived));
          }
          return null;
        };
    Callback<Object, Exception> failure =
        e -> {
          ALL.execute(() -> here.callback(e));
          return null;
        };
    Deferred<?> unusedEnd = here.addCallback(PackedErrors.asExceptions(reader)).addErrback(failed);
    Deferred<?> unused = next.addCallbacks(rows, failure);
  }

  private static ThreadFactory threads() {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "OpenTSDB Query #" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
