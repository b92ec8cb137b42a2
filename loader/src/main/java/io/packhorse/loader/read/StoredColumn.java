package io.packhorse.loader.read;

/**
 * A stored cell.
 *
 * @param packed whether it is in the family of packed cells
 * @param qualifier column
 * @param stampMs cell timestamp, milliseconds since the epoch
 * @param value the stored value
 */
public record StoredColumn(boolean packed, byte[] qualifier, long stampMs, byte[] value) {}
