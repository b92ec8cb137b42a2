package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.List;

/** The steps of OpenTSDB's UID protocol, each for many names at once. Any number of threads. */
public interface UidTable {
  /** In a result of {@link #find}: the name has no UID. */
  long NONE = 0;

  /** The UIDs of names, in their order. */
  long[] find(UidKind kind, List<String> names) throws IOException;

  /** The last UID reserved from the counter; 0 if none was. */
  long lastReserved(UidKind kind) throws IOException;

  /**
   * Reserves a block of UIDs by advancing the counter.
   *
   * @return the last UID of the block
   */
  long reserve(UidKind kind, int count) throws IOException;

  /**
   * Writes the rows from UID to name that are empty.
   *
   * @return for each row whether it was written
   */
  boolean[] putNames(UidKind kind, long[] uids, List<String> names) throws IOException;

  /**
   * Writes the rows from name to UID that are empty.
   *
   * @return for each row whether it was written
   */
  boolean[] putUids(UidKind kind, List<String> names, long[] uids) throws IOException;
}
