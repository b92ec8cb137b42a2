package io.packhorse.loader.sink;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Statistics of calls to a store: how long they take, how many are in flight, what each region
 * gets. Any number of threads.
 */
public final class CallLog {
  private static final long MICROS_MAX = 3_600_000_000L;
  private static final int DIGITS = 2;

  private final Recorder recorder = new Recorder(MICROS_MAX, DIGITS);
  private final Histogram all = new Histogram(MICROS_MAX, DIGITS);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong retries = new AtomicLong();
  private final Map<String, Share> regions = new ConcurrentHashMap<>();

  /** What one region got, and the time that its calls took together. */
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

  /** Records the start of a call; returns the start time that {@link #ended} needs. */
  public long begun() {
    inFlight.incrementAndGet();
    return System.nanoTime();
  }

  /**
   * Records the end of a call, successful or not.
   *
   * @param begun what {@link #begun} returned
   * @param region its first key in hex
   */
  public void ended(long begun, String region) {
    long micros = (System.nanoTime() - begun) / 1000;
    recorder.recordValue(Math.min(MICROS_MAX, micros));
    regions.merge(region, new Share(1, 0, 0, 0, micros), Share::plus);
    inFlight.decrementAndGet();
  }

  /** Records what was written to a region. */
  public void wrote(String region, long cells, long points, long bytes) {
    regions.merge(region, new Share(0, cells, points, bytes, 0), Share::plus);
  }

  /** Records that rows are put again. */
  public void retried(int rows) {
    retries.addAndGet(rows);
  }

  /** Rows put again; a row counts each time. */
  public long retries() {
    return retries.get();
  }

  /** Calls in flight. */
  public int inFlight() {
    return inFlight.get();
  }

  /** Durations in microseconds of the calls that ended since the last call of this method. */
  public synchronized Histogram sinceLast() {
    Histogram interval = recorder.getIntervalHistogram();
    all.add(interval);
    return interval;
  }

  /** Durations in microseconds of all calls up to the last {@link #sinceLast}; a copy. */
  public synchronized Histogram times() {
    return all.copy();
  }

  /** What each region got, by its first key in hex; a copy. */
  public Map<String, Share> regions() {
    return new TreeMap<>(regions);
  }
}
