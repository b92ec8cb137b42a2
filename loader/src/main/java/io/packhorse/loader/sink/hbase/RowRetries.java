package io.packhorse.loader.sink.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Puts rows, and those again that the store has not answered for, with longer and longer pauses: a
 * region that moves, splits or has no room for the moment is no failure. What cannot get better
 * fails at once. Any number of threads.
 */
final class RowRetries {
  private static final long PAUSE_MS_MIN = 100;
  private static final int DOUBLINGS_MAX = 6;

  private final Calls calls;
  private final Clock clock;
  private final IntConsumer retried;
  private volatile boolean ended;

  /** One attempt at some rows. */
  interface Calls {
    /**
     * Puts them.
     *
     * @param results for each row a {@link Result}, why it failed, or null if nobody knows
     * @throws IOException if not all went well
     */
    void put(List<Put> rows, Object[] results) throws IOException, InterruptedException;
  }

  /** Time, as it is or as a test has it. */
  interface Clock {
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void pause(long millis) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
          }
        };

    long nanos();

    void pause(long millis) throws InterruptedException;
  }

  /** Why a row was not answered for, the worst last. */
  private enum Trouble {
    /** The store has too much to do, and says so. */
    BUSY(300),
    /**
     * A server is gone, a region somewhere else, the network down; or the region does not know yet
     * of a family that was added to its table a moment ago.
     */
    PASSING(60),
    /** No table, no permission. */
    LASTING(0);

    /** How long no row at all may be answered for. */
    private final long seconds;

    Trouble(long seconds) {
      this.seconds = seconds;
    }

    private static Trouble of(@Nullable Throwable error) {
      for (Throwable e = error; e != null; e = e.getCause()) {
        if (e instanceof RegionTooBusyException || e instanceof CallQueueTooBigException) {
          return BUSY;
        }
        if (e instanceof NoSuchColumnFamilyException) {
          return PASSING;
        }
        if (e instanceof DoNotRetryIOException || e instanceof RuntimeException) {
          return LASTING;
        }
      }
      return PASSING;
    }
  }

  /**
   * @param retried told of the number of rows whenever some are put again
   */
  RowRetries(Calls calls, Clock clock, IntConsumer retried) {
    this.calls = calls;
    this.clock = clock;
    this.retried = retried;
  }

  /** Lets no row be put again. */
  void end() {
    ended = true;
  }

  /**
   * Puts rows until the store has answered for each.
   *
   * @param answered told of the index of each row that it has answered for, as soon as it has
   * @throws IOException if it has not for some, with the reason of one of them
   */
  void put(List<Put> rows, IntConsumer answered) throws IOException, InterruptedException {
    int[] left = IntStream.range(0, rows.size()).toArray();
    long begun = clock.nanos();
    int doublings = 0;
    while (true) {
      Object[] results = new Object[left.length];
      IOException thrown;
      try {
        thrown = attempt(rows, left, results);
      } finally {
        // Also after an interrupt: the rows that did get through are safe and counted.
        for (int i = 0; i < left.length; i++) {
          if (results[i] instanceof Result) {
            answered.accept(left[i]);
          }
        }
      }
      int[] missed = new int[left.length];
      int count = 0;
      Trouble trouble = Trouble.BUSY;
      Throwable reason = thrown;
      for (int i = 0; i < left.length; i++) {
        if (results[i] instanceof Result) {
          continue;
        }
        missed[count++] = left[i];
        Throwable why = results[i] instanceof Throwable error ? error : thrown;
        if (Trouble.of(why).compareTo(trouble) >= 0) {
          trouble = Trouble.of(why);
          reason = why;
        }
      }
      if (count == 0) {
        return;
      }
      if (count < left.length) {
        begun = clock.nanos();
        doublings = 0;
      }
      left = Arrays.copyOf(missed, count);
      if (ended || clock.nanos() - begun >= TimeUnit.SECONDS.toNanos(trouble.seconds)) {
        throw new IOException(
            "row " + Bytes.toStringBinary(rows.get(left[0]).getRow()) + " was not acknowledged",
            reason);
      }
      retried.accept(count);
      clock.pause(PAUSE_MS_MIN << Math.min(DOUBLINGS_MAX, doublings++));
    }
  }

  private @Nullable IOException attempt(List<Put> rows, int[] which, Object[] results)
      throws IOException, InterruptedException {
    List<Put> some = new ArrayList<>(which.length);
    for (int index : which) {
      some.add(rows.get(index));
    }
    try {
      calls.put(some, results);
      return null;
    } catch (SocketTimeoutException e) {
      return e;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return e;
    }
  }
}
