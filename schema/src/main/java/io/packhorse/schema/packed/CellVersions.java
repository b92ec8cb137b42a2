package io.packhorse.schema.packed;

import java.util.List;

/** Versions of the packed cell's format, as {@code docs/format.md} numbers them. */
public final class CellVersions {
  /** The version that the encoder writes. */
  public static final int WRITTEN = 1;

  /** The versions that the decoder reads, ascending. */
  public static List<Integer> read() {
    return List.of(1);
  }

  private CellVersions() {}
}
