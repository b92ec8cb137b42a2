package io.packhorse.loader.table;

/**
 * A column family as HBase has it; settings by HBase's names.
 *
 * @param ttlSeconds how long a cell is kept after its timestamp, {@link #FOREVER} for ever
 */
public record FoundFamily(
    String name, String compression, String encoding, String bloom, int versions, int ttlSeconds) {
  /** As HBase has it. */
  public static final int FOREVER = Integer.MAX_VALUE;
}
