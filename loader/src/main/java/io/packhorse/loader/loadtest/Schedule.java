package io.packhorse.loader.loadtest;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * When which points are sent: each series has a point an interval; the batches of an interval are
 * spread evenly over it. During the ramp, interval after interval more of the series take part, the
 * first ones first. Immutable; any number of threads.
 */
final class Schedule {
  private final Workload workload;
  private final long firstTick;
  private final int perTick;

  /** Batches before each interval of the ramp, and before the first one after it. */
  private final int[] rampBatches;

  private Schedule(Workload workload, long firstTick, int perTick, int[] ramp) {
    this.workload = workload;
    this.firstTick = firstTick;
    this.perTick = perTick;
    this.rampBatches = ramp;
  }

  static Schedule of(Workload workload, long nowMs) {
    long intervalMs = workload.interval().toMillis();
    int perTick = (workload.series().count() + workload.batch() - 1) / workload.batch();
    int rampTicks = Math.toIntExact(workload.ramp().toMillis() / intervalMs);
    int[] ramp = new int[rampTicks + 1];
    for (int tick = 0; tick < rampTicks; tick++) {
      long share = (long) perTick * (tick + 1) / (rampTicks + 1);
      ramp[tick + 1] = Math.addExact(ramp[tick], (int) Math.max(1, share));
    }
    long spanMs = workload.warmUp().toMillis() + workload.hold().toMillis();
    long steady = Math.max(1, Math.multiplyExact(spanMs, (long) perTick) / intervalMs);
    if (steady + ramp[rampTicks] > Integer.MAX_VALUE) {
      throw new ArithmeticException("the test has more than 2^31 requests");
    }
    return new Schedule(workload, Math.floorDiv(nowMs, intervalMs), perTick, ramp);
  }

  private int rampTicks() {
    return rampBatches.length - 1;
  }

  /** Number of the first interval since 1970. */
  long firstTick() {
    return firstTick;
  }

  /** Number of the first interval in which all series take part. */
  long firstFullTick() {
    return firstTick + rampTicks();
  }

  /** Batches of an interval in which all series take part. */
  int batchesATick() {
    return perTick;
  }

  /** The interval of a batch, from 0 on. */
  private long index(long batch) {
    int ramp = rampBatches[rampTicks()];
    if (batch >= ramp) {
      return rampTicks() + (batch - ramp) / perTick;
    }
    int found = Arrays.binarySearch(rampBatches, (int) batch);
    return found >= 0 ? found : -found - 2;
  }

  /** The first batch of an interval, counted from 0. */
  private long first(long index) {
    return index <= rampTicks()
        ? rampBatches[(int) index]
        : rampBatches[rampTicks()] + (index - rampTicks()) * perTick;
  }

  /** The first batch of an interval since 1970; it may be beyond the test. */
  long firstBatch(long tick) {
    return first(tick - firstTick);
  }

  /** How many intervals from the first on are over when so many batches are. */
  long ticksOf(long ended) {
    return index(ended);
  }

  /** When a batch is to be sent, nanoseconds after the start. */
  long offsetNanos(long batch) {
    long intervalNanos = workload.interval().toNanos();
    long index = index(batch);
    long first = first(index);
    return index * intervalNanos + (batch - first) * intervalNanos / (first(index + 1) - first);
  }

  /** The interval of a batch, since 1970. */
  long tick(int batch) {
    return firstTick + index(batch);
  }

  long tickMs(long tick) {
    return tick * workload.interval().toMillis();
  }

  /** First series of a batch. */
  int firstSeries(int batch) {
    return (int) (batch - first(index(batch))) * workload.batch();
  }

  /** Series after the last one of a batch. */
  int endSeries(int batch) {
    return Math.min(workload.series().count(), firstSeries(batch) + workload.batch());
  }

  /**
   * The batch with a point of a series; it may be beyond the test.
   *
   * @return -1 if the series does not take part yet
   */
  long batch(int series, long tick) {
    long index = tick - firstTick;
    long batch = first(index) + series / workload.batch();
    return batch < first(index + 1) ? batch : -1;
  }

  /** Ramp and warm-up. */
  long warmUpNanos() {
    return TimeUnit.MILLISECONDS.toNanos(
        rampTicks() * workload.interval().toMillis() + workload.warmUp().toMillis());
  }

  long nanos() {
    return warmUpNanos() + TimeUnit.MILLISECONDS.toNanos(workload.hold().toMillis());
  }
}
