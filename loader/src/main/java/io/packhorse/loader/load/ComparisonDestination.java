package io.packhorse.loader.load;

import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.verify.CellComparison;
import io.packhorse.schema.key.RowKeyLayout;
import java.util.Optional;

/** A comparison with what is stored; nothing is written, and no UID is assigned. */
final class ComparisonDestination extends Destination {
  private final StoreConnection from;
  private final CellComparison comparison;

  ComparisonDestination(StoreConnection from, CellComparison comparison) {
    this.from = from;
    this.comparison = comparison;
  }

  @Override
  RowKeyLayout rowKeys() {
    return from.layout().rowKeys();
  }

  @Override
  UidStore uids() {
    return from.knownUids();
  }

  @Override
  LoaderIds loaderIds() {
    return countedIds();
  }

  @Override
  CellSink openSink(SeriesRecorder series) {
    return comparison.openSink();
  }

  /** As of HFiles, so that generated cells come in the order of their rows: those are read fast. */
  @Override
  Acknowledgement acknowledgement() {
    return Acknowledgement.AT_THE_END;
  }

  @Override
  Optional<EmbeddedServer> embedded() {
    return from.embedded();
  }

  @Override
  String topic() {
    return "compare";
  }

  @Override
  String leftBehind(long acknowledged, Optional<String> resumeHint) {
    return HumanNumbers.count(acknowledged, "point was", "points were")
        + " compared; nothing was changed, run the same command again.";
  }
}
