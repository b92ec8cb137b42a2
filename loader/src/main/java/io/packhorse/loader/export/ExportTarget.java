package io.packhorse.loader.export;

import java.io.IOException;

/** Where exported points go. Any number of threads, each with a part of its own. */
public interface ExportTarget {
  /**
   * Begins a part.
   *
   * @param number of the part, from 0
   */
  ExportPart open(int number) throws IOException;

  /** Integers, in the parts that have ended, that the format could not hold and rounded. */
  default long rounded() {
    return 0;
  }
}
