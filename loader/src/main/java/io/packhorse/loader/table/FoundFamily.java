package io.packhorse.loader.table;

/**
 * An existing column family; settings have HBase's names.
 *
 * @param ttlSeconds how long a cell is kept after its timestamp, {@link #FOREVER} forever
 */
public record FoundFamily(
    String name, String compression, String encoding, String bloom, int versions, int ttlSeconds) {
  /** HBase's value for no TTL. */
  public static final int FOREVER = Integer.MAX_VALUE;
}
