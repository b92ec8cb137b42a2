package io.packhorse.loader.sink;

import io.packhorse.loader.cell.CellWrite;
import java.io.IOException;

/** A sink that takes cells at a limited pace, which several sinks may share. One thread. */
public final class PacedSink implements CellSink {
  private final CellSink sink;
  private final Pace pace;

  /**
   * @param sink closed with this one
   */
  public PacedSink(CellSink sink, Pace pace) {
    this.sink = sink;
    this.pace = pace;
  }

  @Override
  public void write(CellWrite cell) throws IOException, InterruptedException {
    pace.await(cell.points());
    sink.write(cell);
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    sink.flush();
  }

  @Override
  public void sendAll() throws IOException, InterruptedException {
    sink.sendAll();
  }

  @Override
  public boolean allOrNothing() {
    return sink.allOrNothing();
  }

  @Override
  public long acknowledgedPoints() {
    return sink.acknowledgedPoints();
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
