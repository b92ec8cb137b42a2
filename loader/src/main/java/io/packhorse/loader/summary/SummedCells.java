package io.packhorse.loader.summary;

import io.packhorse.loader.cell.LoaderId;
import java.io.IOException;

/** Takes note of packed cells before they are passed to a sink. One thread. */
public interface SummedCells {
  /** Takes a cell that this loader writes; of a series, the hours of one loader rise. */
  void add(LoaderId loader, SummedCell cell) throws IOException;
}
