package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The input of a shard. Used and closed by the shard's thread. */
interface ShardInput extends Closeable {
  /**
   * A batch, a barrier, or neither if nothing has come for a while.
   *
   * @param batch points; valid until the next step
   * @param barrier a checkpoint that the shard must arrive at
   */
  record Step(@Nullable PointBatch batch, @Nullable Barrier barrier) {}

  /** The next step, or null at the end. */
  @Nullable Step next() throws IOException, InterruptedException;

  /**
   * A checkpoint to arrive at while the shard seals what is open, after the end; null for none.
   * Does not wait.
   */
  default @Nullable Barrier barrierAfterEnd() {
    return null;
  }

  /**
   * Says that the shard has sealed what was open; {@link #next} then has the barriers that are left
   * and a second end.
   */
  default void sealed() {}

  /** Returns a batch of {@link #next} that may be filled again. */
  default void free(PointBatch batch) {}
}
