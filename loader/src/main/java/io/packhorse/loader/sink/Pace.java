package io.packhorse.loader.sink;

import java.util.concurrent.TimeUnit;

/** Limits points per second, averaged over about a second. Any number of threads. */
public final class Pace {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final double pointsPerSecond;
  private long dueNanos = System.nanoTime();

  /**
   * @param pointsPerSecond above 0
   */
  public Pace(double pointsPerSecond) {
    if (!(pointsPerSecond > 0)) {
      throw new IllegalArgumentException(
          "pace must be above 0: pointsPerSecond=" + pointsPerSecond);
    }
    this.pointsPerSecond = pointsPerSecond;
  }

  /**
   * Reserves time for points. Time lost to a slow store is not made up, beyond one second.
   *
   * @return nanoseconds to wait; 0 or less for none
   */
  synchronized long reserve(int points, long nowNanos) {
    dueNanos = Math.max(dueNanos, nowNanos - SECOND_NANOS);
    long wait = dueNanos - nowNanos;
    dueNanos += (long) (points / pointsPerSecond * SECOND_NANOS);
    return wait;
  }

  /** Waits until so many points are due. */
  public void await(int points) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(reserve(points, System.nanoTime()));
  }
}
