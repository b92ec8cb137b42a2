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
 * The threads that read rows, four for each processor: the HBase client has only one thread per
 * region server, and needs it to fetch further answers.
 *
 * <p>The queue is bounded by the number of running scanners, each of which has one batch at a time.
 */
@NullMarked
final class QueryThreads {
  private static final int FEW_ROWS = 32;

  /** More than one, so that a small query gets its share of the processors beside large ones. */
  private static final int THREADS_PER_PROCESSOR = 4;

  private static final ExecutorService ALL =
      Executors.newFixedThreadPool(
          THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors(), threads());

  private QueryThreads() {}

  /**
   * Passes the next rows of a scanner to a reader, on one of these threads. The first few rows are
   * read on the thread that fetched them, since a change of threads would cost more.
   *
   * @param before how many rows the scanner has returned before
   * @param failed called with an error of the scanner or the reader, running out of memory included
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
    here.addCallback(VirtualMachineErrors.asExceptions(reader)).addErrback(failed);
    next.addCallbacks(rows, failure);
  }

  /**
   * The same result, its callbacks on one of these threads, unless it is there already: then they
   * run on the caller's.
   */
  @SuppressWarnings("unchecked") // One callback for results and exceptions alike.
  static <T> Deferred<T> apart(Deferred<T> result) {
    Deferred<T> here = new Deferred<>();
    Thread caller = Thread.currentThread();
    boolean[] registering = {true};
    Callback<Object, Object> pass =
        value -> {
          if (registering[0] && Thread.currentThread() == caller) {
            here.callback(value);
          } else {
            ALL.execute(() -> here.callback(value));
          }
          return null;
        };
    ((Deferred<Object>) (Deferred<?>) result).addBoth(pass);
    registering[0] = false;
    return here;
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
