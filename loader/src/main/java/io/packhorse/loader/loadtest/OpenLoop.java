package io.packhorse.loader.loadtest;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Calls at stated times, whether the ones before are answered or not. Where all threads wait for
 * answers, calls begin late, and the time they waited counts as theirs.
 *
 * <p>With {@link #NOW} as the offsets the loop is closed: each thread begins its next call when the
 * one before was answered.
 */
final class OpenLoop {
  private static final long NOT_STATED = -1;

  /** In place of a stated time: a call is intended when its thread is ready for it. */
  static final LongUnaryOperator NOW = number -> NOT_STATED;

  /** Of a closed loop, lest one that is refused at once spins. */
  private static final long PAUSE_AFTER_ERROR_MS = 100;

  private final String name;
  private final long startNanos;
  private final LongUnaryOperator offsets;
  private final long endNanos;
  private final long giveUpNanos;
  private final Calls calls;
  private final AtomicLong next = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;

  /** The calls, by number. Any number of threads. */
  interface Calls {
    Call prepare(long number);
  }

  /** One call. */
  interface Call {
    /** Points or queries of it. */
    int units();

    /**
     * Sends it.
     *
     * @param answered told the kind of the error, empty for none; before this returns, or later on
     *     another thread
     */
    void send(Consumer<String> answered) throws InterruptedException;

    /** It ended, or was never sent. */
    void ended(boolean acknowledged);
  }

  /** Where calls are counted. Any number of threads. */
  interface Stats {
    /** For a call that is intended so long after the start. */
    CallStats at(long offsetNanos);
  }

  /** Counts a call when it is answered. */
  private static final class Answer implements Consumer<String> {
    private final Call call;
    private final CallStats of;
    private final long intended;
    private final long free;
    private final long sent;
    private volatile boolean isError;

    Answer(Call call, CallStats of, long intended, long free, long sent) {
      this.call = call;
      this.of = of;
      this.intended = intended;
      this.free = free;
      this.sent = sent;
    }

    @Override
    public void accept(String error) {
      of.ended(call.units(), intended, free, sent, System.nanoTime(), error);
      isError = !error.isEmpty();
      call.ended(!isError);
    }
  }

  /**
   * @param startNanos of {@link System#nanoTime}
   * @param offsets intended time of each call after the start, nanoseconds, rising; or {@link #NOW}
   * @param endNanos after the start; no call is intended then or later
   * @param giveUpNanos after which a call that is late is not sent
   */
  OpenLoop(
      String name,
      long startNanos,
      LongUnaryOperator offsets,
      long endNanos,
      long giveUpNanos,
      Calls calls) {
    this.name = name;
    this.startNanos = startNanos;
    this.offsets = offsets;
    this.endNanos = endNanos;
    this.giveUpNanos = giveUpNanos;
    this.calls = calls;
  }

  /**
   * Begins.
   *
   * @param stats count the calls
   */
  void start(int threadCount, Stats stats) {
    for (int i = 0; i < threadCount; i++) {
      Thread thread = new Thread(() -> work(stats), name + "-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /**
   * Waits until the last call is sent; what is answered on other threads may still be open.
   *
   * @throws IllegalStateException if calls were left out, because a thread has failed
   */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a thread of the generator failed: " + name, failed);
    }
  }

  /** Begins no further call; those that threads wait for are given up and not counted. */
  void stop() {
    stopped = true;
    threads.forEach(Thread::interrupt);
  }

  private void work(Stats stats) {
    long free = System.nanoTime();
    try {
      while (!stopped) {
        long i = next.getAndIncrement();
        Call call = calls.prepare(i);
        long stated = offsets.applyAsLong(i);
        long offset = stated == NOT_STATED ? System.nanoTime() - startNanos : stated;
        if (offset >= endNanos) {
          return;
        }
        TimeUnit.NANOSECONDS.sleep(startNanos + offset - System.nanoTime());
        long sent = System.nanoTime();
        long intended = startNanos + offset;
        CallStats of = stats.at(offset);
        if (sent - intended > giveUpNanos) {
          of.dropped(call.units());
          call.ended(false);
          continue;
        }
        Answer answer = new Answer(call, of, intended, free, sent);
        call.send(answer);
        if (stated == NOT_STATED && answer.isError) {
          TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_ERROR_MS);
        }
        free = System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      stopped = true;
    }
  }
}
