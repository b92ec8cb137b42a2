package io.packhorse.loader.sink.hfile;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The regions of a table by their first keys, as they were when a load began. Immutable; any
 * thread.
 */
final class RegionRanges {
  private final byte[][] starts;

  /**
   * @param starts first key of each region in rising order, the first one empty; kept
   */
  RegionRanges(byte[][] starts) {
    this.starts = starts;
  }

  int count() {
    return starts.length;
  }

  /** The first key of a region in hex. */
  String name(int region) {
    return HexFormat.of().formatHex(starts[region]);
  }

  /** Index of the region of a row. */
  int regionOf(byte[] rowKey) {
    int found = Arrays.binarySearch(starts, rowKey, Arrays::compareUnsigned);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }
}
