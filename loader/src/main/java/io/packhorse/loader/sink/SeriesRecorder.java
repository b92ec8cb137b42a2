package io.packhorse.loader.sink;

import java.io.IOException;

/** Records in the store what readers must know of a load before its cells are there. Any thread. */
public interface SeriesRecorder {
  /** Records nothing: for cells that readers find without it. */
  SeriesRecorder NONE = () -> {};

  /**
   * Records all series that are resolved, and the hours of all cells that a sink was given by now.
   * Called before any of these cells is stored; costs little if nothing is new.
   */
  void record() throws IOException, InterruptedException;
}
