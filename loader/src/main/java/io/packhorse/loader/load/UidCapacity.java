package io.packhorse.loader.load;

import io.packhorse.loader.resolve.UidTable;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How many UIDs are left. Their widths cannot be changed once a table holds data. */
record UidCapacity(UidTable table, UidWidths widths) {
  private static final int WARN_PERCENT = 80;

  /** A sentence for each kind of which four fifths or more are used. */
  List<String> warnings() throws IOException {
    List<String> warnings = new ArrayList<>();
    for (UidKind kind : UidKind.values()) {
      long max = UidRows.maxUid(widths.of(kind));
      long used = table.lastReserved(kind);
      if (used >= max / 100.0 * WARN_PERCENT) {
        warnings.add(
            String.format(
                "%s of %s UIDs for %s are used (%d%%); when all are used, no new name can be"
                    + " loaded",
                HumanNumbers.count(used),
                HumanNumbers.count(max),
                kind.qualifier(),
                (int) (100.0 * used / max)));
      }
    }
    return warnings;
  }
}
