package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.LedgerRecord;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.pipeline.ResumedSource;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.format.InputSource;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.Points;
import io.packhorse.loader.source.text.Rejects;
import io.packhorse.loader.source.text.RejectsException;
import io.packhorse.loader.source.text.TextSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * A load of files and pipes.
 *
 * @param source says how they are read
 * @param points gets what is read, and gives what is no point to the rejects
 * @param rejects the caller closes them
 * @param budget of such lines
 */
record LineLoad(
    Destination destination,
    List<Input> inputs,
    SourceOptions source,
    Points points,
    Rejects rejects,
    RejectBudget budget,
    LoadOptions options,
    PrintWriter err) {
  /**
   * Looks into every file, then reads, packs and writes; one thread reads. At the end its series
   * are made known.
   *
   * @param job goes on from its last checkpoint; gets more of them if it can be resumed and the
   *     destination takes cells for good as they come
   * @throws CommandException as {@link LoadRun#run}, but USAGE if the input is at fault, and
   *     TOO_MANY_REJECTS
   */
  LoadOutcome run(Optional<LoadJob> job) throws IOException, InterruptedException {
    SeriesNames names = new SeriesNames();
    InputFormats formats = source.formats(source.spec(), names, err);
    for (Input input : inputs) {
      if (input.isPlainFile()) {
        InputSource.look(input, formats, points);
      }
    }
    LastTimes times = job.isPresent() ? job.get().job().takeSeries(names) : new LastTimes();
    SeriesResolver resolver = destination.newResolver();
    LoadPipeline pipeline = destination.newPipeline(options.form(), resolver, job);
    long rejectedBefore =
        job.map(on -> on.job().rejectedBefore()).stream()
            .flatMap(reasons -> reasons.values().stream())
            .mapToLong(Long::longValue)
            .sum();
    LongSupplier rejected = () -> rejectedBefore + rejects.total();
    InputBytes bytes = new InputBytes(inputs);
    Checkpoints checkpoints = checkpoints(job);
    if (job.isPresent()) {
      destination.keepFiles(job.get(), pipeline, names, resolver, () -> rejectsSoFar(job.get()));
    }
    ExecutorService executor = Executors.newFixedThreadPool(options.threads(), LineLoad::reading);
    TextSource.Helpers helpers = new TextSource.Helpers(executor, options.threads());
    try (PointSource from =
        new TimedSource(
            open(bytes.inputs(), job.map(LoadJob::job), formats, rejected, helpers), times)) {
      return new LoadRun(pipeline, destination, rejected, points -> bytes.share(), job, err)
          .run(
              started -> {
                started.run(from, names, options.threads(), policy(), checkpoints);
                if (!started.stopped()) {
                  destination.makeKnown(names, resolver, times);
                }
              });
    } catch (CommandException e) {
      if (e.getCause() instanceof InputException && !(e.getCause() instanceof RejectsException)) {
        throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
      }
      if (e.getCause() instanceof BudgetedSource.Exceeded) {
        throw new CommandException(ExitCode.TOO_MANY_REJECTS, String.valueOf(e.getMessage()), e);
      }
      throw e;
    } finally {
      executor.shutdownNow();
    }
  }

  /** By the clock only where points may be long in coming. */
  private SealPolicy policy() {
    return inputs.stream().allMatch(Input::isPlainFile) ? SealPolicy.FILES : SealPolicy.PIPES;
  }

  private static Thread reading(Runnable task) {
    Thread thread = new Thread(task, "packhorse-lines");
    thread.setDaemon(true);
    return thread;
  }

  private Checkpoints checkpoints(Optional<LoadJob> job) {
    if (job.isEmpty()
        || !job.get().job().manifest().repeatable()
        || destination.acknowledgesAtTheEnd()) {
      return Checkpoints.NONE;
    }
    LoadJob on = job.get();
    return on.job().checkpoints(on.checkpointInterval(), () -> rejectsSoFar(on));
  }

  private Map<String, Long> rejectsSoFar(LoadJob job) throws IOException {
    rejects.flush();
    return job.rejected(rejects);
  }

  private PointSource open(
      List<Input> counted,
      Optional<Job> job,
      InputFormats formats,
      LongSupplier rejected,
      TextSource.Helpers helpers)
      throws IOException {
    SourcePosition from =
        job.flatMap(resumed -> resumed.checkpoint(0))
            .map(LedgerRecord.Checkpoint::position)
            .orElse(SourcePosition.START);
    PointSource budgeted =
        new BudgetedSource(
            new InputSource(counted, formats, points, from, helpers),
            budget,
            job.flatMap(resumed -> resumed.checkpoint(0))
                .map(last -> last.counts().read())
                .orElse(0L),
            points::leftOut,
            rejected);
    return job.isEmpty() ? budgeted : new ResumedSource(job.get().openHours(0), budgeted);
  }
}
