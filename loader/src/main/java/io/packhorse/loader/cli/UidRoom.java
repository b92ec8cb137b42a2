package io.packhorse.loader.cli;

import io.packhorse.loader.resolve.UidTable;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.PrintWriter;

/** How many UIDs are left, told before they are used up: their widths cannot be changed then. */
record UidRoom(UidTable table, UidWidths widths) {
  private static final int WARN_PERCENT = 80;

  /** Names the kinds of which four fifths are used. */
  void warn(PrintWriter err) throws IOException {
    for (UidKind kind : UidKind.values()) {
      long max = UidRows.maxUid(widths.of(kind));
      long used = table.lastReserved(kind);
      if (used >= max / 100.0 * WARN_PERCENT) {
        err.printf(
            "WARNING   %s of %s UIDs for %s are used (%d%%); without one a new name cannot be loaded%n",
            Figures.count(used), Figures.count(max), kind.qualifier(), (int) (100.0 * used / max));
      }
    }
  }
}
