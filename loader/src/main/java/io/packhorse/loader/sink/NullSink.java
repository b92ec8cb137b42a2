package io.packhorse.loader.sink;

import io.packhorse.loader.cell.CellWrite;
import java.util.concurrent.atomic.AtomicLong;

/** Counts points and stores nothing, to measure everything before the store. */
public final class NullSink implements CellSink {
  private final AtomicLong points = new AtomicLong();

  @Override
  public void write(CellWrite cell) {
    points.addAndGet(cell.points());
  }

  @Override
  public void flush() {}

  @Override
  public long acknowledgedPoints() {
    return points.get();
  }

  @Override
  public void close() {}
}
