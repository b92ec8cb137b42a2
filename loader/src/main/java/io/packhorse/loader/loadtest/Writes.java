package io.packhorse.loader.loadtest;

/** The batches of a load test. Any number of threads. */
record Writes(
    Workload workload,
    Schedule schedule,
    Protocol protocol,
    WriteTarget target,
    Acknowledged acknowledged)
    implements OpenLoop.Calls {
  private static final int ROOM = 4;

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
    PointText text = new PointText(workload, protocol, tick, schedule.tickMs(tick));
    StringBuilder out = new StringBuilder(protocol.begin());
    int first = schedule.firstSeries(batch);
    int end = schedule.endSeries(batch);
    for (int of = first; of < end; of++) {
      if (of > first) {
        out.append(protocol.between());
      }
      text.append(out, of);
      if (of == first) {
        // The others are about as long.
        out.ensureCapacity((end - first) * (out.length() + ROOM));
      }
    }
    return out.append(protocol.end()).toString();
  }
}
