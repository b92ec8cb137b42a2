package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesGrouping;
import io.packhorse.loader.sink.CellSink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/** One packer and one sink on one thread: works off its input to the end. */
final class Shard {
  private final ShardInput input;
  private final HourPacker packer;
  private final CellSink sink;
  private final SeriesGrouping grouping = new SeriesGrouping();
  private final PointBatch grouped = new PointBatch(1);
  private volatile LoadCounts counts = LoadCounts.NONE;
  private long read;

  Shard(ShardInput input, HourPacker packer, CellSink sink) {
    this.input = input;
    this.packer = packer;
    this.sink = sink;
  }

  /**
   * Runs to the end and closes the input, whichever way it ends.
   *
   * @param stopped asked at the end of the input; if so, open hours are given up and what was
   *     sealed is still flushed, unless the sink is for all or nothing
   * @throws InterruptedIOException if it was stopped and the sink is for all or nothing
   */
  void run(BooleanSupplier stopped) throws IOException, InterruptedException {
    try (input) {
      for (ShardInput.Step step = input.next(); step != null; step = input.next()) {
        packer.passTime(System.currentTimeMillis());
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
      if (!stopped.getAsBoolean()) {
        packer.finish();
      } else if (sink.allOrNothing()) {
        throw new InterruptedIOException("stopped before everything was written");
      }
    }
    publish();
    sink.flush();
    publish();
  }

  private void pass(Barrier barrier) throws IOException, InterruptedException {
    HourPacker.Saved open = packer.saveOpen();
    publish();
    sink.flush();
    LoadCounts replaced = new LoadCounts(0, 0, open.replacedPoints(), 0, 0, 0, 0);
    barrier.arrive(counts().plus(replaced), open.files());
  }

  private void publish() {
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

  /** Counts as of the last batch, acknowledgements as of now; any thread. */
  LoadCounts counts() {
    LoadCounts last = counts;
    return new LoadCounts(
        last.read(),
        last.packed(),
        last.replaced(),
        sink.acknowledgedPoints(),
        last.cells(),
        last.cellBytes(),
        last.valueBytes());
  }
}
