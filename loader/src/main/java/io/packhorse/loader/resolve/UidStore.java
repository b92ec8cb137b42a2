package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** Finds and assigns UIDs, shared with every other loader and TSD. Any number of threads. */
public interface UidStore {
  /**
   * The UIDs of names, in their order; names without one get one.
   *
   * @throws IOException if the store does not answer or has too few UIDs of this kind left
   */
  long[] findOrAssign(UidKind kind, List<String> names) throws IOException;

  /** The UID of a name, or empty if it has none. */
  OptionalLong find(UidKind kind, String name) throws IOException;
}
