package io.packhorse.loader.table;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;

/**
 * An existing table.
 *
 * @param families by name
 * @param regions how its regions come to be
 * @param startKeys of its regions in rising order, the first one empty; not to be changed
 * @param servers that its regions are open on
 * @param bytes of its HFiles, as HBase reports it, in whole MiB; empty if the store does not tell
 */
public record FoundTable(
    String name,
    List<FoundFamily> families,
    Regions regions,
    List<byte[]> startKeys,
    SortedSet<String> servers,
    OptionalLong bytes) {
  /** How the regions of a table come to be. */
  public enum Regions {
    /** By split points that were given. */
    FIXED,
    /** By split points, and HBase splits those that grow. */
    SPLIT_BY_SIZE,
    /** As the store likes; Bigtable's tablets. */
    BY_STORE
  }

  /** The family of a name. */
  public Optional<FoundFamily> family(String wanted) {
    return families.stream().filter(family -> family.name().equals(wanted)).findAny();
  }
}
