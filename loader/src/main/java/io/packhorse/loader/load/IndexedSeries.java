package io.packhorse.loader.load;

import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.uidstore.hbase.HBaseSeriesIndex;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Keeps what readers must know ahead of a load: before a cell is stored, its series is in the
 * series index, and its loader claims its hour from the summaries.
 */
final class IndexedSeries implements SeriesRecorder {
  /** Enough for whole blocks of many metrics. */
  private static final int SERIES_A_CALL = 1 << 18;

  private final HBaseSeriesIndex index;
  private final SeriesResolver resolver;
  private final Optional<SummarisedCells> summaries;
  private boolean begun;

  /** Series that are in the index; their ids are below. */
  private volatile int recorded;

  /** Those that are to be in it now. */
  private volatile int wanted;

  /**
   * @param summaries of the same load, if it writes any
   */
  IndexedSeries(
      HBaseSeriesIndex index, SeriesResolver resolver, Optional<SummarisedCells> summaries) {
    this.index = index;
    this.resolver = resolver;
    this.summaries = summaries;
  }

  @Override
  public void record() throws IOException {
    int resolved = resolver.resolved();
    if (recorded < resolved) {
      recordTo(resolved);
    }
    if (summaries.isPresent()) {
      summaries.get().record();
    }
  }

  /** How far a recording of many series is; empty at other times. Any thread. */
  Optional<Announcer.Status> status() {
    int done = recorded;
    int all = wanted;
    if (all - done < SERIES_A_CALL) {
      return Optional.empty();
    }
    return Optional.of(
        new Announcer.Status(
            "index",
            (double) done / all,
            OptionalDouble.empty(),
            List.of(HumanNumbers.count(done) + " of " + HumanNumbers.count(all) + " series")));
  }

  private synchronized void recordTo(int resolved) throws IOException {
    if (!begun) {
      index.begin();
      if (summaries.isPresent()) {
        summaries.get().begin(index.hasNoCell());
      }
      begun = true;
    }
    wanted = resolved;
    while (recorded < resolved) {
      int next = Math.min(resolved, recorded + SERIES_A_CALL);
      index.add(IntStream.range(recorded, next).mapToObj(resolver::tsuid).toList());
      recorded = next;
    }
  }
}
