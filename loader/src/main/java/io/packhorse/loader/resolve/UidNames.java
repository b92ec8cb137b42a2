package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;

/** Names of UIDs. Any number of threads. */
public interface UidNames {
  /** The names of those that have one. */
  Map<Long, String> names(UidKind kind, Collection<Long> uids) throws IOException;

  /** Every UID of a kind, with its name. */
  Map<Long, String> all(UidKind kind) throws IOException;
}
