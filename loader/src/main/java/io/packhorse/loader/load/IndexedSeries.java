package io.packhorse.loader.load;

import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.uidstore.hbase.HBaseSeriesIndex;
import java.io.IOException;
import java.util.stream.IntStream;

/** Keeps the series index ahead of a load: a series is in it before its first cell is stored. */
final class IndexedSeries implements SeriesRecorder {
  private final HBaseSeriesIndex index;
  private final SeriesResolver resolver;
  private boolean begun;

  /** Series that are in the index; their ids are below. */
  private volatile int recorded;

  IndexedSeries(HBaseSeriesIndex index, SeriesResolver resolver) {
    this.index = index;
    this.resolver = resolver;
  }

  @Override
  public void record() throws IOException {
    int resolved = resolver.resolved();
    if (recorded < resolved) {
      recordTo(resolved);
    }
  }

  private synchronized void recordTo(int resolved) throws IOException {
    if (!begun) {
      index.begin();
      begun = true;
    }
    if (recorded < resolved) {
      index.add(IntStream.range(recorded, resolved).mapToObj(resolver::tsuid).toList());
      recorded = resolved;
    }
  }
}
