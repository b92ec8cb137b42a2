package io.packhorse.loader.sink.hfile;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The regions of a table by their first keys, as they were when a load began. Immutable; the arrays
 * belong to it.
 */
final class RegionRanges {
  private final byte[][] starts;

  /**
   * @param starts first key of each region, rising; the first one empty
   */
  RegionRanges(byte[][] starts) {
    this.starts = starts;
  }

  int count() {
    return starts.length;
  }

  /** A region by its first key. */
  String name(int region) {
    return HexFormat.of().formatHex(starts[region]);
  }

  /** Index of the region that a row lies in. */
  int regionOf(byte[] rowKey) {
    int found = Arrays.binarySearch(starts, rowKey, Arrays::compareUnsigned);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }
}
