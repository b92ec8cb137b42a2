package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.summary.SummedCells;
import io.packhorse.loader.uidstore.hbase.HBaseLoaderIds;
import io.packhorse.schema.key.RowKeyLayout;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** A store that keeps the cells: its layout, its UIDs and its counter of loader ids hold. */
abstract sealed class StoreDestination extends Destination
    permits PutDestination, HFileDestination {
  final StoreConnection to;

  /** Whether loaded series are written to {@code tsdb-meta}. */
  final boolean seriesMeta;

  private Optional<SummarisedCells> summaries = Optional.empty();

  private volatile Optional<IndexedSeries> index = Optional.empty();

  /** Shows what is stored after the cells, while it is. */
  private volatile Optional<Supplier<Announcer.Status>> finishing = Optional.empty();

  StoreDestination(StoreConnection to, boolean seriesMeta) {
    this.to = to;
    this.seriesMeta = seriesMeta;
  }

  @Override
  final RowKeyLayout rowKeys() {
    return to.layout().rowKeys();
  }

  @Override
  final UidStore uids() {
    return to.uids(calls());
  }

  /** OpenTSDB's own cells need no index: a TSD always scans for them. */
  @Override
  final SeriesRecorder recorder(
      CellForm form, SeriesResolver resolver, LoadPipeline.HourFiles files) {
    if (form != CellForm.PACKED) {
      return SeriesRecorder.NONE;
    }
    summaries =
        storesCells()
            ? Optional.of(new SummarisedCells(to, resolver, files::next, summaryHFiles()))
            : Optional.empty();
    IndexedSeries indexed = to.indexed(resolver, summaries, calls());
    index = Optional.of(indexed);
    return indexed;
  }

  /** Whether this process brings the cells into the store, and not another one later. */
  boolean storesCells() {
    return true;
  }

  /** Threads that may write summaries as HFiles; empty if they are stored as Puts. */
  Optional<ExecutorService> summaryHFiles() {
    return Optional.empty();
  }

  @Override
  final Optional<SummedCells> openSummaries() {
    return summaries.map(SummarisedCells::open);
  }

  @Override
  final void finishSummaries(List<LoaderId> before, Announcer announcer) throws IOException {
    if (summaries.isPresent()) {
      finishing = Optional.of(summaries.get()::status);
      summaries.get().finish(before, announcer);
      finishing = Optional.empty();
    }
  }

  @Override
  final Optional<Announcer.Status> finishing() {
    return finishing.map(Supplier::get).or(() -> index.flatMap(IndexedSeries::status));
  }

  @Override
  final void writeSeriesMeta(SeriesNames names, SeriesResolver resolver, LastTimes times)
      throws IOException, InterruptedException {
    if (seriesMeta && storesCells()) {
      finishing =
          Optional.of(
              () ->
                  Announcer.Status.of(
                      to.layout().metaTable(),
                      HumanNumbers.count(names.size(), "series", "series") + " being written"));
      // A job that resumes at the end of its input has not resolved its series yet.
      resolver.resolveAll(names);
      storeSeriesMeta(names, resolver, times);
      finishing = Optional.empty();
    }
  }

  /** As {@link #writeSeriesMeta}, where that is wanted. */
  abstract void storeSeriesMeta(SeriesNames names, SeriesResolver resolver, LastTimes times)
      throws IOException, InterruptedException;

  @Override
  final void leaveSummaries(Announcer announcer) {
    summaries.ifPresent(of -> of.leave(announcer));
  }

  @Override
  final LoaderIds loaderIds() {
    return new HBaseLoaderIds(to.cluster().connection());
  }

  @Override
  final Optional<EmbeddedServer> embedded() {
    return to.embedded();
  }

  @Override
  public void close() throws IOException {
    if (summaries.isPresent()) {
      summaries.get().close();
    }
    super.close();
  }
}
