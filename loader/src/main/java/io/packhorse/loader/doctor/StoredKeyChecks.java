package io.packhorse.loader.doctor;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks the layout of a load against stored rows and UIDs. Stateless; any thread. */
public final class StoredKeyChecks {
  private static final String CHECK = "layout";

  private StoredKeyChecks() {}

  /**
   * Checks row keys of the data table.
   *
   * @param rowKeys a sample from several regions
   */
  public static Finding rows(String table, List<byte[]> rowKeys, RowKeyLayout layout) {
    int checked = 0;
    int wrong = 0;
    String first = "";
    // Rows of global annotations have metric 0, bucket 0 and no tags: their length tells them.
    int annotation = layout.salt().width() + layout.widths().metric() + RowKeyLayout.TIME_LENGTH;
    for (byte[] key : rowKeys) {
      if (key.length == annotation) {
        continue;
      }
      checked++;
      String problem = problem(key, layout);
      if (!problem.isEmpty()) {
        wrong++;
        first = first.isEmpty() ? problem + ", row=" + HexFormat.of().formatHex(key) : first;
      }
    }
    if (checked == 0) {
      return Finding.ok(CHECK, table, "no rows yet");
    }
    return wrong == 0
        ? Finding.ok(
            CHECK, table, checked + " stored rows have the salt and UID widths of this load")
        : Finding.fail(
            CHECK,
            table,
            String.format(
                Locale.ROOT,
                "%d of %d stored rows do not have the salt and UID widths of this load: %s",
                wrong,
                checked,
                first),
            "load with the configuration of the TSD that wrote them");
  }

  private static String problem(byte[] key, RowKeyLayout layout) {
    try {
      int stored = layout.bucket(key);
      layout.baseTimeSeconds(key);
      Tsuid tsuid = layout.tsuid(key);
      int expected = layout.salt().bucket(tsuid);
      return stored == expected ? "" : "salt must be " + expected + ": salt=" + stored;
    } catch (MalformedCellException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Checks the widths of stored UIDs.
   *
   * @param widths bytes of a stored UID of each kind that has one
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
            "load with the configuration of the TSD that wrote them");
      }
    }
    return Finding.ok(CHECK, table, "stored UIDs have the widths of this load");
  }
}
