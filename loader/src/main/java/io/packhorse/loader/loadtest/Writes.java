package io.packhorse.loader.loadtest;

import java.util.function.Consumer;

/** The batches of a load test as calls. Any number of threads. */
record Writes(Schedule schedule, Batches batches, Acknowledged acknowledged)
    implements OpenLoop.Calls {
  @Override
  public OpenLoop.Call prepare(long number) {
    int batch = (int) number;
    int points = schedule.endSeries(batch) - schedule.firstSeries(batch);
    Batches.Batch made = batches.make(batch);
    return new OpenLoop.Call() {
      @Override
      public int units() {
        return points;
      }

      @Override
      public void send(Consumer<String> answered) throws InterruptedException {
        made.send(answered);
      }

      @Override
      public void ended(boolean wasAcknowledged) {
        acknowledged.ended(batch, wasAcknowledged);
      }
    };
  }
}
