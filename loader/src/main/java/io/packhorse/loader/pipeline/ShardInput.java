package io.packhorse.loader.pipeline;

import io.packhorse.loader.point.PointBatch;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a shard works off. Used by its thread, which closes it. */
interface ShardInput extends Closeable {
  /**
   * What comes next: one of the two, or neither if nothing has come for a while.
   *
   * @param batch points; valid until the next step
   * @param barrier a checkpoint to take part in
   */
  record Step(@Nullable PointBatch batch, @Nullable Barrier barrier) {}

  /** The next step, or null at the end. */
  @Nullable Step next() throws IOException, InterruptedException;

  /** Gives a batch of {@link #next} back, to be filled again. */
  default void free(PointBatch batch) {}
}
