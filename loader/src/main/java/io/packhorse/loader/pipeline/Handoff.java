package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of batches from the reading thread to one shard; the shard's end is a source.
 *
 * <p>When the shard closes its end, what is queued and still comes is dropped, so that the reader
 * never waits for a shard that is gone.
 */
final class Handoff implements PointSource {
  private static final PointBatch END = new PointBatch(1);

  private final BlockingQueue<PointBatch> queue;
  private volatile boolean closed;

  Handoff(int batchesMax) {
    queue = new ArrayBlockingQueue<>(batchesMax);
  }

  /** Gives a batch away; blocks while the queue is full and the shard takes from it. */
  void put(PointBatch batch) throws InterruptedException {
    if (!closed) {
      queue.put(batch);
    }
  }

  /** Says that nothing more comes. */
  void end() throws InterruptedException {
    put(END);
  }

  /** Ends the queue at once, dropping what is in it; by the one who puts, instead of the rest. */
  void cut() {
    queue.clear();
    queue.add(END);
  }

  @Override
  public @Nullable PointBatch next() throws InterruptedException {
    PointBatch batch = queue.take();
    return batch == END ? null : batch;
  }

  /** Frees a reader that waits in {@link #put}: there is one reader, so one free slot is enough. */
  @Override
  public void close() {
    closed = true;
    queue.clear();
  }
}
