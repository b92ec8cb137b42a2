package io.packhorse.loader.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks beside each other. */
public final class ParallelTasks {
  private ParallelTasks() {}

  /** What one of them does. */
  public interface Task {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Returns when all tasks have ended; or interrupts them at the first failure, and throws it
   * without waiting for them.
   *
   * @param executor stays the caller's; it must run all tasks at the same time if they wait for
   *     each other
   * @throws IOException of a task, or if the executor has been shut down
   */
  public static void run(Executor executor, List<? extends Task> tasks)
      throws IOException, InterruptedException {
    CompletionService<Void> running = new ExecutorCompletionService<>(executor);
    List<Future<Void>> begun = new ArrayList<>();
    try {
      for (Task task : tasks) {
        begun.add(
            running.submit(
                () -> {
                  task.run();
                  return null;
                }));
      }
      for (int i = 0; i < begun.size(); i++) {
        running.take().get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (RejectedExecutionException e) {
      throw new IOException("the load has ended", e);
    } finally {
      begun.forEach(each -> each.cancel(true));
    }
  }
}
