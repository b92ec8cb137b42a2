package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.MalformedCellException;

/** A packed cell of a version that this reader does not know; a newer reader may. */
public final class CellVersionException extends MalformedCellException {
  private static final long serialVersionUID = 1;

  private final int version;

  CellVersionException(int version) {
    super(
        0,
        "packed cell: version must be 1; another version of Packhorse wrote this cell: expected=1,"
            + " found="
            + version);
    this.version = version;
  }

  /** Version of the cell, 0 to 15. */
  public int version() {
    return version;
  }
}
