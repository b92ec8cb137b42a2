package io.packhorse.loader.cell;

import java.io.IOException;

/** Hands out loader ids, each once for ever. Any number of threads. */
public interface LoaderIds {
  /**
   * An id nobody else has.
   *
   * @throws IOException if the store does not answer or all ids are used up
   */
  LoaderId next() throws IOException;
}
