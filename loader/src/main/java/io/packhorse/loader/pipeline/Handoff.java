package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** Bounded queue of batches from the reading thread to one shard; the shard's end is a source. */
final class Handoff implements PointSource {
  private static final PointBatch END = new PointBatch(1);

  private final BlockingQueue<PointBatch> queue;

  Handoff(int batchesMax) {
    queue = new ArrayBlockingQueue<>(batchesMax);
  }

  /** Gives a batch away; blocks while the queue is full. */
  void put(PointBatch batch) throws InterruptedException {
    queue.put(batch);
  }

  /** Says that nothing more comes. */
  void end() throws InterruptedException {
    queue.put(END);
  }

  @Override
  public @Nullable PointBatch next() throws InterruptedException {
    PointBatch batch = queue.take();
    return batch == END ? null : batch;
  }

  @Override
  public void close() {}
}
