package io.packhorse.loader.loadtest;

import java.util.concurrent.TimeUnit;

/**
 * When which points are sent: each series has a point an interval; the batches of an interval are
 * spread evenly over it.
 *
 * @param firstTick number of the first interval since 1970
 * @param batchesATick batches of an interval
 * @param batches of the whole test
 */
record Schedule(Workload workload, long firstTick, int batchesATick, int batches) {
  static Schedule of(Workload workload, long nowMs) {
    long intervalMs = workload.interval().toMillis();
    int perTick = (workload.series().count() + workload.batch() - 1) / workload.batch();
    long spanMs = workload.warmUp().toMillis() + workload.hold().toMillis();
    long all = Math.max(1, Math.multiplyExact(spanMs, (long) perTick) / intervalMs);
    return new Schedule(workload, Math.floorDiv(nowMs, intervalMs), perTick, Math.toIntExact(all));
  }

  /** When a batch is to be sent, nanoseconds after the start. */
  long offsetNanos(long batch) {
    long intervalNanos = workload.interval().toNanos();
    return batch / batchesATick * intervalNanos
        + batch % batchesATick * intervalNanos / batchesATick;
  }

  /** The interval of a batch, since 1970. */
  long tick(int batch) {
    return firstTick + batch / batchesATick;
  }

  long tickMs(long tick) {
    return tick * workload.interval().toMillis();
  }

  /** First series of a batch. */
  int firstSeries(int batch) {
    return batch % batchesATick * workload.batch();
  }

  /** Series after the last one of a batch. */
  int endSeries(int batch) {
    return Math.min(workload.series().count(), firstSeries(batch) + workload.batch());
  }

  /** The batch with a point of a series; it may be beyond the test. */
  long batch(int series, long tick) {
    return (tick - firstTick) * batchesATick + series / workload.batch();
  }

  long warmUpNanos() {
    return TimeUnit.MILLISECONDS.toNanos(workload.warmUp().toMillis());
  }

  long nanos() {
    return warmUpNanos() + TimeUnit.MILLISECONDS.toNanos(workload.hold().toMillis());
  }
}
