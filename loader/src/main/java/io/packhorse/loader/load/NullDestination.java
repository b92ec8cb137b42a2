package io.packhorse.loader.load;

import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.resolve.MemoryUidStore;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.NullSink;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.schema.key.RowKeyLayout;
import java.util.Optional;

/** Nowhere: measures everything before the store, and needs none. */
final class NullDestination extends Destination {
  private final UidStore uids = new MemoryUidStore();

  @Override
  RowKeyLayout rowKeys() {
    return DEFAULT_ROW_KEYS;
  }

  @Override
  UidStore uids() {
    return uids;
  }

  @Override
  LoaderIds loaderIds() {
    return countedIds();
  }

  @Override
  CellSink openSink(SeriesRecorder series) {
    return new NullSink();
  }

  @Override
  String leftBehind(long acknowledged, Optional<String> resumeHint) {
    return HumanNumbers.count(acknowledged, "point was", "points were")
        + " read and packed; with --sink null nothing is stored.";
  }
}
