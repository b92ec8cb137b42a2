package io.packhorse.loader.loadtest;

import java.util.ArrayList;
import java.util.List;

/** The batches of a load test. Any number of threads. */
record Writes(
    Workload workload,
    WorkloadSeries series,
    Schedule schedule,
    Protocol protocol,
    HttpTarget target,
    Acknowledged acknowledged)
    implements OpenLoop.Calls {
  @Override
  public OpenLoop.Call prepare(long number) {
    int batch = (int) number;
    long tick = schedule.tick(batch);
    List<String> points = new ArrayList<>();
    Values values = workload.values();
    for (int of = schedule.firstSeries(batch); of < schedule.endSeries(batch); of++) {
      String value = values.text(values.mantissa(workload.seed(), of, tick));
      points.add(protocol.point(series.metric(of), series.tags(of), schedule.tickMs(tick), value));
    }
    String body = protocol.body(points);
    return new OpenLoop.Call() {
      @Override
      public int units() {
        return points.size();
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
}
