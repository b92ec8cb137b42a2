package io.packhorse.loader.table;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * An existing table.
 *
 * @param families by name
 * @param regionSplits whether HBase may split its regions
 * @param startKeys of its regions in rising order, the first one empty; not to be changed
 * @param servers that its regions are open on
 * @param bytes of its HFiles, as HBase reports it, in whole MiB
 */
public record FoundTable(
    String name,
    List<FoundFamily> families,
    boolean regionSplits,
    List<byte[]> startKeys,
    SortedSet<String> servers,
    long bytes) {
  /** The family of a name. */
  public Optional<FoundFamily> family(String wanted) {
    return families.stream().filter(family -> family.name().equals(wanted)).findAny();
  }
}
