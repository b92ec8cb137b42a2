package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.source.PointSource;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * One packer and one sink on one thread: takes batches until the source ends or it is told to stop.
 */
final class Shard {
  private final PointSource source;
  private final HourPacker packer;
  private final CellSink sink;
  private volatile LoadCounts counts = LoadCounts.NONE;
  private long read;

  Shard(PointSource source, HourPacker packer, CellSink sink) {
    this.source = source;
    this.packer = packer;
    this.sink = sink;
  }

  /**
   * Runs to the end and closes the source, whichever way it ends.
   *
   * @param stop asked before each batch; when it says so, open hours are given up and what was
   *     sealed is still flushed
   */
  void run(BooleanSupplier stop) throws IOException, InterruptedException {
    try (source) {
      while (!stop.getAsBoolean()) {
        PointBatch batch = source.next();
        if (batch == null) {
          packer.finish();
          break;
        }
        packer.accept(batch);
        read += batch.points();
        publish();
      }
    }
    publish();
    sink.flush();
    publish();
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
