package io.packhorse.loader.sink;

import io.packhorse.loader.cell.CellWrite;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A sink that takes cells at a limited pace, which several sinks may share. At a low pace the calls
 * of the sink beneath would take long to fill: what it has taken is sent every second. One thread.
 */
public final class PacedSink implements CellSink {
  private static final long SEND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CellSink sink;
  private final Pace pace;
  private final Clock clock;
  private long sentNanos;

  /** Time, as the sink needs it. */
  interface Clock {
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
          }
        };

    /** As {@link System#nanoTime}. */
    long nanos();

    /** Does not wait if the time is 0 or negative. */
    void sleep(long nanos) throws InterruptedException;
  }

  /**
   * @param sink closed with this one
   */
  public PacedSink(CellSink sink, Pace pace) {
    this(sink, pace, Clock.SYSTEM);
  }

  PacedSink(CellSink sink, Pace pace, Clock clock) {
    this.sink = sink;
    this.pace = pace;
    this.clock = clock;
    this.sentNanos = clock.nanos();
  }

  @Override
  public void write(CellWrite cell) throws IOException, InterruptedException {
    long dueNanos = clock.nanos();
    dueNanos += pace.reserve(cell.points(), dueNanos);
    if (dueNanos > clock.nanos() && dueNanos - sentNanos >= SEND_NANOS) {
      sink.sendAll();
      sentNanos = clock.nanos();
    }
    clock.sleep(dueNanos - clock.nanos());
    sink.write(cell);
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    sink.flush();
  }

  @Override
  public void sendAll() throws IOException, InterruptedException {
    sink.sendAll();
  }

  @Override
  public boolean allOrNothing() {
    return sink.allOrNothing();
  }

  @Override
  public long retries() {
    return sink.retries();
  }

  @Override
  public long acknowledgedPoints() {
    return sink.acknowledgedPoints();
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
