package io.packhorse.loader.table;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A table as HBase has it.
 *
 * @param families by name
 * @param regionSplits whether HBase may split its regions
 * @param startKeys of its regions, rising; the first is empty. Not to be changed
 * @param servers that its regions are open on
 * @param bytes of its HFiles, to a megabyte or so
 */
public record FoundTable(
    String name,
    List<FoundFamily> families,
    boolean regionSplits,
    List<byte[]> startKeys,
    SortedSet<String> servers,
    long bytes) {
  /** A family of it. */
  public Optional<FoundFamily> family(String wanted) {
    return families.stream().filter(family -> family.name().equals(wanted)).findAny();
  }
}
