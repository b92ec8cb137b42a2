package io.packhorse.loader.load;

import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.resolve.UidTable;
import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** UIDs that names have already; none is assigned. */
record KnownUids(UidTable table) implements UidStore {
  private static final int NAMES_A_CALL = 4096;

  /** A name has no UID. */
  static final class NoUidException extends IOException {
    private static final long serialVersionUID = 1;

    private NoUidException(String sentence) {
      super(sentence);
    }
  }

  /**
   * @throws NoUidException if one of them has no UID
   */
  @Override
  public long[] findOrAssign(UidKind kind, List<String> names) throws IOException {
    long[] uids = new long[names.size()];
    for (int from = 0; from < uids.length; from += NAMES_A_CALL) {
      List<String> some = names.subList(from, Math.min(uids.length, from + NAMES_A_CALL));
      long[] found = table.find(kind, some);
      for (int i = 0; i < found.length; i++) {
        if (found[i] == UidTable.NONE) {
          throw new NoUidException("no UID for " + kind.qualifier() + " '" + some.get(i) + "'");
        }
        uids[from + i] = found[i];
      }
    }
    return uids;
  }

  @Override
  public OptionalLong find(UidKind kind, String name) throws IOException {
    long uid = table.find(kind, List.of(name))[0];
    return uid == UidTable.NONE ? OptionalLong.empty() : OptionalLong.of(uid);
  }
}
