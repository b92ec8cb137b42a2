package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of batches and barriers from the reading thread to the thread of one shard.
 *
 * <p>Once the shard has closed it, whatever is or will be queued is dropped, so that the reader
 * never waits for a shard that has ended.
 */
final class Handoff implements ShardInput {
  private static final Step NOTHING = new Step(null, null);
  private static final int WAIT_SECONDS = 1;

  /** Marks the end. Compared by identity, because all empty steps are equal. */
  private final Step end = new Step(null, null);

  private final BlockingQueue<Step> queue;
  private final CountDownLatch sealing;
  private final Queue<PointBatch> free = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /**
   * @param sealing counted down when the shard has sealed what was open at the end
   */
  Handoff(int stepsMax, CountDownLatch sealing) {
    queue = new ArrayBlockingQueue<>(stepsMax);
    this.sealing = sealing;
  }

  /** An empty batch to be filled again, or null if there is none. */
  @Nullable PointBatch takeFree() {
    return free.poll();
  }

  @Override
  public void free(PointBatch batch) {
    batch.clear();
    free.add(batch);
  }

  /** Queues a batch, which belongs to the shard now; blocks while the queue is full. */
  void put(PointBatch batch) throws InterruptedException {
    put(new Step(batch, null));
  }

  /** Queues a barrier; blocks while the queue is full. */
  void put(Barrier barrier) throws InterruptedException {
    put(new Step(null, barrier));
  }

  /** Queues the end of the points, or after it the end of the barriers. */
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

  @Override
  public @Nullable Barrier barrierAfterEnd() {
    // The end of the barriers comes only once all shards have sealed.
    Step step = queue.poll();
    return step == null ? null : step.barrier();
  }

  @Override
  public void sealed() {
    sealing.countDown();
  }

  /** Whether nothing is queued. */
  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Frees the reader if it waits in {@link #put}: there is one, so one free slot is enough. */
  @Override
  public void close() {
    closed = true;
    queue.clear();
  }
}
