package io.packhorse.loader.sink;

import io.packhorse.loader.cell.CellWrite;
import java.io.Closeable;
import java.io.IOException;

/**
 * Where cells end. Used by one thread, apart from {@link #acknowledgedPoints}.
 *
 * <p>A cell counts as acknowledged only when the store has answered for that very cell, and will
 * not lose it if one of its servers dies. After an exception the sink is only good for {@link
 * #close} and its counts.
 */
public interface CellSink extends Closeable {
  /** Takes a cell; may hold it back to send several at once. Blocks when too much is in flight. */
  void write(CellWrite cell) throws IOException, InterruptedException;

  /** Returns when every cell taken so far is acknowledged. */
  void flush() throws IOException, InterruptedException;

  /** Returns when every cell taken so far can be read, though it may not be acknowledged yet. */
  default void sendAll() throws IOException, InterruptedException {
    flush();
  }

  /**
   * Whether {@link #flush} is the end of the whole load, which then becomes visible; of a load that
   * is stopped early, nothing is to become visible.
   */
  default boolean allOrNothing() {
    return false;
  }

  /** Points of all cells acknowledged so far; any thread may ask. */
  long acknowledgedPoints();

  /** Gives up what is held back and not yet sent; {@link #flush} comes first on the good way. */
  @Override
  void close() throws IOException;
}
