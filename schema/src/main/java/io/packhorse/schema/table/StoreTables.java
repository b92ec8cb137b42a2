package io.packhorse.schema.table;

import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryTable;
import java.util.List;
import java.util.stream.Stream;

/** The tables of one store: OpenTSDB's four and our own, under their usual names. */
public final class StoreTables {
  /** Points, family {@code t} of OpenTSDB and {@code p} of packed cells. */
  public static final String DATA = "tsdb";

  /** Names and their UIDs. */
  public static final String UID = "tsdb-uid";

  /** Known series. */
  public static final String META = "tsdb-meta";

  /** Trees of names. */
  public static final String TREE = "tsdb-tree";

  /** Ours: loader ids and the ledger of jobs. */
  public static final String JOBS = "packhorse";

  /** Family of {@link #DATA} that stock OpenTSDB reads and writes. */
  public static final String POINT_FAMILY = "t";

  /** Family of {@link #DATA} for packed cells; a stock TSD never asks for it. */
  public static final String PACKED_FAMILY = "p";

  /** The one family of {@link #JOBS}; the summary table has those of {@link SummaryLevel}. */
  public static final String JOB_FAMILY = "j";

  private StoreTables() {}

  /**
   * All six under their usual names, the data table presplit by salt bucket.
   *
   * @param saltWidth bytes, 0 to 8
   * @param buckets 1 or more
   * @param bulkCompression of packed cells and known series; nothing else is compressed
   */
  public static List<TableSpec> all(int saltWidth, int buckets, String bulkCompression) {
    return named(
        DATA,
        UID,
        META,
        TREE,
        SplitPoints.bySaltBucket(saltWidth, buckets),
        FamilySpec.NOT_COMPRESSED,
        bulkCompression);
  }

  /**
   * All six under names of the cluster's own; ours as ever, or named after the data table.
   *
   * @param splitPoints of the data table
   * @param compression of OpenTSDB's families but one
   * @param bulkCompression of packed cells, and of known series: 700 bytes each that are alike
   */
  public static List<TableSpec> named(
      String data,
      String uid,
      String meta,
      String tree,
      List<byte[]> splitPoints,
      String compression,
      String bulkCompression) {
    return List.of(
        new TableSpec(
            data,
            List.of(
                new FamilySpec(POINT_FAMILY, compression),
                new FamilySpec(PACKED_FAMILY, bulkCompression)),
            splitPoints,
            false,
            false),
        new TableSpec(uid, families(compression, "id", "name"), List.of(), true, true),
        new TableSpec(meta, families(bulkCompression, "name"), List.of(), true, false),
        new TableSpec(tree, families(compression, "t"), List.of(), true, false),
        summary(data, splitPoints),
        jobs());
  }

  /**
   * What Packhorse adds to a cluster that OpenTSDB's own script has set up: the family of packed
   * cells in the data table, which must be there, and our own tables.
   *
   * @param splitPoints of the summary table
   */
  public static List<TableSpec> ours(String dataTable, List<byte[]> splitPoints) {
    return List.of(
        new TableSpec(
            dataTable,
            families(FamilySpec.NOT_COMPRESSED, POINT_FAMILY, PACKED_FAMILY),
            List.of(),
            false,
            false),
        summary(dataTable, splitPoints),
        jobs());
  }

  /** Blocks are packed already. */
  private static TableSpec summary(String dataTable, List<byte[]> splitPoints) {
    return new TableSpec(
        SummaryTable.of(dataTable),
        Stream.of(SummaryLevel.values())
            .map(level -> new FamilySpec(level.family(), FamilySpec.NOT_COMPRESSED))
            .toList(),
        splitPoints,
        true,
        false);
  }

  private static TableSpec jobs() {
    return new TableSpec(
        JOBS, families(FamilySpec.NOT_COMPRESSED, JOB_FAMILY), List.of(), true, false);
  }

  private static List<FamilySpec> families(String compression, String... names) {
    return Stream.of(names).map(name -> new FamilySpec(name, compression)).toList();
  }
}
