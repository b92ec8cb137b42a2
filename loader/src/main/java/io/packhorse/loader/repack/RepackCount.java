package io.packhorse.loader.repack;

/** What a repack counts. Their order is that of the ledger's lines. */
public enum RepackCount {
  /** Series-hours that were packed. */
  ROWS,
  /** Points in their new cells. */
  POINTS,
  /** Points that an older column had, too, and that did not count before either. */
  REPLACED,
  /** Columns that the new cells take the place of. */
  COLUMNS,
  /** Bytes of the row keys, qualifiers and values of those columns. */
  COLUMN_BYTES,
  /** New cells. */
  CELLS,
  /** Bytes of their row keys, qualifiers and values. */
  CELL_BYTES,
  /** Bytes of their values alone. */
  VALUE_BYTES,
  /** Series-hours of which nothing is to be packed: one packed cell holds them already. */
  AS_BEFORE,
  /** Columns that are newer than the repack; they stay beside the new cells, and win. */
  NEWER,
  /** Series-hours that were left as they are, because a column cannot be read. */
  LEFT,
  /** Annotations, which stay. */
  ANNOTATIONS,
  /** Histograms, which stay. */
  HISTOGRAMS,
  /** Columns of no known kind, which stay. */
  UNKNOWN,
  /** Series-hours that had changed when they were verified, and were packed again. */
  CHANGED,
  /** Series-hours whose cells were compared with their old columns. */
  VERIFIED,
  /** Old columns that were deleted. */
  DELETED,
  /** Those of them that were packed cells. */
  DELETED_CELLS
}
