package io.packhorse.loader.load;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Repeats a task on a daemon thread of its own until closed, with a pause before each turn. A task
 * that throws is not repeated; its exception goes to the thread's handler.
 */
public final class PeriodicTask implements AutoCloseable {
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Starts.
   *
   * @param name of the thread
   * @param pauseMs before each turn
   */
  public PeriodicTask(String name, Runnable task, long pauseMs) {
    Thread thread = new Thread(() -> repeat(task, pauseMs), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void repeat(Runnable task, long pauseMs) {
    try {
      while (!closed.await(pauseMs, TimeUnit.MILLISECONDS)) {
        task.run();
      }
    } catch (InterruptedException e) {
      // Only this thread's owner could interrupt it, to end it: it ends.
    }
  }

  /** Begins no further turn; one that is under way comes to its end. */
  @Override
  public void close() {
    closed.countDown();
  }
}
