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
import io.packhorse.loader.source.ImportLinesException;
import io.packhorse.loader.source.ImportLinesSource;
import io.packhorse.loader.source.Rejects;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loads import lines.
 *
 * @param inputs read one after the other
 * @param rejects gets the lines that are no points; closed by the caller
 * @param threads packers beside the reader
 * @param err for progress
 */
record LineLoad(
    List<ImportLinesSource.Input> inputs,
    Rejects rejects,
    CellForm form,
    int threads,
    PrintStream err) {
  /** Into HBase as Puts. */
  LoadOutcome intoStore(Target target) throws ImportLinesException {
    ExecutorService writers = Executors.newCachedThreadPool();
    try {
      return run(
          target.layout().rowKeys(),
          target.uids(),
          target.loaderIds(),
          () -> new PutSink(target.cluster().connection(), target.layout().dataTable(), writers));
    } finally {
      writers.shutdownNow();
    }
  }

  /** Into the null sink; no store is needed. */
  LoadOutcome intoNothing() throws ImportLinesException {
    AtomicInteger lastId = new AtomicInteger();
    return run(
        new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4)),
        new MemoryUidStore(),
        () -> new LoaderId(lastId.incrementAndGet(), 0),
        NullSink::new);
  }

  private LoadOutcome run(
      RowKeyLayout layout, UidStore uids, LoaderIds loaderIds, LoadPipeline.SinkOpener sinks)
      throws ImportLinesException {
    SeriesNames names = new SeriesNames();
    SeriesResolver resolver = new SeriesResolver(uids, layout.widths());
    LoadPipeline pipeline = new LoadPipeline(form, layout, resolver, loaderIds, sinks);
    try (ImportLinesSource source = new ImportLinesSource(inputs, names, rejects)) {
      return new LoadRun(pipeline, rejects::total, 0, err)
          .run(started -> started.run(source, names, threads, SealPolicy.FILES));
    } catch (CommandException e) {
      if (e.getCause() instanceof ImportLinesException) {
        // The input is at fault, not the cluster.
        throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }
}
