package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.hbase.ParallelTasks;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.hfile.HFileLoad;
import io.packhorse.loader.sink.hfile.HFileTarget;
import io.packhorse.schema.key.SeriesMetaRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** Writes loaded series to {@code tsdb-meta}, where OpenTSDB's lookups find them. */
record SeriesMetaWriter(StoreConnection to) {
  /** Writes series as Puts. */
  void put(SeriesNames names, SeriesResolver resolver, LastTimes times) throws IOException {
    to.seriesMeta().write(names.size(), resolver::tsuid, times::ofSeries);
  }

  /**
   * Writes series as HFiles and bulk-loads them.
   *
   * @param threads that write HFiles beside each other, of those of {@code executor}
   */
  void bulkLoad(
      SeriesNames names,
      SeriesResolver resolver,
      LastTimes times,
      int threads,
      ExecutorService executor)
      throws IOException, InterruptedException {
    int[] inOrder = resolver.inOrder(series -> times.ofSeries(series) >= 0);
    List<Iterable<CellWrite>> parts =
        to.seriesMeta().parts(inOrder, resolver::tsuid, times::ofSeries, threads);
    try (HFileLoad load = HFileLoad.open(to.cluster().connection(), target(), new CallLog())) {
      write(parts, load, executor);
    }
  }

  private HFileTarget target() {
    HFileTarget cells = HFileDestination.target(to, CellForm.PACKED, Optional.empty(), 1, true);
    return new HFileTarget(
        to.layout().metaTable(),
        SeriesMetaRow.FAMILY,
        cells.folder(),
        cells.sortFolder(),
        cells.sortBytesMax(),
        1,
        true);
  }

  /** Writes each part into an HFile on a thread of its own; the first failure ends the others. */
  private static void write(
      List<Iterable<CellWrite>> parts, HFileLoad load, ExecutorService executor)
      throws IOException, InterruptedException {
    List<CellSink> sinks = parts.stream().map(part -> load.openSink()).toList();
    List<ParallelTasks.Task> writing = new ArrayList<>();
    for (int i = 0; i < sinks.size(); i++) {
      Iterable<CellWrite> part = parts.get(i);
      CellSink sink = sinks.get(i);
      writing.add(
          () -> {
            try (sink) {
              for (CellWrite cell : part) {
                sink.write(cell);
              }
              sink.flush();
            }
          });
    }
    ParallelTasks.run(executor, writing);
  }
}
