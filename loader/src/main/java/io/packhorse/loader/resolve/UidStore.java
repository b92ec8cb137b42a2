package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** OpenTSDB's table of UIDs, shared with every other loader and TSD. Any number of threads. */
public interface UidStore {
  /**
   * The UIDs of names, in their order; assigned now by OpenTSDB's protocol where there are none.
   *
   * @throws IOException if the store does not answer or has too few UIDs left of this kind
   */
  long[] findOrAssign(UidKind kind, List<String> names) throws IOException;

  /** The UID of a name, or empty if it has none. */
  OptionalLong find(UidKind kind, String name) throws IOException;
}
