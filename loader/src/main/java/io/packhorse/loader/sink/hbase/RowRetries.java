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
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Puts rows, and puts those again that HBase has not answered for, after pauses of 0.1 to 6.4
 * seconds, because a region may be moving, splitting or busy. Errors that cannot pass fail at once.
 * Any number of threads.
 */
final class RowRetries {
  private static final long PAUSE_MS_MIN = 100;
  private static final int DOUBLINGS_MAX = 6;

  private final Calls calls;
  private final Clock clock;
  private final IntConsumer retried;
  private volatile boolean ended;

  /** Puts rows, one attempt. */
  interface Calls {
    /**
     * Puts them.
     *
     * @param results set for each row: a {@link Result}, the reason of its failure, or null if
     *     unknown
     * @throws IOException if any row failed
     */
    void put(List<Put> rows, Object[] results) throws IOException, InterruptedException;
  }

  /** The clock, which tests replace. */
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

  /** Why a row failed, in rising order of severity. */
  private enum Severity {
    /** HBase answers that it is too busy, or that no server has the region yet. */
    BUSY(300),
    /**
     * A server or the network is down, or a region has moved; or a region does not know a family
     * yet that was just added to its table.
     */
    TRANSIENT(60),
    /** For example no such table, or no permission. */
    PERMANENT(0);

    /** The put fails after so many seconds in which HBase has answered for no row. */
    private final long seconds;

    Severity(long seconds) {
      this.seconds = seconds;
    }

    private static Severity of(@Nullable Throwable error) {
      for (Throwable e = error; e != null; e = e.getCause()) {
        // HBase's client does not retry the last one, but after a split the region opens soon.
        if (e instanceof RegionTooBusyException
            || e instanceof CallQueueTooBigException
            || e instanceof NoServerForRegionException) {
          return BUSY;
        }
        if (e instanceof NoSuchColumnFamilyException) {
          return TRANSIENT;
        }
        if (e instanceof DoNotRetryIOException || e instanceof RuntimeException) {
          return PERMANENT;
        }
      }
      return TRANSIENT;
    }
  }

  /**
   * @param retried called with the number of rows each time some are put again
   */
  RowRetries(Calls calls, Clock clock, IntConsumer retried) {
    this.calls = calls;
    this.clock = clock;
    this.retried = retried;
  }

  /** From now on no row is put again. */
  void end() {
    ended = true;
  }

  /**
   * Puts rows until HBase has answered for each of them.
   *
   * @param answered called with the index of each row as soon as HBase has answered for it
   * @throws IOException if some rows failed, with the reason of one of them
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
        // Also after an interrupt: rows with a result are stored, and must be counted.
        for (int i = 0; i < left.length; i++) {
          if (results[i] instanceof Result) {
            answered.accept(left[i]);
          }
        }
      }
      int[] missed = new int[left.length];
      int count = 0;
      Severity severity = Severity.BUSY;
      Throwable reason = thrown;
      for (int i = 0; i < left.length; i++) {
        if (results[i] instanceof Result) {
          continue;
        }
        missed[count++] = left[i];
        Throwable why = results[i] instanceof Throwable error ? error : thrown;
        if (Severity.of(why).compareTo(severity) >= 0) {
          severity = Severity.of(why);
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
      if (ended || clock.nanos() - begun >= TimeUnit.SECONDS.toNanos(severity.seconds)) {
        throw new IOException(
            "row "
                + Bytes.toStringBinary(rows.get(left[0]).getRow())
                + " was not acknowledged by HBase",
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
