package io.packhorse.loader.read;

import java.io.IOException;
import java.util.List;

/** Reads single stored rows. Any number of threads. */
public interface RowLookup {
  /**
   * Reads rows. Many keys in one call are read much faster than a few, where they are neighbours.
   *
   * @param rowKeys in any order; one may be there twice
   * @return rows in the order of the keys; a row that does not exist has no columns
   */
  List<StoredRow> get(List<byte[]> rowKeys) throws IOException;
}
