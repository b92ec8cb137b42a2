package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesGrouping;
import io.packhorse.loader.sink.CellSink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/** One packer and one sink on one thread; {@link #counts} is for any thread. */
final class Shard {
  private final ShardInput input;
  private final HourPacker packer;
  private final CellSink sink;
  private final SeriesGrouping grouping = new SeriesGrouping();
  private final PointBatch grouped = new PointBatch(1);
  private volatile LoadCounts counts = LoadCounts.NONE;
  private volatile long visibleUntilMs;
  private long read;

  Shard(ShardInput input, HourPacker packer, CellSink sink) {
    this.input = input;
    this.packer = packer;
    this.sink = sink;
  }

  /**
   * Packs the input to its end and closes it, also after a failure.
   *
   * @param stopped asked at the end of the input and while open hours are sealed. Once true, the
   *     rest of them is dropped and sealed cells are flushed; an all-or-nothing sink is not flushed
   * @throws InterruptedIOException if stopped and the sink is all-or-nothing
   */
  void run(BooleanSupplier stopped) throws IOException, InterruptedException {
    try (input;
        packer) {
      for (ShardInput.Step step = input.next(); step != null; step = input.next()) {
        packer.passTime(System.currentTimeMillis());
        take(step);
      }
      boolean sealed = seal(stopped);
      publish();
      if (sealed && !sink.allOrNothing()) {
        sink.sendAll();
      }
      input.sealed();
      for (ShardInput.Step step = input.next(); step != null; step = input.next()) {
        take(step);
      }
      if (!sealed && sink.allOrNothing()) {
        throw new InterruptedIOException("the load was stopped before all HFiles were written");
      }
    }
    publish();
    sink.flush();
    publish();
  }

  private void take(ShardInput.Step step) throws IOException, InterruptedException {
    PointBatch batch = step.batch();
    if (batch != null) {
      packer.accept(grouping.group(batch, grouped) ? grouped : batch);
      read += batch.points();
      input.free(batch);
      publish();
    }
    Barrier barrier = step.barrier();
    if (barrier != null) {
      pass(barrier);
    }
    if (batch == null && barrier == null) {
      publish();
      if (!sink.allOrNothing()) {
        sink.sendAll();
      }
    }
  }

  /** Seals what is open, and arrives at checkpoints meanwhile; false if the load was stopped. */
  private boolean seal(BooleanSupplier stopped) throws IOException, InterruptedException {
    boolean more = true;
    while (more) {
      if (stopped.getAsBoolean()) {
        return false;
      }
      more = packer.sealNext();
      publish();
      Barrier barrier = input.barrierAfterEnd();
      if (barrier != null) {
        pass(barrier);
      }
    }
    return true;
  }

  private void pass(Barrier barrier) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    HourPacker.Saved open = packer.saveOpen();
    publish();
    sink.flush();
    LoadCounts replaced = LoadCounts.ofReplaced(open.replacedPoints());
    barrier.arrive(counts().plus(replaced), open.files(), System.nanoTime() - begun);
  }

  private void publish() {
    visibleUntilMs = packer.visibleUntilMs();
    counts =
        new LoadCounts(
            read,
            packer.packedPoints(),
            packer.replacedPoints(),
            0,
            packer.cells(),
            packer.cellBytes(),
            packer.valueBytes());
  }

  HourPacker packer() {
    return packer;
  }

  /** As {@link HourPacker#visibleUntilMs}, as of the last batch. Any thread. */
  long visibleUntilMs() {
    return visibleUntilMs;
  }

  /** Counts as of the last batch, acknowledged points as of now. Any thread. */
  LoadCounts counts() {
    return counts.withAcknowledged(sink.acknowledgedPoints());
  }
}
