package io.packhorse.loader.doctor;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.query.TsdState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** Checks whether a TSD reads loaded cells correctly. Stateless; any thread. */
public final class TsdChecks {
  /** Version of the packed cells that a load writes. */
  private static final String CELL_VERSION = "1";

  private static final int MAX_TAGS_UNSET = 8;

  private TsdChecks() {}

  /**
   * Checks settings that make a TSD hide or rewrite loaded cells, or refuse new points.
   *
   * @param where file or address
   * @param tagsMax tags that a loaded series may have
   */
  public static List<Finding> settings(Properties config, String where, int tagsMax) {
    List<Finding> findings = new ArrayList<>();
    if (isTrue(config, "tsd.storage.enable_compaction", true)) {
      findings.add(
          Finding.fail(
              "compaction",
              where,
              "tsd.storage.enable_compaction is on: a compacting TSD rewrites rows, which changes"
                  + " which of two equal points wins",
              "set it to false and restart the TSD"));
    } else {
      findings.add(Finding.ok("compaction", where, "off"));
    }
    findings.add(stamps(config, where));
    int tags = (int) number(config, "tsd.storage.max_tags", MAX_TAGS_UNSET);
    findings.add(
        tags < tagsMax
            ? Finding.warn(
                "max_tags",
                where,
                "tsd.storage.max_tags is " + tags + ", loaded series may have " + tagsMax,
                "queries work, but the TSD rejects new points of series with more tags: raise it")
            : Finding.ok("max_tags", where, tags + " tags"));
    return findings;
  }

  private static Finding stamps(Properties config, String where) {
    String check = "timestamps";
    boolean dataTime = isTrue(config, "tsd.storage.use_otsdb_timestamp", false);
    long from = number(config, "tsd.storage.get_date_tiered_compaction_start", 0);
    if (dataTime) {
      return Finding.fail(
          check,
          where,
          "tsd.storage.use_otsdb_timestamp is on: queries do not see cells whose timestamp is the"
              + " time of the load",
          "set it to false and restart the TSD");
    }
    return from != 0
        ? Finding.warn(
            check,
            where,
            "tsd.storage.get_date_tiered_compaction_start is " + from,
            "remove it: it has no effect now, but with use_otsdb_timestamp it would hide loaded"
                + " cells")
        : Finding.ok(check, where, "queries read cells of every timestamp");
  }

  /**
   * Checks a running TSD.
   *
   * @param layout of the load
   * @param packed whether the load writes packed cells
   */
  public static List<Finding> answered(
      TsdState tsd, TableLayout layout, boolean packed, int tagsMax) {
    String where = tsd.url().toString();
    List<Finding> findings = new ArrayList<>();
    findings.add(patched(tsd, packed));
    findings.add(sameLayout(tsd, layout));
    findings.addAll(settings(tsd.config(), where, tagsMax));
    return findings;
  }

  private static Finding patched(TsdState tsd, boolean packed) {
    String check = "patched";
    String where = tsd.url().toString();
    if (Arrays.asList(tsd.packedCells().split(",", -1)).contains(CELL_VERSION)) {
      return Finding.ok(check, where, "reads packed cells");
    }
    String found =
        tsd.packedCells().isEmpty()
            ? "is OpenTSDB without the patches, which does not see packed cells"
            : "reads packed cells of version " + tsd.packedCells() + ", not " + CELL_VERSION;
    String todo = "install the patched TSD (opentsdb-patches), or load with --cells compacted";
    return packed
        ? Finding.fail(check, where, found + ", and answers queries without those points", todo)
        : Finding.ok(check, where, found);
  }

  private static Finding sameLayout(TsdState tsd, TableLayout layout) {
    String check = "layout";
    String where = tsd.url().toString();
    try {
      TableLayout its = TableLayout.of(tsd.config(), where);
      return its.equals(layout)
          ? Finding.ok(check, where, its.sentence())
          : Finding.fail(
              check,
              where,
              "has " + its.sentence() + "; the load has " + layout.sentence(),
              "load with the configuration of this TSD, or it would not find the rows");
    } catch (IOException e) {
      return Finding.fail(check, where, String.valueOf(e.getMessage()), "correct it");
    }
  }

  /** A boolean as OpenTSDB reads it. */
  private static boolean isTrue(Properties config, String key, boolean unset) {
    String value = config.getProperty(key);
    return value == null
        ? unset
        : List.of("true", "1", "yes").contains(value.trim().toLowerCase(Locale.ROOT));
  }

  private static long number(Properties config, String key, long unset) {
    String value = config.getProperty(key, "").trim();
    return value.matches("-?[0-9]{1,18}") ? Long.parseLong(value) : unset;
  }
}
