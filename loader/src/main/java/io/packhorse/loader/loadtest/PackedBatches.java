package io.packhorse.loader.loadtest;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.generated.WorkloadValues;

/** Batches as points, which are packed in this process. */
record PackedBatches(Workload workload, Schedule schedule, Packing.Packer packer)
    implements Batches {
  @Override
  public Batch make(int number) {
    int first = schedule.firstSeries(number);
    int end = schedule.endSeries(number);
    long tick = schedule.tick(number);
    long timeMs = schedule.tickMs(tick);
    WorkloadValues values = workload.values();
    boolean isDouble = values.decimals() > 0;
    PointBatch points = new PointBatch(Math.max(1, end - first));
    for (int series = first; series < end; series++) {
      long key = WorkloadValues.key(workload.seed(), workload.series(), series);
      long mantissa = values.mantissa(key, tick);
      points.add(
          series,
          timeMs,
          isDouble ? Double.doubleToRawLongBits(values.value(mantissa)) : mantissa,
          isDouble);
    }
    return answered -> packer.take(points, answered);
  }

  @Override
  public void close() {
    packer.close();
  }
}
