package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.hfile.HFileLoad;
import io.packhorse.loader.sink.hfile.HFileTarget;
import io.packhorse.loader.summary.SummaryWrite;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryQualifier;
import io.packhorse.schema.summary.SummaryTable;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Stores summaries as HFiles, a bulk load for each family: sorting and writing a block costs a
 * tenth of its Put. Blocks come in any order; those that a share of the heap has no room for are
 * sorted on disk. One thread.
 */
final class SummaryHFiles implements SummaryWrite.Receiver, Closeable {
  /** Cells of the load may still hold as much of the heap as they were sorted in. */
  private static final int SORT_MEMORY_SHARE = 2 * SummaryLevel.values().length;

  private final Map<SummaryLevel, HFileLoad> loads = new EnumMap<>(SummaryLevel.class);
  private final Map<SummaryLevel, CellSink> sinks = new EnumMap<>(SummaryLevel.class);

  /**
   * Prepares the files of all families.
   *
   * @param to stays the caller's
   * @throws IOException if the table or its file system cannot be used; nothing is stored then
   */
  SummaryHFiles(StoreConnection to) throws IOException {
    try {
      for (SummaryLevel level : SummaryLevel.values()) {
        HFileLoad load =
            HFileLoad.open(to.cluster().connection(), target(to, level), new CallLog());
        loads.put(level, load);
        sinks.put(level, load.openSink());
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static HFileTarget target(StoreConnection to, SummaryLevel level) {
    HFileTarget cells = HFileDestination.target(to, CellForm.PACKED, Optional.empty(), 1, false);
    return new HFileTarget(
        SummaryTable.of(to.layout().dataTable()),
        level.family(),
        cells.folder(),
        cells.sortFolder(),
        cells.sortBytesMax() / SORT_MEMORY_SHARE,
        1,
        false);
  }

  @Override
  public void take(SummaryWrite block) throws IOException {
    CellSink sink = sinks.get(block.level());
    if (sink == null) {
      throw new IllegalStateException("no file for level " + block.level());
    }
    try {
      sink.write(
          new CellWrite(
              block.rowKey(),
              CellForm.PACKED,
              new SummaryQualifier(block.loader().id(), block.number()).toBytes(),
              block.value(),
              0,
              block.loader().stampMs()));
    } catch (InterruptedException e) {
      throw SummarisedCells.interrupted(e);
    }
  }

  /**
   * Writes and bulk-loads what was taken; families beside each other.
   *
   * @param executor stays the caller's
   */
  void store(ExecutorService executor) throws IOException {
    CompletionService<Void> storing = new ExecutorCompletionService<>(executor);
    List<Future<Void>> begun = new ArrayList<>();
    try {
      for (CellSink sink : sinks.values()) {
        begun.add(
            storing.submit(
                () -> {
                  sink.flush();
                  return null;
                }));
      }
      for (int i = 0; i < begun.size(); i++) {
        storing.take().get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (InterruptedException e) {
      throw SummarisedCells.interrupted(e);
    } finally {
      begun.forEach(each -> each.cancel(true));
    }
  }

  /** Removes files that were not bulk-loaded. */
  @Override
  public void close() throws IOException {
    for (CellSink sink : sinks.values()) {
      sink.close();
    }
    for (HFileLoad load : loads.values()) {
      load.close();
    }
  }
}
