package io.packhorse.loader.doctor;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The layout that is to be written against rows and UIDs that are there. */
public final class StoredKeyChecks {
  private static final String CHECK = "layout";

  private StoredKeyChecks() {}

  /**
   * Row keys of the data table.
   *
   * @param rowKeys some, from several regions
   */
  public static Finding rows(String table, List<byte[]> rowKeys, RowKeyLayout layout) {
    int looked = 0;
    int wrong = 0;
    String first = "";
    // Global annotations lie under metric 0 in bucket 0, without tags.
    int annotation = layout.salt().width() + layout.widths().metric() + RowKeyLayout.TIME_LENGTH;
    for (byte[] key : rowKeys) {
      if (key.length == annotation) {
        continue;
      }
      looked++;
      String problem = problem(key, layout);
      if (!problem.isEmpty()) {
        wrong++;
        first = first.isEmpty() ? problem + ", row=" + HexFormat.of().formatHex(key) : first;
      }
    }
    if (looked == 0) {
      return Finding.ok(CHECK, table, "no rows yet");
    }
    return wrong == 0
        ? Finding.ok(CHECK, table, looked + " stored rows have this salt and these UID widths")
        : Finding.fail(
            CHECK,
            table,
            String.format(
                Locale.ROOT,
                "%d of %d stored rows have another salt or other UID widths: %s",
                wrong,
                looked,
                first),
            "give the configuration of the TSD that wrote them");
  }

  private static String problem(byte[] key, RowKeyLayout layout) {
    try {
      int stored = layout.bucket(key);
      long unused = layout.baseTimeSeconds(key);
      Tsuid tsuid = layout.tsuid(key);
      int expected = layout.salt().bucket(tsuid);
      return stored == expected ? "" : "salt must be " + expected + ": salt=" + stored;
    } catch (MalformedCellException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Widths of the UIDs that are there.
   *
   * @param widths bytes of a UID of each kind that has any
   */
  public static Finding uids(String table, Map<UidKind, Integer> widths, RowKeyLayout layout) {
    for (Map.Entry<UidKind, Integer> found : widths.entrySet()) {
      int expected = layout.widths().of(found.getKey());
      if (found.getValue() != expected) {
        return Finding.fail(
            CHECK,
            table,
            String.format(
                Locale.ROOT,
                "UIDs of %s have %d bytes, not %d",
                found.getKey().qualifier(),
                found.getValue(),
                expected),
            "give the configuration of the TSD that wrote them");
      }
    }
    return Finding.ok(CHECK, table, "UIDs have these widths");
  }
}
