package io.packhorse.schema.table;

/**
 * One column family: ROW bloom filter, one version, neither block encoding nor compression.
 *
 * <p>Every family of ours is so: rows are read by key, a cell replaces its predecessor, and a dense
 * hour is packed already. What differs one day becomes a field then.
 *
 * @param name one or more letters, as HBase stores it in every key
 */
public record FamilySpec(String name) {
  /** Versions kept of a cell. */
  public static final int VERSIONS = 1;

  public FamilySpec {
    if (!name.matches("[a-z]+")) {
      throw new IllegalArgumentException("family must be lower-case letters: name=" + name);
    }
  }
}
