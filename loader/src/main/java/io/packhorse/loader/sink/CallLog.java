package io.packhorse.loader.sink;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * How calls to a store go: how long they take, how many are under way, what each region gets. Any
 * thread.
 */
public final class CallLog {
  private static final long MICROS_MAX = 3_600_000_000L;
  private static final int DIGITS = 2;

  private final Recorder recorder = new Recorder(MICROS_MAX, DIGITS);
  private final Histogram all = new Histogram(MICROS_MAX, DIGITS);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong retries = new AtomicLong();
  private final Map<String, Share> regions = new ConcurrentHashMap<>();

  /** What one region got: calls, cells, points, bytes and the time its calls took together. */
  public record Share(long calls, long cells, long points, long bytes, long micros) {
    Share plus(Share other) {
      return new Share(
          calls + other.calls,
          cells + other.cells,
          points + other.points,
          bytes + other.bytes,
          micros + other.micros);
    }
  }

  /** Notes that a call begins; returns what {@link #ended} wants to know of it. */
  public long begun() {
    inFlight.incrementAndGet();
    return System.nanoTime();
  }

  /**
   * Notes that a call has ended, well or not.
   *
   * @param begun what {@link #begun} returned
   * @param region by the first key of it
   */
  public void ended(long begun, String region) {
    long micros = (System.nanoTime() - begun) / 1000;
    recorder.recordValue(Math.min(MICROS_MAX, micros));
    regions.merge(region, new Share(1, 0, 0, 0, micros), Share::plus);
    inFlight.decrementAndGet();
  }

  /** Notes what was written for a region. */
  public void wrote(String region, long cells, long points, long bytes) {
    regions.merge(region, new Share(0, cells, points, bytes, 0), Share::plus);
  }

  /** Notes that rows are tried again. */
  public void retried(int rows) {
    retries.addAndGet(rows);
  }

  /** Rows that were tried again, each as often as it was. */
  public long retries() {
    return retries.get();
  }

  /** Calls begun and not ended. */
  public int inFlight() {
    return inFlight.get();
  }

  /** Times in microseconds of the calls that have ended since the last time this was asked. */
  public synchronized Histogram sinceLast() {
    Histogram interval = recorder.getIntervalHistogram();
    all.add(interval);
    return interval;
  }

  /** Times of all calls up to the last {@link #sinceLast}, in microseconds; a copy. */
  public synchronized Histogram times() {
    return all.copy();
  }

  /** Shares by region; a copy. */
  public Map<String, Share> regions() {
    return new TreeMap<>(regions);
  }
}
