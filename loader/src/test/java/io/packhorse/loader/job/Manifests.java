package io.packhorse.loader.job;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.record.SeriesRules;
import java.util.List;
import java.util.Optional;

/** Manifests for tests: files into a table {@code tsdb}, packed, as Puts. */
public final class Manifests {
  private Manifests() {}

  /** Settings of a load of files. */
  public static LoadSettings settings(SourceSpec reading, RejectBudget budget) {
    return new LoadSettings(
        new LoadInput.Files(reading, budget, null, null),
        new LoadOutput.Puts(PutDurability.SYNC, 0),
        CellForm.PACKED,
        2,
        true,
        0,
        null,
        null);
  }

  /** Settings of a load of files that says nothing about them. */
  public static LoadSettings settings() {
    return settings(
        new SourceSpec(Optional.empty(), Optional.empty(), SeriesRules.NONE),
        RejectBudget.UNLIMITED);
  }

  public static Manifest of(
      String id, JobShard shard, LoadSettings settings, List<JobInput> inputs, String... command) {
    return new Manifest(
        Manifest.VERSION,
        id,
        shard.number(),
        shard.count(),
        "2024-01-01T00:00:00Z",
        "test",
        List.of(command),
        "tsdb",
        settings,
        inputs,
        true);
  }
}
