package io.packhorse.loader.loadtest;

import io.packhorse.loader.source.generated.WorkloadSeries;
import io.packhorse.loader.source.generated.WorkloadValues;

/** The batches of a load test. Any number of threads. */
record Writes(
    Workload workload,
    Schedule schedule,
    Protocol protocol,
    WriteTarget target,
    Acknowledged acknowledged)
    implements OpenLoop.Calls {
  @Override
  public OpenLoop.Call prepare(long number) {
    int batch = (int) number;
    int points = schedule.endSeries(batch) - schedule.firstSeries(batch);
    String body = body(workload, schedule, protocol, batch);
    return new OpenLoop.Call() {
      @Override
      public int units() {
        return points;
      }

      @Override
      public String send() throws InterruptedException {
        return target.send(body);
      }

      @Override
      public void ended(boolean wasAcknowledged) {
        acknowledged.ended(batch, wasAcknowledged);
      }
    };
  }

  /** The points of a batch, as they are sent. */
  static String body(Workload workload, Schedule schedule, Protocol protocol, int batch) {
    long tick = schedule.tick(batch);
    WorkloadSeries series = workload.series();
    WorkloadValues values = workload.values();
    StringBuilder out = new StringBuilder(protocol.begin());
    StringBuilder value = new StringBuilder();
    int first = schedule.firstSeries(batch);
    for (int of = first; of < schedule.endSeries(batch); of++) {
      value.setLength(0);
      values.append(value, values.mantissa(WorkloadValues.key(workload.seed(), series, of), tick));
      if (of > first) {
        out.append(protocol.between());
      }
      protocol.append(out, series, of, schedule.tickMs(tick), value);
    }
    return out.append(protocol.end()).toString();
  }
}
