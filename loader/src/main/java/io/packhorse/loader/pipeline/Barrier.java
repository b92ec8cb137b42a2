package io.packhorse.loader.pipeline;

import io.packhorse.loader.pack.HourFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One checkpoint on its way through the shards; the last one to arrive completes it. */
final class Barrier {
  private final Checkpoints.Pending pending;
  private int missing;
  private LoadCounts counts = LoadCounts.NONE;
  private final List<HourFile> openHours = new ArrayList<>();

  Barrier(Checkpoints.Pending pending, int shards) {
    this.pending = pending;
    this.missing = shards;
  }

  /**
   * A shard's part: everything before the barrier is packed and acknowledged or in its open hours.
   */
  synchronized void arrive(LoadCounts ofShard, List<HourFile> openHoursOfShard) throws IOException {
    counts = counts.plus(ofShard);
    openHours.addAll(openHoursOfShard);
    if (--missing == 0) {
      pending.complete(counts, openHours);
    }
  }
}
