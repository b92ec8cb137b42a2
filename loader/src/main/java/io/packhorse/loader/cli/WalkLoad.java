package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.WalkRange;
import io.packhorse.loader.source.WalkRowSource;
import io.packhorse.loader.source.WalkSource;
import io.packhorse.loader.source.WalkSpec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Loads a reference workload. */
final class WalkLoad {
  private WalkLoad() {}

  /** Generates, packs and writes; each thread its own share of the series. */
  static LoadOutcome run(
      Destination destination, WalkSpec spec, CellForm form, int threads, PrintWriter err) {
    SeriesNames names = namesOf(spec);
    SeriesResolver resolver = destination.newResolver();
    LoadPipeline pipeline = destination.newPipeline(form, resolver);
    int slices = Math.min(threads, spec.sensors());
    List<WalkSource> sources = new ArrayList<>();
    for (int slice = 0; slice < slices; slice++) {
      sources.add(new WalkSource(spec, slice, slices));
    }
    return new LoadRun(pipeline, destination, () -> 0, spec.totalPoints(), err)
        .run(
            started -> {
              resolver.resolveAll(names);
              started.runSlices(sources, SealPolicy.IN_ORDER);
            });
  }

  /** As {@link #run}, but each thread makes its cells in the order of their rows. */
  static LoadOutcome runInRowOrder(
      Destination destination, WalkSpec spec, CellForm form, int threads, PrintWriter err) {
    SeriesNames names = namesOf(spec);
    SeriesResolver resolver = destination.newResolver();
    LoadPipeline pipeline = destination.newPipeline(form, resolver);
    return new LoadRun(pipeline, destination, () -> 0, spec.totalPoints(), err)
        .run(
            started -> {
              resolver.resolveAll(names);
              List<WalkRowSource> sources = new ArrayList<>();
              for (List<WalkRange> ranges :
                  RowRanges.plan(spec, destination.layout(), resolver::tsuid, threads)) {
                sources.add(new WalkRowSource(spec, ranges));
              }
              started.runSlices(sources, SealPolicy.WHOLE_HOURS);
            });
  }

  private static SeriesNames namesOf(WalkSpec spec) {
    SeriesNames names = new SeriesNames();
    for (int series = 0; series < spec.sensors(); series++) {
      names.intern(spec.seriesName(series));
    }
    return names;
  }
}
