package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.LedgerRecord;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.pipeline.ResumedSource;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.ImportLinesException;
import io.packhorse.loader.source.ImportLinesSource;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.Rejects;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A load of import lines.
 *
 * @param rejects gets the lines that are no points; the caller closes it
 * @param budget of such lines
 */
record LineLoad(
    Destination destination,
    List<ImportLinesSource.Input> inputs,
    Rejects rejects,
    RejectBudget budget,
    LoadOptions options,
    PrintWriter err) {
  /**
   * Reads, packs and writes; one thread reads.
   *
   * @param job goes on from its last checkpoint; gets more of them if it can be resumed and the
   *     destination takes cells for good as they come
   * @throws CommandException as {@link LoadRun#run}, but USAGE if the input is at fault, and
   *     TOO_MANY_REJECTS
   */
  LoadOutcome run(Optional<LoadJob> job) throws IOException {
    SeriesNames names = new SeriesNames();
    LoadPipeline pipeline = destination.newPipeline(options.form(), destination.newResolver(), job);
    long rejectedBefore =
        job.map(on -> on.job().rejectedBefore()).stream()
            .flatMap(reasons -> reasons.values().stream())
            .mapToLong(Long::longValue)
            .sum();
    LongSupplier rejected = () -> rejectedBefore + rejects.total();
    Checkpoints checkpoints = checkpoints(job, names);
    if (job.isPresent()) {
      destination.keepFiles(job.get(), pipeline, () -> rejectsSoFar(job.get()));
    }
    try (PointSource source = open(job.map(LoadJob::job), names, rejected)) {
      return new LoadRun(pipeline, destination, rejected, 0, job, err)
          .run(
              started ->
                  started.run(source, names, options.threads(), SealPolicy.FILES, checkpoints));
    } catch (CommandException e) {
      if (e.getCause() instanceof ImportLinesException) {
        throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
      }
      if (e.getCause() instanceof BudgetedSource.Exceeded) {
        throw new CommandException(ExitCode.TOO_MANY_REJECTS, String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  private Checkpoints checkpoints(Optional<LoadJob> job, SeriesNames names) throws IOException {
    if (job.isEmpty()
        || !job.get().job().manifest().repeatable()
        || destination.acknowledgesAtTheEnd()) {
      return Checkpoints.NONE;
    }
    LoadJob on = job.get();
    on.job().takeSeries(names);
    return on.job().checkpoints(on.checkpointInterval(), () -> rejectsSoFar(on));
  }

  private Map<String, Long> rejectsSoFar(LoadJob job) throws IOException {
    rejects.flush();
    return job.rejected(rejects);
  }

  private PointSource open(Optional<Job> job, SeriesNames names, LongSupplier rejected)
      throws IOException {
    SourcePosition from =
        job.flatMap(resumed -> resumed.checkpoint(0))
            .map(LedgerRecord.Checkpoint::position)
            .orElse(SourcePosition.START);
    PointSource source =
        new BudgetedSource(
            new ImportLinesSource(inputs, names, rejects, from),
            budget,
            job.map(resumed -> resumed.before().read()).orElse(0L),
            rejected);
    return job.isEmpty() ? source : new ResumedSource(job.get().openHours(0), source);
  }
}
