package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.uidstore.hbase.HBaseLoaderIds;
import io.packhorse.schema.key.RowKeyLayout;
import java.util.Optional;

/** A store that keeps the cells: its layout, its UIDs and its counter of loader ids hold. */
abstract sealed class StoreDestination extends Destination
    permits PutDestination, HFileDestination {
  final StoreConnection to;

  /** Whether loaded series are written to {@code tsdb-meta}. */
  final boolean seriesMeta;

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
  final SeriesRecorder recorder(CellForm form, SeriesResolver resolver) {
    return form == CellForm.PACKED ? to.indexed(resolver) : SeriesRecorder.NONE;
  }

  @Override
  final LoaderIds loaderIds() {
    return new HBaseLoaderIds(to.cluster().connection());
  }

  @Override
  final Optional<EmbeddedServer> embedded() {
    return to.embedded();
  }
}
