package io.packhorse.loader.load;

import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.uidstore.hbase.HBaseSeriesIndex;
import io.packhorse.schema.key.Tsuid;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Has the series of repacked rows in the series index before their cells are stored. Any number of
 * threads.
 */
final class RepackSeries implements SeriesRecorder {
  /** Series that are known to be in the index; beyond so many they are looked up again. */
  private static final int KNOWN_MAX = 200_000;

  private final StoreConnection to;
  private final HBaseSeriesIndex index;
  private final Set<Tsuid> known = new HashSet<>();
  private final Set<Tsuid> noted = new HashSet<>();
  private boolean begun;

  RepackSeries(StoreConnection to) {
    this.to = to;
    this.index = to.seriesIndex();
  }

  /** Notes that a cell of this series is going to be stored. */
  synchronized void note(Tsuid series) {
    if (!known.contains(series)) {
      noted.add(series);
    }
  }

  @Override
  public synchronized void record() throws IOException {
    if (!begun) {
      index.begin();
      SummarisedCells.begin(to, index.hasNoCell());
      begun = true;
    }
    if (noted.isEmpty()) {
      return;
    }
    index.add(List.copyOf(noted));
    if (known.size() + noted.size() > KNOWN_MAX) {
      known.clear();
    }
    known.addAll(noted);
    noted.clear();
  }
}
