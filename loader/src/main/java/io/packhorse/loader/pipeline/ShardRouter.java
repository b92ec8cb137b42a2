package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import java.util.List;

/** Deals the runs of a batch out to shards, so that each series has one packer. One thread. */
final class ShardRouter {
  /** Enough for several points of each of some ten thousand series, which then come together. */
  private static final int BATCH_POINTS_MAX = 1 << 17;

  private static final int BATCH_POINTS_AT_FIRST = 1 << 12;

  /** What a point of a batch takes, a run of its own included. */
  private static final int POINT_BYTES = 25;

  /** Batches of a shard: filled, waiting, packed from, and that one with its series together. */
  private static final int BATCHES_A_SHARD = 5;

  /** All batches take at most one part in so many of the heap. */
  private static final int HEAP_SHARE = 16;

  private final List<Handoff> shards;
  private final int batchPoints;
  private final PointBatch[] filling;

  ShardRouter(List<Handoff> shards) {
    this.shards = shards;
    this.batchPoints = batchPoints(Runtime.getRuntime().maxMemory(), shards.size());
    this.filling = new PointBatch[shards.size()];
    for (int i = 0; i < filling.length; i++) {
      filling[i] = new PointBatch(BATCH_POINTS_AT_FIRST);
    }
  }

  private static int batchPoints(long heapBytes, int shards) {
    long points = heapBytes / HEAP_SHARE / ((long) shards * BATCHES_A_SHARD * POINT_BYTES);
    return (int) Math.max(BATCH_POINTS_AT_FIRST, Math.min(BATCH_POINTS_MAX, points));
  }

  /** Copies every point of the batch towards its shard; blocks while that shard's queue is full. */
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

  /** Sends what there is to each shard that has nothing to do, however little. */
  void sendToIdle() throws InterruptedException {
    for (int shard = 0; shard < filling.length; shard++) {
      if (filling[shard].points() > 0 && shards.get(shard).isEmpty()) {
        send(shard);
      }
    }
  }

  /** Sends a barrier after everything routed so far. */
  void pass(Barrier barrier) throws InterruptedException {
    sendAll();
    for (Handoff shard : shards) {
      shard.put(barrier);
    }
  }

  /** Sends what is left and ends every queue. */
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
    // The next one will be about as large.
    int capacity = Math.min(batchPoints, 2 * filling[shard].points());
    shards.get(shard).put(filling[shard]);
    PointBatch free = shards.get(shard).takeFree();
    filling[shard] = free == null ? new PointBatch(capacity) : free;
  }
}
