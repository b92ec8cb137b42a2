package io.packhorse.loader.inch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Writes all lines, each writer its next request when the one before was answered. A request that
 * fails is sent again after a second, until it is taken; one that the server refuses for good ends
 * the run. One run an instance.
 */
public final class InchRun {
  private static final long RETRY_MS = 1000;
  private static final double NEWEST = 0.5;
  private static final int LONGEST_MICROS = 600_000_000;

  private final InchLines lines;
  private final @Nullable InchTarget target;
  private final Pace pace;
  private final AtomicLong next = new AtomicLong();
  private final LongAdder points = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final Histogram latencies = new ConcurrentHistogram(LONGEST_MICROS, 3);
  private final AtomicReference<@Nullable String> stopped = new AtomicReference<>();
  private final List<Thread> writers = new ArrayList<>();
  private volatile double latencyMicros;
  private volatile double delayMicros;
  private volatile long startNanos;

  /**
   * How fast it goes.
   *
   * @param writers at the same time, 1 or more
   * @param delay between a writer's requests
   * @param targetLatency the delay is changed until answers take about so long; zero for a fixed
   *     one
   * @param maxErrors after which it is given up; 0 for never
   */
  public record Pace(int writers, Duration delay, Duration targetLatency, int maxErrors) {
    public Pace {
      if (writers < 1) {
        throw new IllegalArgumentException("-c must be 1 or more");
      }
    }
  }

  /**
   * How far it is.
   *
   * @param latencies of requests that were answered, microseconds; a copy
   * @param delayMs between a writer's requests now
   */
  public record Seen(
      double seconds, long points, long values, long errors, Histogram latencies, double delayMs) {}

  /**
   * @param target where lines go; null to make them only
   */
  public InchRun(InchLines lines, @Nullable InchTarget target, Pace pace) {
    this.lines = lines;
    this.target = target;
    this.pace = pace;
    this.delayMicros = pace.delay().toNanos() / 1000.0;
  }

  /** Begins. */
  public void start() {
    startNanos = System.nanoTime();
    for (int i = 0; i < pace.writers(); i++) {
      Thread writer = new Thread(this::write, "inch-" + i);
      writer.setDaemon(true);
      writers.add(writer);
      writer.start();
    }
  }

  /**
   * Waits for the end, but no longer than that.
   *
   * @return whether it has ended
   */
  public boolean await(Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    for (Thread writer : writers) {
      writer.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      if (writer.isAlive()) {
        return false;
      }
    }
    return true;
  }

  /** Why it was given up; null if it was not. */
  public @Nullable String stopped() {
    return stopped.get();
  }

  /** How far it is; any thread. */
  public Seen seen() {
    long written = points.sum();
    return new Seen(
        (System.nanoTime() - startNanos) / 1e9,
        written,
        written * lines.fields(),
        errors.sum(),
        latencies.copy(),
        delayMicros / 1000);
  }

  private void write() {
    try {
      long number;
      while (stopped.get() == null && (number = next.getAndIncrement()) < lines.batches()) {
        byte[] body = lines.body(number);
        if (target != null) {
          send(target, body, number);
          TimeUnit.MICROSECONDS.sleep((long) delayMicros);
        }
        if (stopped.get() == null) {
          points.add(lines.points(number));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      stop("a writer failed: " + e);
    }
  }

  /** Until it is taken, or the run has ended. */
  private void send(InchTarget to, byte[] body, long number) throws InterruptedException {
    while (stopped.get() == null) {
      long sent = System.nanoTime();
      String failure;
      try {
        InchTarget.Answer answer = to.write(body, number);
        took((System.nanoTime() - sent) / 1000);
        if (answer.isGood()) {
          return;
        }
        failure = answer.toString();
        if (!answer.isForNow()) {
          stop("request " + (number + 1) + " of " + lines.batches() + " was refused: " + failure);
        }
      } catch (IOException e) {
        failure = e.toString();
      }
      errors.increment();
      if (pace.maxErrors() > 0 && errors.sum() >= pace.maxErrors()) {
        stop("-max-errors " + pace.maxErrors() + " is reached; the last one: " + failure);
      }
      if (stopped.get() == null) {
        TimeUnit.MILLISECONDS.sleep(RETRY_MS);
      }
    }
  }

  private void stop(String reason) {
    stopped.compareAndSet(null, reason);
  }

  private synchronized void took(long micros) {
    latencies.recordValue(Math.min(LONGEST_MICROS, micros));
    latencyMicros = latencyMicros == 0 ? micros : latencyMicros + NEWEST * (micros - latencyMicros);
    double wanted = pace.targetLatency().toNanos() / 1000.0;
    if (wanted > 0) {
      // Half of what is too much, so that writers do not overshoot together.
      delayMicros = Math.max(0, delayMicros + (latencyMicros - wanted) / 2);
    }
  }
}
