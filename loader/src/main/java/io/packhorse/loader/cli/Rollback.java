package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobShards;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.read.hbase.LoaderColumns;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
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
record Rollback(JobShards shards, Target from, PrintWriter err) {
  /**
   * @throws CommandException PREFLIGHT for compacted cells, which do not say who wrote them, and in
   *     another store than the job's
   */
  Rollback {
    Manifest manifest = shards.jobs().get(0).manifest();
    for (Job job : shards.jobs()) {
      Optional<String> elsewhere = LoadJob.otherStore(job.manifest(), from);
      if (elsewhere.isPresent()) {
        throw new CommandException(
            ExitCode.PREFLIGHT,
            "Job " + manifest.id() + " cannot be rolled back: " + elsewhere.get() + ".");
      }
    }
    if (manifest.cells().equals(CellForm.COMPACTED.name().toLowerCase(Locale.ROOT))) {
      throw new CommandException(
          ExitCode.PREFLIGHT,
          "Job "
              + manifest.id()
              + " has stored compacted cells, which do not say who wrote them: only packed cells can"
              + " be rolled back.");
    }
  }

  /** Deletes, with progress, and puts it on the job's ledger. */
  void run() throws IOException {
    LoaderColumns columns =
        new LoaderColumns(from.cluster().connection(), from.layout().dataTable());
    AtomicLong deleted = new AtomicLong();
    try (Progress progress =
        new Progress(
            err, () -> "rollback  " + Figures.count(deleted.get()) + " cells deleted so far")) {
      columns.delete(
          shards.jobs().stream().flatMap(job -> job.history().loaders().stream()).toList(),
          deleted);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER,
          "Rollback stopped: " + LoadRun.cause(e) + ". Run it again to delete the rest.",
          e);
    }
    for (Job job : shards.jobs()) {
      job.reach(JobState.ROLLED_BACK, LoadCounts.NONE, Map.of());
    }
    err.printf(
        "rollback  %s cells of job %s deleted%n",
        Figures.count(deleted.get()), shards.jobs().get(0).manifest().id());
  }
}
