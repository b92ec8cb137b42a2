package io.packhorse.loader.cell;

/** The two forms an hour can be stored in. */
public enum CellForm {
  /** The packed cell, in its own family; only a patched TSD sees it. */
  PACKED,

  /** OpenTSDB's own compacted column; any stock TSD reads it. */
  COMPACTED
}
