package io.packhorse.loader.summary;

import io.packhorse.loader.cell.LoaderId;
import java.io.IOException;

/** Takes note of packed cells before they are passed to a sink. One thread. */
public interface SummedCells {
  /**
   * Takes note that this loader writes a cell of an hour that is not complete; the complete one
   * follows, from this loader or another one.
   *
   * @param hour since 1970
   */
  void announce(LoaderId loader, int series, int hour) throws IOException;

  /** Takes a cell that this loader writes; of a series, the hours of one loader rise. */
  void add(LoaderId loader, SummedCell cell) throws IOException;
}
