package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A checkpoint on its way through the shards; the last shard to arrive completes it. Made by the
 * thread that reads the source, then used by the threads of the shards.
 */
final class Barrier {
  private final Checkpoints.Pending pending;
  private int missing;
  private LoadCounts counts = LoadCounts.NONE;
  private final List<HourFile> openHours = new ArrayList<>();
  private long mostNanos;

  private Barrier(Checkpoints.Pending pending, int shards) {
    this.pending = pending;
    this.missing = shards;
  }

  /**
   * Begins a checkpoint at the position that a source has reached.
   *
   * @param shards that will arrive at it
   * @return empty if the source cannot be read again from there, or no checkpoint is wanted
   */
  static Optional<Barrier> begin(PointSource source, Checkpoints checkpoints, int shards)
      throws IOException {
    Optional<SourcePosition> position = source.position();
    return position.isEmpty()
        ? Optional.empty()
        : checkpoints.begin(position.get()).map(pending -> new Barrier(pending, shards));
  }

  /**
   * Adds a shard: its points before the barrier are acknowledged or in its open hours.
   *
   * @param nanos that this took
   */
  synchronized void arrive(LoadCounts ofShard, List<HourFile> openHoursOfShard, long nanos)
      throws IOException {
    counts = counts.plus(ofShard);
    openHours.addAll(openHoursOfShard);
    mostNanos = Math.max(mostNanos, nanos);
    if (--missing == 0) {
      pending.cost(mostNanos);
      pending.complete(counts, openHours);
    }
  }
}
