package io.packhorse.loader.read;

import java.io.IOException;
import java.util.List;

/** Where single stored rows are read from. Any number of threads. */
public interface RowLookup {
  /**
   * Reads rows.
   *
   * @return in the order of the keys; a row that is not there has no columns
   */
  List<StoredRow> get(List<byte[]> rowKeys) throws IOException;
}
