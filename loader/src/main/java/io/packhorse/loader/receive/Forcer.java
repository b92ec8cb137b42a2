package io.packhorse.loader.receive;

import io.packhorse.loader.receive.log.SegmentLog;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the log to disk on a thread of its own and tells those who wait for it. All who ask while
 * it does so share the next call. No other thread may call {@link SegmentLog#force}: an interrupt
 * would close the file.
 */
final class Forcer implements Closeable {
  private final SegmentLog log;
  private final Thread thread = new Thread(this::run, "packhorse-log");
  private List<Consumer<@Nullable IOException>> waiting = new ArrayList<>();
  private boolean closed;

  Forcer(SegmentLog log) {
    this.log = log;
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Calls back when everything appended so far is on disk, or cannot be brought there.
   *
   * @param then called on the thread of this object, or this one if the log is closed, with what
   *     went wrong if anything did
   */
  void whenForced(Consumer<@Nullable IOException> then) {
    synchronized (this) {
      if (!closed) {
        waiting.add(then);
        notifyAll();
        return;
      }
    }
    then.accept(new IOException("the log is closed"));
  }

  /** Waits until everything appended so far is on disk. */
  void awaitForced() throws IOException, InterruptedException {
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    whenForced(
        failure -> {
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(failure);
          }
        });
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new IOException(
          "the log cannot be written: " + Objects.requireNonNull(e.getCause()).getMessage(), e);
    }
  }

  private void run() {
    while (true) {
      List<Consumer<@Nullable IOException>> batch;
      synchronized (this) {
        while (waiting.isEmpty()) {
          if (closed) {
            return;
          }
          try {
            wait();
          } catch (InterruptedException nobodyInterruptsThis) {
            return;
          }
        }
        batch = waiting;
        waiting = new ArrayList<>();
      }
      IOException failure = null;
      try {
        log.force();
      } catch (IOException e) {
        failure = e;
      }
      for (Consumer<@Nullable IOException> each : batch) {
        each.accept(failure);
      }
    }
  }

  /** Waits for those who wait, then ends the thread. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
