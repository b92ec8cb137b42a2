package io.packhorse.loader.sink;

import io.packhorse.loader.cell.CellWrite;
import java.io.Closeable;
import java.io.IOException;

/**
 * Stores cells. Used by one thread, apart from {@link #acknowledgedPoints}.
 *
 * <p>A cell is acknowledged when the store has confirmed this cell and keeps it even if one of its
 * servers dies. After an exception only {@link #close} and {@link #acknowledgedPoints} may be
 * called.
 */
public interface CellSink extends Closeable {
  /**
   * Takes a cell, which may be sent later together with others. Blocks while too much is in flight.
   */
  void write(CellWrite cell) throws IOException, InterruptedException;

  /** Returns when all cells taken so far are acknowledged. */
  void flush() throws IOException, InterruptedException;

  /** Returns when all cells taken so far can be read; they may not be acknowledged yet. */
  default void sendAll() throws IOException, InterruptedException {
    flush();
  }

  /**
   * Whether nothing of a load becomes visible before {@link #flush}, which then ends the load. Such
   * a sink is not flushed if the load is stopped early.
   */
  default boolean allOrNothing() {
    return false;
  }

  /**
   * How many cells were sent again so far. An attempt that was given up may be carried out later
   * than the one that succeeded.
   */
  default long retries() {
    return 0;
  }

  /** Points in all cells acknowledged so far. Any thread. */
  long acknowledgedPoints();

  /** Drops cells that are not sent yet; call {@link #flush} first to store them. */
  @Override
  void close() throws IOException;
}
