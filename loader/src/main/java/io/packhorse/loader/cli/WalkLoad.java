package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.MemoryUidStore;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.sink.NullSink;
import io.packhorse.loader.sink.hbase.PutSink;
import io.packhorse.loader.source.WalkSource;
import io.packhorse.loader.source.WalkSpec;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Loads a reference workload. */
final class WalkLoad {
  private WalkLoad() {}

  /** Into HBase as Puts. */
  static LoadOutcome intoStore(
      Target target, WalkSpec spec, CellForm form, int threads, PrintStream err) {
    ExecutorService writers = Executors.newCachedThreadPool();
    try {
      return run(
          target.layout().rowKeys(),
          target.uids(),
          target.loaderIds(),
          () -> new PutSink(target.cluster().connection(), target.layout().dataTable(), writers),
          spec,
          form,
          threads,
          err);
    } finally {
      writers.shutdownNow();
    }
  }

  /** Into the null sink; no store is needed. */
  static LoadOutcome intoNothing(WalkSpec spec, CellForm form, int threads, PrintStream err) {
    AtomicInteger lastId = new AtomicInteger();
    return run(
        new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4)),
        new MemoryUidStore(),
        () -> new LoaderId(lastId.incrementAndGet(), 0),
        NullSink::new,
        spec,
        form,
        threads,
        err);
  }

  private static LoadOutcome run(
      RowKeyLayout layout,
      UidStore uids,
      LoaderIds loaderIds,
      LoadPipeline.SinkOpener sinks,
      WalkSpec spec,
      CellForm form,
      int threads,
      PrintStream err) {
    SeriesNames names = new SeriesNames();
    for (int series = 0; series < spec.sensors(); series++) {
      names.intern(spec.seriesName(series));
    }
    SeriesResolver resolver = new SeriesResolver(uids, layout.widths());
    LoadPipeline pipeline = new LoadPipeline(form, layout, resolver, loaderIds, sinks);
    int slices = Math.min(threads, spec.sensors());
    List<WalkSource> sources = new ArrayList<>();
    for (int slice = 0; slice < slices; slice++) {
      sources.add(new WalkSource(spec, slice, slices));
    }
    return new LoadRun(pipeline, () -> 0, spec.totalPoints(), err)
        .run(
            started -> {
              resolver.resolveAll(names);
              started.runSlices(sources, SealPolicy.IN_ORDER);
            });
  }
}
