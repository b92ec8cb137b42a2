package io.packhorse.schema.table;

import java.util.List;

/**
 * A table as it is created; what an existing one is compared with.
 *
 * @param name HBase table name, without namespace
 * @param families at least one
 * @param splitPoints first keys of all regions but the first, rising; not copied, not to be changed
 * @param regionSplits whether HBase may split regions by itself; off for presplit data tables,
 *     whose regions must stand still under a bulk load
 * @param multiRowPuts whether several rows of a region can be written in one atomic step, by
 *     HBase's own MultiRowMutationEndpoint
 */
public record TableSpec(
    String name,
    List<FamilySpec> families,
    List<byte[]> splitPoints,
    boolean regionSplits,
    boolean multiRowPuts) {
  public TableSpec {
    families = List.copyOf(families);
    splitPoints = List.copyOf(splitPoints);
    if (families.isEmpty()) {
      throw new IllegalArgumentException("table must have a family: name=" + name);
    }
  }
}
