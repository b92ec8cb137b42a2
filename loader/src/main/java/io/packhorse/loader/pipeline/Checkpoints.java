package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Where the checkpoints of one source go. Those begun are completed in their order. */
public interface Checkpoints {
  /** Of a load that makes none. */
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

  /** Whether it is time for the next one; on the thread that reads the source. */
  boolean due();

  /**
   * Begins one at the place reached; on the thread that reads the source.
   *
   * @return empty if none is to be made
   */
  Optional<Pending> begin(SourcePosition position) throws IOException;

  /** A checkpoint under way. */
  interface Pending {
    /**
     * Makes it durable: all points before its position are in cells acknowledged by the store, or
     * in the open hours. On any thread.
     *
     * @param counts over all shards, at that position
     * @param openHours of all shards, see {@link io.packhorse.loader.pack.OpenHours}; nobody else
     *     changes or removes these files from now on
     */
    void complete(LoadCounts counts, List<HourFile> openHours) throws IOException;
  }
}
