package io.packhorse.schema.table;

import java.util.ArrayList;
import java.util.List;

/** Where a new table is cut into regions. */
public final class SplitPoints {
  private SplitPoints() {}

  /**
   * One region per salt bucket: the first key of each bucket but the first.
   *
   * @param saltWidth bytes of salt before the metric, 0 to 8; 0 gives no split points, since an
   *     unsalted metric has one prefix only
   * @param buckets number of salt buckets, 1 or more, and as many as the width can tell apart
   * @return {@code buckets - 1} keys of {@code saltWidth} bytes, rising; the caller's own
   */
  public static List<byte[]> bySaltBucket(int saltWidth, int buckets) {
    if (saltWidth < 0 || saltWidth > 8) {
      throw new IllegalArgumentException("salt width must be 0 to 8: saltWidth=" + saltWidth);
    }
    if (buckets < 1 || (saltWidth > 0 && saltWidth < 4 && buckets > 1 << (8 * saltWidth))) {
      throw new IllegalArgumentException(
          "salt buckets must be at least 1 and fit the width: buckets="
              + buckets
              + ", saltWidth="
              + saltWidth);
    }
    List<byte[]> points = new ArrayList<>();
    for (int bucket = 1; saltWidth > 0 && bucket < buckets; bucket++) {
      byte[] key = new byte[saltWidth];
      for (int i = 0; i < Math.min(saltWidth, 4); i++) {
        key[saltWidth - 1 - i] = (byte) (bucket >>> (8 * i));
      }
      points.add(key);
    }
    return points;
  }
}
