package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobShards;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.read.hbase.LoaderColumns;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deletes everything that a job has stored, or some shards of it. Running it again after a failure
 * is harmless.
 *
 * @param shards stay the caller's
 * @param from the store
 */
public record Rollback(JobShards shards, StoreConnection from, Announcer announcer) {
  /**
   * @throws OperationException REFUSED for compacted cells, which do not say who wrote them, and in
   *     another store than the job's
   */
  public Rollback {
    Manifest manifest = shards.jobs().get(0).manifest();
    for (Job job : shards.jobs()) {
      Optional<String> otherStore = from.differsFrom(job.manifest().store());
      if (otherStore.isPresent()) {
        throw new OperationException(
            Kind.REFUSED,
            "Job " + manifest.id() + " cannot be rolled back: " + otherStore.get() + ".");
      }
    }
    if (shards.jobs().stream().anyMatch(Rollback::hasDeleted)) {
      throw new OperationException(
          Kind.REFUSED,
          "Job "
              + manifest.id()
              + " cannot be rolled back: columns that its cells take the place of are deleted, these"
              + " cells alone have their points.");
    }
    if (manifest.settings().cells() == CellForm.COMPACTED) {
      throw new OperationException(
          Kind.REFUSED,
          "Job "
              + manifest.id()
              + " has stored compacted cells, which do not say who wrote them: only packed cells"
              + " can be rolled back.");
    }
  }

  private static boolean hasDeleted(Job job) {
    return job.state() == JobState.DELETING || job.state() == JobState.REPACKED;
  }

  /** Deletes, with progress, and records it on the job's ledger. */
  public void run() throws IOException {
    LoaderColumns columns =
        new LoaderColumns(from.cluster().connection(), from.layout().dataTable());
    AtomicLong deleted = new AtomicLong();
    try (Announcer.Progress progress =
        announcer.progress(
            () ->
                Announcer.Status.of(
                    "rollback",
                    HumanNumbers.count(deleted.get(), "cell", "cells") + " deleted so far"))) {
      delete(columns, deleted);
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "Rollback stopped: " + Causes.sentence(e) + ". Run it again to delete the rest.",
          e);
    }
    for (Job job : shards.jobs()) {
      job.reach(JobState.ROLLED_BACK, LoadCounts.NONE, Map.of());
    }
    announcer.say(
        "rollback",
        HumanNumbers.count(deleted.get(), "cell", "cells")
            + " of job "
            + shards.jobs().get(0).manifest().id()
            + " deleted");
  }

  /**
   * Deletes the cells of the job, then their summaries. The claims stored first make queries ignore
   * summaries until the rollback has finished; after a crash, until it is run again. They cover all
   * hours, because the ledger does not record which hours the job has written.
   */
  private void delete(LoaderColumns columns, AtomicLong deleted) throws IOException {
    List<LoaderId> loaders =
        shards.jobs().stream().flatMap(job -> job.history().loaders().stream()).toList();
    HBaseClaims claims = from.claims();
    boolean building = false;
    for (LoaderId loader : loaders) {
      building |= claims.put(loader.id(), SummaryClaim.ofAll(Reason.DELETED));
    }
    columns.delete(loaders, deleted);
    from.summaries().delete(loaders);
    if (building) {
      announcer.say(
          "summaries",
          "are being built by another process, which may have read cells that are gone now: when"
              + " it has ended, run this rollback again");
      return;
    }
    for (LoaderId loader : loaders) {
      claims.remove(loader.id());
    }
  }
}
