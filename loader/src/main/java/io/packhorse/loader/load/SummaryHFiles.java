package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.hbase.ParallelTasks;
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
import java.util.concurrent.ExecutorService;

/**
 * Stores summaries as HFiles, a bulk load for each family: sorting and writing a block costs a
 * tenth of its Put. Blocks come in any order; those that a share of the heap has no room for are
 * sorted on disk. Opened and closed by one thread.
 */
final class SummaryHFiles implements Closeable {
  /** Cells of the load may still hold as much of the heap as they were sorted in. */
  private static final int SORT_MEMORY_SHARE = 2 * SummaryLevel.values().length;

  private final Map<SummaryLevel, HFileLoad> loads = new EnumMap<>(SummaryLevel.class);

  /** Of each shard. */
  private final List<Sinks> sinks = new ArrayList<>();

  /** What hands over the blocks of a shard. Shards are read beside each other. */
  interface Shards {
    void read(int shard, SummaryWrite.Receiver into) throws IOException;
  }

  /**
   * Prepares the files of all families.
   *
   * @param to stays the caller's
   * @param shards whose blocks are stored
   * @throws IOException if the table or its file system cannot be used; nothing is stored then
   */
  SummaryHFiles(StoreConnection to, int shards) throws IOException {
    try {
      for (SummaryLevel level : SummaryLevel.values()) {
        loads.put(
            level,
            HFileLoad.open(to.cluster().connection(), target(to, level, shards), new CallLog()));
      }
      for (int shard = 0; shard < shards; shard++) {
        sinks.add(new Sinks());
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static HFileTarget target(StoreConnection to, SummaryLevel level, int shards) {
    HFileTarget cells = HFileDestination.target(to, CellForm.PACKED, Optional.empty(), 1, false);
    return new HFileTarget(
        SummaryTable.of(to.layout().dataTable()),
        level.family(),
        cells.folder(),
        cells.sortFolder(),
        cells.sortBytesMax() / SORT_MEMORY_SHARE,
        shards,
        false);
  }

  /** Sinks of one shard, by family. One thread. */
  private final class Sinks implements SummaryWrite.Receiver {
    private final Map<SummaryLevel, CellSink> byLevel = new EnumMap<>(SummaryLevel.class);

    Sinks() {
      loads.forEach((level, load) -> byLevel.put(level, load.openSink()));
    }

    @Override
    public void take(SummaryWrite block) throws IOException {
      CellSink sink = byLevel.get(block.level());
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
  }

  /**
   * Reads the blocks of all shards, writes and bulk-loads them; shards and families beside each
   * other.
   *
   * @param executor stays the caller's; it runs as many tasks at a time as it is given
   */
  void store(ExecutorService executor, Shards shards) throws IOException {
    List<ParallelTasks.Task> reading = new ArrayList<>();
    List<ParallelTasks.Task> storing = new ArrayList<>();
    for (int i = 0; i < sinks.size(); i++) {
      int shard = i;
      reading.add(() -> shards.read(shard, sinks.get(shard)));
      // The sinks of a family wait for each other.
      sinks.get(i).byLevel.values().forEach(sink -> storing.add(sink::flush));
    }
    try {
      ParallelTasks.run(executor, reading);
      ParallelTasks.run(executor, storing);
    } catch (InterruptedException e) {
      throw SummarisedCells.interrupted(e);
    }
  }

  /** Removes files that were not bulk-loaded. */
  @Override
  public void close() throws IOException {
    for (Sinks shard : sinks) {
      for (CellSink sink : shard.byLevel.values()) {
        sink.close();
      }
    }
    for (HFileLoad load : loads.values()) {
      load.close();
    }
  }
}
