package io.packhorse.loader.job;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.LedgerRecord.Checkpoint;
import io.packhorse.loader.job.LedgerRecord.Loader;
import io.packhorse.loader.job.LedgerRecord.Reached;
import io.packhorse.loader.pipeline.LoadCounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a ledger says.
 *
 * @param state the last one reached
 * @param loaders every loader id the job may have written under
 * @param checkpoints the last one of each slice
 * @param counts of the state reached, or the sum of the checkpoints
 * @param rejected lines by reason, as of the same moment
 */
public record JobHistory(
    JobState state,
    List<LoaderId> loaders,
    Map<Integer, Checkpoint> checkpoints,
    LoadCounts counts,
    Map<String, Long> rejected) {
  /** Whether nothing of the job is in the store: a loader id comes before anything is stored. */
  public boolean hasStoredNothing() {
    return loaders.isEmpty() || state == JobState.ROLLED_BACK;
  }

  static JobHistory of(List<LedgerRecord> records) {
    JobState state = JobState.OPEN;
    List<LoaderId> loaders = new ArrayList<>();
    Map<Integer, Checkpoint> checkpoints = new TreeMap<>();
    LoadCounts counts = LoadCounts.NONE;
    Map<String, Long> rejected = Map.of();
    for (LedgerRecord record : records) {
      if (record instanceof Loader loader) {
        loaders.add(new LoaderId(loader.id(), loader.stampMs()));
      } else if (record instanceof Checkpoint checkpoint) {
        checkpoints.put(checkpoint.slice(), checkpoint);
        counts = sum(checkpoints.values());
        rejected = checkpoint.rejected();
      } else if (record instanceof Reached reached) {
        state = reached.state();
        counts = reached.counts();
        rejected = reached.rejected();
      }
    }
    return new JobHistory(state, List.copyOf(loaders), Map.copyOf(checkpoints), counts, rejected);
  }

  private static LoadCounts sum(Collection<Checkpoint> checkpoints) {
    return checkpoints.stream().map(Checkpoint::counts).reduce(LoadCounts.NONE, LoadCounts::plus);
  }
}
