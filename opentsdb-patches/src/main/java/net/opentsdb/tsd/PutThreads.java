package net.opentsdb.tsd;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;

/**
 * The threads on which points are stored that had to wait, for a name or for room. Creating a name
 * waits for HBase; on an I/O thread it would hold up every client of that thread.
 *
 * <p>Each connection has one task at most, so the queue needs no limit. Any thread.
 */
@NullMarked
final class PutThreads {
  private static final int THREADS = 16;
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final ThreadPoolExecutor POOL =
      new ThreadPoolExecutor(
          THREADS, THREADS, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Worker::new);

  static {
    POOL.allowCoreThreadTimeOut(true);
  }

  private PutThreads() {}

  static void execute(Runnable work) {
    POOL.execute(work);
  }

  /** Whether this thread may wait for HBase. */
  static boolean isCurrent() {
    return Thread.currentThread() instanceof Worker;
  }

  private static final class Worker extends Thread {
    Worker(Runnable work) {
      super(work, "OpenTSDB Put #" + NUMBER.incrementAndGet());
      setDaemon(true);
    }
  }
}
