package io.packhorse.loader.load;

import io.packhorse.loader.doctor.Finding;
import io.packhorse.loader.resolve.UidTable;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How many UIDs are left. Their widths cannot be changed once a table holds data.
 *
 * @param name of the table, for people
 */
record UidCapacity(UidTable table, String name, UidWidths widths) {
  private static final String CHECK = "uids";
  private static final int WARN_PERCENT = 80;

  /** One finding a kind: a warning if four fifths or more are used. */
  List<Finding> findings() throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (UidKind kind : UidKind.values()) {
      long max = UidRows.maxUid(widths.of(kind));
      long used = table.lastReserved(kind);
      String found =
          String.format(
              Locale.ROOT,
              "%s of %s UIDs for %s names are used (%d %%)",
              HumanNumbers.count(used),
              HumanNumbers.count(max),
              kind.qualifier(),
              (int) (100.0 * used / max));
      findings.add(
          used < max / 100.0 * WARN_PERCENT
              ? Finding.ok(CHECK, name, found)
              : Finding.warn(
                  CHECK,
                  name,
                  found + ", " + HumanNumbers.count(max - used) + " new ones can still be loaded",
                  "the width of "
                      + widths.of(kind)
                      + " bytes cannot be changed in these tables: plan new ones with packhorse schema"
                      + " plan, or have fewer different names"));
    }
    return findings;
  }
}
