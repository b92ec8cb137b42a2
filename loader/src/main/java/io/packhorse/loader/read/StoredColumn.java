package io.packhorse.loader.read;

import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.packed.PackedQualifier;

/**
 * A stored cell.
 *
 * @param packed whether it is in the family of packed cells
 * @param qualifier column
 * @param stampMs cell timestamp, milliseconds since the epoch
 * @param value the stored value
 */
public record StoredColumn(boolean packed, byte[] qualifier, long stampMs, byte[] value) {
  /** Whether it holds points; annotations and such do not. */
  public boolean holdsPoints() {
    return packed ? PackedQualifier.matches(qualifier) : CompactedCell.matches(qualifier);
  }
}
