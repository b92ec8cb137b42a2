package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.OptionalLong;

/** OpenTSDB's table of UIDs, shared with every other loader and TSD. Any number of threads. */
public interface UidStore {
  /**
   * The UID of a name, assigned now by OpenTSDB's protocol if it has none.
   *
   * @throws IOException if the store does not answer or has no UID left of this kind
   */
  long findOrAssign(UidKind kind, String name) throws IOException;

  /** The UID of a name, or empty if it has none. */
  OptionalLong find(UidKind kind, String name) throws IOException;
}
