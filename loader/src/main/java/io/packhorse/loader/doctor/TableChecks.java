package io.packhorse.loader.doctor;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.table.FoundFamily;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.FoundTable.Regions;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.summary.SummaryTable;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.SplitPoints;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.table.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks existing tables against what the layout expects. Stateless; any thread. */
public final class TableChecks {
  private static final String TABLES = "tables";
  private static final String TTL = "ttl";
  private static final int DAY_SECONDS = 86_400;

  private TableChecks() {}

  /**
   * Compares each table with what is expected.
   *
   * @param expected tables of the layout
   * @param found existing tables by name
   */
  public static List<Finding> differences(
      TableLayout layout, List<TableSpec> expected, Map<String, FoundTable> found) {
    List<Finding> findings = new ArrayList<>();
    for (TableSpec spec : expected) {
      FoundTable table = found.get(spec.name());
      int before = findings.size();
      if (table == null) {
        findings.add(missing(spec.name(), layout));
        continue;
      }
      spec.families().forEach(family -> compare(spec, family, table, findings));
      if (spec.name().equals(layout.dataTable())) {
        regions(table, layout.rowKeys().salt(), findings);
      }
      if (findings.size() == before) {
        findings.add(Finding.ok(TABLES, spec.name(), regionsOf(table) + ", families as expected"));
      }
    }
    return findings;
  }

  private static String regionsOf(FoundTable table) {
    int count = table.startKeys().size();
    return count == 1 ? "1 region" : count + " regions";
  }

  private static Finding missing(String name, TableLayout layout) {
    if (name.equals(StoreTables.JOBS) || name.equals(SummaryTable.of(layout.dataTable()))) {
      return Finding.ok(TABLES, name, "does not exist yet; the first load creates it");
    }
    String found = "does not exist";
    String todo =
        "create it with packhorse schema create, or correct its name in the TSD's configuration";
    if (name.equals(layout.treeTable())) {
      return Finding.warn(TABLES, name, found, "only OpenTSDB's trees need it: " + todo);
    }
    return name.equals(layout.metaTable())
        ? Finding.fail(TABLES, name, found, todo + ", or load with --no-meta")
        : Finding.fail(TABLES, name, found, todo);
  }

  private static void compare(
      TableSpec spec, FamilySpec expected, FoundTable table, List<Finding> findings) {
    FoundFamily family = table.family(expected.name()).orElse(null);
    if (family == null) {
      findings.add(
          expected.name().equals(StoreTables.PACKED_FAMILY)
              ? Finding.ok(
                  TABLES, spec.name(), "no family p yet; the first load of packed cells adds it")
              : Finding.fail(
                  TABLES,
                  spec.name(),
                  "has no family " + expected.name(),
                  "it is not a table of OpenTSDB: correct the table names in the TSD's"
                      + " configuration"));
      return;
    }
    if (family.versions() != FamilySpec.VERSIONS) {
      findings.add(
          Finding.warn(
              TABLES,
              spec.name(),
              "family " + family.name() + " keeps " + family.versions() + " versions",
              "set VERSIONS => 1, or cells that are loaded again take space twice"));
    }
    if (!family.bloom().equals("ROW")) {
      findings.add(
          Finding.warn(
              TABLES,
              spec.name(),
              "family " + family.name() + " has bloom filter " + family.bloom(),
              "set BLOOMFILTER => 'ROW', or a read of one row searches every file"));
    }
  }

  private static void regions(FoundTable table, SaltFunction salt, List<Finding> findings) {
    if (table.regions() == Regions.BY_STORE) {
      return;
    }
    if (table.regions() == Regions.SPLIT_BY_SIZE) {
      findings.add(
          Finding.warn(
              TABLES,
              table.name(),
              "HBase may split its regions",
              "set SPLIT_ENABLED => false while you load; HFiles of regions that split meanwhile"
                  + " are rewritten"));
    }
    long missing =
        SplitPoints.bySaltBucket(salt.width(), salt.buckets()).stream()
            .filter(
                bucket -> table.startKeys().stream().noneMatch(key -> Arrays.equals(key, bucket)))
            .count();
    if (missing > 0) {
      findings.add(
          Finding.warn(
              TABLES,
              table.name(),
              regionsOf(table)
                  + "; "
                  + missing
                  + " of "
                  + salt.buckets()
                  + " salt buckets have no region of their own",
              "split the table at each bucket before a large load, or one server does all the"
                  + " work"));
    } else if (salt.width() == 0 && table.startKeys().size() == 1) {
      findings.add(
          Finding.warn(
              TABLES,
              table.name(),
              "one region and no salt",
              "split the table by metric and time before a large load (packhorse schema plan), or"
                  + " one server does all the work"));
    }
  }

  /** Checks how long HBase keeps cells that are loaded now, whatever the age of their points. */
  public static List<Finding> timeToLive(FoundTable data) {
    List<Finding> findings = new ArrayList<>();
    for (FoundFamily family : data.families()) {
      int seconds = family.ttlSeconds();
      if (seconds == FoundFamily.FOREVER) {
        continue;
      }
      String where = data.name() + " " + family.name();
      String todo =
          "the TTL counts from the load, not from the time of a point: old points stay longer than"
              + " they would have";
      findings.add(
          seconds < DAY_SECONDS
              ? Finding.fail(
                  TTL,
                  where,
                  "cells are deleted " + seconds + " s after they were loaded",
                  "raise the TTL before you load")
              : Finding.warn(
                  TTL,
                  where,
                  "cells are deleted " + seconds / DAY_SECONDS + " days after they were loaded",
                  todo));
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok(TTL, data.name(), "cells are kept forever"));
    }
    return findings;
  }

  /**
   * Checks that each server can use the codecs of the tables: it can if it serves a region with it.
   *
   * @param servers all live region servers
   */
  public static List<Finding> codecs(Iterable<FoundTable> tables, Set<String> servers) {
    Map<String, Set<String>> proven = new TreeMap<>();
    for (FoundTable table : tables) {
      for (FoundFamily family : table.families()) {
        if (!family.compression().equals(FamilySpec.NOT_COMPRESSED)) {
          proven
              .computeIfAbsent(family.compression(), codec -> new TreeSet<>())
              .addAll(table.servers());
        }
      }
    }
    List<Finding> findings = new ArrayList<>();
    proven.forEach(
        (codec, on) -> {
          Set<String> unknown = new TreeSet<>(servers);
          unknown.removeAll(on);
          findings.add(
              unknown.isEmpty()
                  ? Finding.ok("codec", codec, "every region server serves a region with it")
                  : Finding.warn(
                      "codec",
                      codec,
                      "unknown whether "
                          + String.join(", ", unknown)
                          + " can use it: no region with it there",
                      "try it on every server with packhorse doctor --codec " + codec));
        });
    if (findings.isEmpty()) {
      findings.add(Finding.ok("codec", "tables", "no family is compressed"));
    }
    return findings;
  }
}
