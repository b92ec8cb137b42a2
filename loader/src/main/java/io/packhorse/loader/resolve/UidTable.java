package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.List;

/** The steps of OpenTSDB's UID protocol, each for many names at once. Any number of threads. */
public interface UidTable {
  /** In the answer of {@link #find}: the name has no UID. */
  long NONE = 0;

  /** The UIDs of names, in their order. */
  long[] find(UidKind kind, List<String> names) throws IOException;

  /** The last UID that the counter has given out, 0 at first. */
  long lastReserved(UidKind kind) throws IOException;

  /**
   * Advances the counter.
   *
   * @return the last UID of the block; those before it are nobody else's
   */
  long reserve(UidKind kind, int count) throws IOException;

  /**
   * Writes the rows from UID to name that are not there.
   *
   * @return of each whether it was written
   */
  boolean[] putNames(UidKind kind, long[] uids, List<String> names) throws IOException;

  /**
   * Writes the rows from name to UID that are not there.
   *
   * @return of each whether it was written
   */
  boolean[] putUids(UidKind kind, List<String> names, long[] uids) throws IOException;
}
