package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.sink.CellSink;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sink of one thread of an {@link HFileLoad}. Cells in row order go straight into the HFile of
 * their region, others into {@link SortedRuns}.
 *
 * <p>{@link #flush} ends the sink: it waits for the sinks of all threads, does its share of merging
 * and bulk loading, and returns when every cell of the load can be read, or is staged.
 */
final class HFileSink implements CellSink {
  private final HFileLoad load;
  private final SortedRuns runs;
  private final Map<Integer, HFileWriter> writers = new TreeMap<>();
  private final AtomicLong acknowledged = new AtomicLong();

  HFileSink(HFileLoad load, SortedRuns runs) {
    this.load = load;
    this.runs = runs;
  }

  @Override
  public void write(CellWrite cell) throws IOException {
    if (!load.inRowOrder()) {
      runs.add(cell);
      return;
    }
    int region = load.regions().regionOf(cell.rowKey());
    HFileWriter writer = writers.get(region);
    if (writer == null) {
      writer = load.newWriter(region, cell);
      writers.put(region, writer);
    }
    if (writer.accepts(cell)) {
      load.append(writer, cell);
    } else {
      runs.add(cell);
    }
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    for (Map.Entry<Integer, HFileWriter> entry : writers.entrySet()) {
      load.finish(entry.getKey(), entry.getValue());
    }
    runs.finish();
    load.finishTogether(acknowledged);
  }

  @Override
  public boolean allOrNothing() {
    return true;
  }

  /** Points of the regions that this thread has bulk-loaded, perhaps written by other sinks. */
  @Override
  public long acknowledgedPoints() {
    return acknowledged.get();
  }

  @Override
  public void close() {
    for (HFileWriter writer : writers.values()) {
      writer.close();
    }
  }

  SortedRuns runs() {
    return runs;
  }
}
