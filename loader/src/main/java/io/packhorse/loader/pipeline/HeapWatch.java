package io.packhorse.loader.pipeline;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Detects that the heap is too small for a load: when garbage collection takes most of the time and
 * finds nothing to free, a JVM continues for minutes before it throws an OutOfMemoryError. One
 * thread.
 */
public final class HeapWatch {
  /** Time over which the share of garbage collection is measured. */
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A load that is short of memory but still ends was seen to spend up to 0.85 of its time so. */
  private static final double COLLECTING_SHARE_MIN = 0.9;

  /** Share of the old generation that is still in use after it was collected. */
  private static final double RETAINED_SHARE_MIN = 0.9;

  private final Deque<Reading> readings = new ArrayDeque<>();

  /**
   * The heap at one moment.
   *
   * @param nanos as of {@link System#nanoTime}
   * @param collectingMs time of all garbage collections so far
   * @param retainedShare of the old generation, what its last collection could not free, 0 to 1
   */
  record Reading(long nanos, long collectingMs, double retainedShare) {
    static Reading now() {
      long collectingMs = 0;
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        // Cycles of concurrent collectors are not pauses.
        if (!collector.getName().endsWith("Cycles")) {
          collectingMs += Math.max(0, collector.getCollectionTime());
        }
      }
      return new Reading(System.nanoTime(), collectingMs, retainedShareNow());
    }

    private static double retainedShareNow() {
      double share = 0;
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        // Of the pools of a heap, those for new objects have no usage threshold.
        if (pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported()) {
          MemoryUsage retained = pool.getCollectionUsage();
          if (retained != null && retained.getMax() > 0) {
            share = Math.max(share, (double) retained.getUsed() / retained.getMax());
          }
        }
      }
      return share;
    }
  }

  /**
   * Adds a reading, which is later than those before.
   *
   * @return whether the heap is too small
   */
  boolean add(Reading now) {
    readings.addLast(now);
    while (readings.size() > 2 && now.nanos() - secondReading().nanos() >= WINDOW_NANOS) {
      readings.removeFirst();
    }
    Reading then = readings.getFirst();
    long elapsed = now.nanos() - then.nanos();
    if (elapsed < WINDOW_NANOS || now.retainedShare() < RETAINED_SHARE_MIN) {
      return false;
    }
    long collecting = TimeUnit.MILLISECONDS.toNanos(now.collectingMs() - then.collectingMs());
    return (double) collecting / elapsed >= COLLECTING_SHARE_MIN;
  }

  /**
   * Looks now.
   *
   * @param series in the heap, for the message
   * @throws HeapFullException if the heap is too small
   */
  public void check(int series) throws HeapFullException {
    if (add(Reading.now())) {
      throw new HeapFullException(Runtime.getRuntime().maxMemory(), series);
    }
  }

  private Reading secondReading() {
    return readings.stream().skip(1).findFirst().orElseThrow();
  }
}
