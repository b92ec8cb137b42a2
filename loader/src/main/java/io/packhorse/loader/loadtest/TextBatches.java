package io.packhorse.loader.loadtest;

/** Batches as text, each a request that is waited for. */
record TextBatches(Workload workload, Schedule schedule, Protocol protocol, WriteTarget target)
    implements Batches {
  private static final int ROOM = 4;

  @Override
  public Batch make(int number) {
    String body = body(workload, schedule, protocol, number);
    return answered -> answered.accept(target.send(body));
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

  @Override
  public void close() {
    target.close();
  }
}
