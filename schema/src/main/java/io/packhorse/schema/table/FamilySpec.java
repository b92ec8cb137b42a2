package io.packhorse.schema.table;

/**
 * One column family: ROW bloom filter, one version.
 *
 * <p>Rows are read by key and a cell replaces its predecessor. Dense hours are packed already, so
 * blocks are stored as they are unless a compression is named; then they are FAST_DIFF-encoded too,
 * which takes the keys of short cells together.
 *
 * @param name one or more letters, as HBase stores it in every key
 * @param compression as HBase names it, such as ZSTD, or {@link #NOT_COMPRESSED}
 */
public record FamilySpec(String name, String compression) {
  /** Versions kept of a cell. */
  public static final int VERSIONS = 1;

  /** Blocks as they are. */
  public static final String NOT_COMPRESSED = "NONE";

  public FamilySpec {
    if (!name.matches("[a-z]+")) {
      throw new IllegalArgumentException("family must be lower-case letters: name=" + name);
    }
    if (!compression.matches("[A-Z0-9]+")) {
      throw new IllegalArgumentException(
          "compression must be upper-case letters and digits: compression=" + compression);
    }
  }

  /** A family without compression. */
  public FamilySpec(String name) {
    this(name, NOT_COMPRESSED);
  }

  /** Encoding of the blocks, as HBase names it. */
  public String encoding() {
    return compression.equals(NOT_COMPRESSED) ? "NONE" : "FAST_DIFF";
  }
}
