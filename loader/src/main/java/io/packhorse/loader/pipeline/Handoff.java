package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of batches and barriers from the reading thread to one shard.
 *
 * <p>When the shard closes its end, what is queued and still comes is dropped, so that the reader
 * never waits for a shard that is gone.
 */
final class Handoff implements ShardInput {
  private static final Step NOTHING = new Step(null, null);
  private static final int WAIT_SECONDS = 1;

  /** Compared by identity; steps without content are equal. */
  private final Step end = new Step(null, null);

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
    put(end);
  }

  private void put(Step step) throws InterruptedException {
    if (!closed) {
      queue.put(step);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // see end
  public @Nullable Step next() throws InterruptedException {
    Step step = queue.poll(WAIT_SECONDS, TimeUnit.SECONDS);
    if (step == null) {
      return NOTHING;
    }
    return step == end ? null : step;
  }

  /** Whether the shard has nothing to take. */
  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Frees a reader that waits in {@link #put}: there is one reader, so one free slot is enough. */
  @Override
  public void close() {
    closed = true;
    queue.clear();
  }
}
