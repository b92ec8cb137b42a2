package io.packhorse.loader.sink;

import java.util.concurrent.TimeUnit;

/** No more points a second than wanted, over a second or so. Any number of threads. */
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

  /** Waits until points may go, as long as those that went before take. */
  void await(int points) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(reserve(points, System.nanoTime()));
  }

  /**
   * Takes the time of points; a store that was slow is not made up for.
   *
   * @return nanoseconds to wait, 0 or less if none
   */
  synchronized long reserve(int points, long nowNanos) {
    dueNanos = Math.max(dueNanos, nowNanos - SECOND_NANOS);
    long wait = dueNanos - nowNanos;
    dueNanos += (long) (points / pointsPerSecond * SECOND_NANOS);
    return wait;
  }
}
