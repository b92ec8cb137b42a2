package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.LedgerRecord;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.WalkRange;
import io.packhorse.loader.source.WalkRowSource;
import io.packhorse.loader.source.WalkSource;
import io.packhorse.loader.source.WalkSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Loads a reference workload. */
final class WalkLoad {
  private WalkLoad() {}

  /**
   * Generates, packs and writes; each thread its own share of the series. At the end they are made
   * known.
   *
   * @param threads of a job resumed, as many as it began with
   * @param job goes on from its checkpoints, and makes more
   */
  static LoadOutcome run(
      Destination destination,
      WalkSpec spec,
      CellForm form,
      int threads,
      Optional<LoadJob> job,
      PrintWriter err) {
    SeriesNames names = new SeriesNames();
    LastTimes times = new LastTimes();
    name(spec, names, times);
    SeriesResolver resolver = destination.newResolver();
    LoadPipeline pipeline = destination.newPipeline(form, resolver, job);
    int slices = Math.min(threads, spec.sensors());
    List<WalkSource> sources = new ArrayList<>();
    List<Checkpoints> checkpoints = new ArrayList<>();
    for (int slice = 0; slice < slices; slice++) {
      int number = slice;
      SourcePosition from =
          job.flatMap(resumed -> resumed.job().checkpoint(number))
              .map(LedgerRecord.Checkpoint::position)
              .orElse(new SourcePosition(slice, 0, 0));
      sources.add(new WalkSource(spec, slice, slices, from));
      checkpoints.add(
          job.map(on -> on.job().checkpoints(on.checkpointInterval(), number))
              .orElse(Checkpoints.NONE));
    }
    return new LoadRun(
            pipeline, destination, () -> 0, LoadRun.ofPoints(spec.totalPoints()), job, err)
        .run(
            started -> {
              resolver.resolveAll(names);
              started.runSlices(sources, SealPolicy.WHOLE_HOURS, checkpoints);
              if (!started.stopped()) {
                destination.makeKnown(names, resolver, times);
              }
            });
  }

  /** As {@link #run}, but each thread makes its cells in the order of their rows. */
  static LoadOutcome runInRowOrder(
      Destination destination,
      WalkSpec spec,
      CellForm form,
      int threads,
      Optional<LoadJob> job,
      PrintWriter err)
      throws IOException {
    SeriesNames names = new SeriesNames();
    LastTimes times = job.isPresent() ? job.get().job().takeSeries(names) : new LastTimes();
    name(spec, names, times);
    SeriesResolver resolver = destination.newResolver();
    LoadPipeline pipeline = destination.newPipeline(form, resolver, job);
    return new LoadRun(
            pipeline, destination, () -> 0, LoadRun.ofPoints(spec.totalPoints()), job, err)
        .run(
            started -> {
              resolver.resolveAll(names);
              if (job.isPresent()) {
                destination.keepFiles(job.get(), pipeline, names, resolver, Map::of);
              }
              List<WalkRowSource> sources = new ArrayList<>();
              for (List<WalkRange> ranges :
                  RowRanges.plan(spec, destination.layout(), resolver::tsuid, threads)) {
                sources.add(new WalkRowSource(spec, ranges));
              }
              started.runSlices(sources, SealPolicy.WHOLE_HOURS);
              destination.makeKnown(names, resolver, times);
            });
  }

  private static void name(WalkSpec spec, SeriesNames names, LastTimes times) {
    long lastMs = spec.startSeconds() * 1000 + (spec.points() - 1) * spec.intervalMs();
    for (int series = 0; series < spec.sensors(); series++) {
      times.take(names.intern(spec.seriesName(series)), lastMs);
    }
  }
}
