package io.packhorse.loader.cell;

import java.io.IOException;

/** Issues loader ids, each only once ever. Any number of threads. */
public interface LoaderIds {
  /**
   * An id nobody else has.
   *
   * @throws IOException if the store does not answer or no id is left
   */
  LoaderId next() throws IOException;
}
