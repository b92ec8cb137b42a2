package io.packhorse.loader.cell;

import io.packhorse.schema.table.StoreTables;
import java.util.Locale;

/** The two forms in which an hour can be stored; each has its own column family. */
public enum CellForm {
  /** The packed cell, in its own family; only a patched TSD sees it. */
  PACKED(StoreTables.PACKED_FAMILY),

  /** OpenTSDB's own compacted column; any stock TSD reads it. */
  COMPACTED(StoreTables.POINT_FAMILY);

  private final String family;

  CellForm(String family) {
    this.family = family;
  }

  /** Column family of the data table that holds cells of this form. */
  public String family() {
    return family;
  }

  /** As users write it: {@code packed} or {@code compacted}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
