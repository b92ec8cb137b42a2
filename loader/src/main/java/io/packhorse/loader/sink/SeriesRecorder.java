package io.packhorse.loader.sink;

import java.io.IOException;

/** Records the series of a load in the store, so that readers find their cells. Any thread. */
public interface SeriesRecorder {
  /** Records nothing: for cells that readers find without it. */
  SeriesRecorder NONE = () -> {};

  /**
   * Records all series that are resolved by now. Called before cells of them are stored; costs
   * little if none is new.
   */
  void record() throws IOException, InterruptedException;
}
