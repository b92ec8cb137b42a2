package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import java.util.List;

/** Distributes points over shards by series number. Used by the reading thread. */
final class ShardRouter {
  /** Enough for several points of each of ten thousand series, which the shard groups. */
  private static final int BATCH_POINTS_MAX = 1 << 17;

  private static final int BATCH_POINTS_MIN = 1 << 12;

  /** Memory of a point in a batch that is a run of its own. */
  private static final int POINT_BYTES = 25;

  /** Batches of a shard: one being filled, two queued, one being packed, and its grouped copy. */
  private static final int BATCHES_A_SHARD = 5;

  /** All batches together take at most 1/16 of the heap. */
  private static final int HEAP_SHARE = 16;

  private final List<Handoff> shards;
  private final int batchPoints;
  private final PointBatch[] filling;

  /**
   * @param batchPointsMax most points of a batch, but for a run that has more
   */
  ShardRouter(List<Handoff> shards, int batchPointsMax) {
    this.shards = shards;
    this.batchPoints =
        Math.min(batchPointsMax, batchPoints(Runtime.getRuntime().maxMemory(), shards.size()));
    this.filling = new PointBatch[shards.size()];
    for (int i = 0; i < filling.length; i++) {
      filling[i] = new PointBatch(Math.min(batchPoints, BATCH_POINTS_MIN));
    }
  }

  private static int batchPoints(long heapBytes, int shards) {
    long points = heapBytes / HEAP_SHARE / ((long) shards * BATCHES_A_SHARD * POINT_BYTES);
    return (int) Math.max(BATCH_POINTS_MIN, Math.min(BATCH_POINTS_MAX, points));
  }

  /** Copies every point to the batch of its shard; blocks while that shard's queue is full. */
  void route(PointBatch batch) throws InterruptedException {
    for (int run = 0; run < batch.runs(); run++) {
      int shard = batch.series(run) % filling.length;
      int length = batch.end(run) - batch.start(run);
      int held = filling[shard].points();
      if (held > 0 && held + length > batchPoints) {
        send(shard);
      }
      filling[shard].addRun(batch, run);
    }
  }

  /** Sends its batch, however small, to each shard that has nothing to do. */
  void sendToIdle() throws InterruptedException {
    for (int shard = 0; shard < filling.length; shard++) {
      if (filling[shard].points() > 0 && shards.get(shard).isEmpty()) {
        send(shard);
      }
    }
  }

  /** Sends all batches, then a barrier, to every shard. */
  void pass(Barrier barrier) throws InterruptedException {
    sendAll();
    for (Handoff shard : shards) {
      shard.put(barrier);
    }
  }

  /** Sends all batches and ends every queue. */
  void end() throws InterruptedException {
    sendAll();
    for (Handoff shard : shards) {
      shard.end();
    }
  }

  private void sendAll() throws InterruptedException {
    for (int shard = 0; shard < filling.length; shard++) {
      if (filling[shard].points() > 0) {
        send(shard);
      }
    }
  }

  private void send(int shard) throws InterruptedException {
    // The next batch will be about as large.
    int capacity = Math.min(batchPoints, 2 * filling[shard].points());
    shards.get(shard).put(filling[shard]);
    PointBatch free = shards.get(shard).takeFree();
    filling[shard] = free == null ? new PointBatch(capacity) : free;
  }
}
