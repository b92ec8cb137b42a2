package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of batches and barriers from the reading thread to one shard.
 *
 * <p>When the shard closes its end, what is queued and still comes is dropped, so that the reader
 * never waits for a shard that is gone.
 */
final class Handoff implements ShardInput {
  private static final Step END = new Step(null, null);

  private final BlockingQueue<Step> queue;
  private final Queue<PointBatch> free = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  Handoff(int stepsMax) {
    queue = new ArrayBlockingQueue<>(stepsMax);
  }

  /** A batch that was worked off, empty, or null if there is none. */
  @Nullable PointBatch takeFree() {
    return free.poll();
  }

  @Override
  public void free(PointBatch batch) {
    batch.clear();
    free.add(batch);
  }

  /** Gives a batch away; blocks while the queue is full and the shard takes from it. */
  void put(PointBatch batch) throws InterruptedException {
    put(new Step(batch, null));
  }

  /** Sends a barrier after the batches put so far; blocks as {@link #put(PointBatch)}. */
  void put(Barrier barrier) throws InterruptedException {
    put(new Step(null, barrier));
  }

  /** Says that nothing more comes. */
  void end() throws InterruptedException {
    put(END);
  }

  private void put(Step step) throws InterruptedException {
    if (!closed) {
      queue.put(step);
    }
  }

  @Override
  public @Nullable Step next() throws InterruptedException {
    Step step = queue.take();
    return step.equals(END) ? null : step;
  }

  /** Frees a reader that waits in {@link #put}: there is one reader, so one free slot is enough. */
  @Override
  public void close() {
    closed = true;
    queue.clear();
  }
}
