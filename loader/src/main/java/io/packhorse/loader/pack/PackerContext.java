package io.packhorse.loader.pack;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.summary.SummedCells;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What an {@link HourPacker} needs from outside. Called by the packer's thread. */
public interface PackerContext {
  /** A loader id nobody else has. */
  LoaderId newLoaderId() throws IOException;

  /** Takes a finished cell. */
  void write(CellWrite cell) throws IOException, InterruptedException;

  /** Returns when all cells written so far are in the store. */
  default void awaitStored() throws IOException, InterruptedException {}

  /**
   * How often cells were sent again so far. An attempt that was given up may be carried out later
   * than the one that succeeded.
   */
  default long retries() {
    return 0;
  }

  /** What takes note of each packed cell before it is written, if anything does. */
  default Optional<SummedCells> summaries() {
    return Optional.empty();
  }

  /** A file, not yet there, for hours that memory has no room for. */
  Path newHourFile() throws IOException;
}
