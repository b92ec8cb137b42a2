package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Makes the checkpoints of one source durable. They are completed in the order they began. */
public interface Checkpoints {
  /** For a load without checkpoints. */
  Checkpoints NONE =
      new Checkpoints() {
        @Override
        public boolean due() {
          return false;
        }

        @Override
        public Optional<Pending> begin(SourcePosition position) {
          return Optional.empty();
        }
      };

  /** Whether it is time for the next checkpoint. On the thread that reads the source. */
  boolean due();

  /**
   * Begins a checkpoint. On the thread that reads the source.
   *
   * @param position that the source has reached
   * @return empty if no checkpoint is wanted here
   */
  Optional<Pending> begin(SourcePosition position) throws IOException;

  /** A checkpoint under way. */
  interface Pending {
    /**
     * Makes the checkpoint durable: every point before its position is acknowledged by the store or
     * in the open hours. On any thread.
     *
     * @param counts over all shards, at that position
     * @param openHours of all shards, for {@link io.packhorse.loader.pack.OpenHours}; the files
     *     belong to the checkpoint now
     */
    void complete(LoadCounts counts, List<HourFile> openHours) throws IOException;

    /**
     * Says before that what the checkpoint has cost the slowest shard; time in which points before
     * it were packed is no cost.
     */
    default void cost(long nanos) {}
  }
}
