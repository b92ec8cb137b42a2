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
  private static final byte ANNOTATION_PREFIX = 1;
  private static final byte HISTOGRAM_PREFIX = 6;

  /** What a column holds, by its qualifier. */
  public enum Kind {
    /** Points, of any form. */
    POINTS,
    /** A note on a time. */
    ANNOTATION,
    /** A histogram of a time. */
    HISTOGRAM,
    /** Nothing that OpenTSDB 2.4 or Packhorse writes. */
    UNKNOWN
  }

  /** Whether it holds points; annotations and such do not. */
  public boolean holdsPoints() {
    return packed ? PackedQualifier.matches(qualifier) : CompactedCell.matches(qualifier);
  }

  /** What it holds. */
  public Kind kind() {
    if (holdsPoints()) {
      return Kind.POINTS;
    }
    int prefix = packed || qualifier.length == 0 ? 0 : qualifier[0];
    return switch (prefix) {
      case ANNOTATION_PREFIX -> Kind.ANNOTATION;
      case HISTOGRAM_PREFIX -> Kind.HISTOGRAM;
      default -> Kind.UNKNOWN;
    };
  }

  /** Bytes of row key, qualifier and value. */
  public int bytes(byte[] rowKey) {
    return rowKey.length + qualifier.length + value.length;
  }
}
