package io.packhorse.schema.table;

import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where a new table is cut into regions. */
public final class SplitPoints {
  private static final long METRICS_MAX = 1L << 24;

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
      points.add(bucketStart(saltWidth, bucket));
    }
    points.sort(Arrays::compareUnsigned);
    return points;
  }

  /** The salt of a bucket as {@link SaltFunction} has it: beyond four bytes the same four again. */
  private static byte[] bucketStart(int saltWidth, int bucket) {
    byte[] key = new byte[saltWidth];
    for (int i = 0; i < saltWidth; i++) {
      key[saltWidth - 1 - i] = (byte) (bucket >>> (8 * i % 32));
    }
    return key;
  }

  /**
   * Several regions a salt bucket: by metric and, within one, by time, in equal parts if all
   * metrics are of one size.
   *
   * @param partsPerBucket regions of a bucket, 1 or more; there are fewer if there are fewer hours
   * @param metrics their UIDs are 1 to this, as in a new store; 1 to 2^24
   * @param fromBaseTime first hour, see {@link BaseTime#check}
   * @param toBaseTime hour after the last, greater
   * @return keys, rising; the caller's own
   */
  public static List<byte[]> byMetricAndTime(
      RowKeyLayout layout, int partsPerBucket, long metrics, long fromBaseTime, long toBaseTime) {
    long hours =
        (BaseTime.check(toBaseTime) - BaseTime.check(fromBaseTime)) / BaseTime.HOUR_SECONDS;
    if (partsPerBucket < 1 || metrics < 1 || metrics > METRICS_MAX || hours < 1) {
      throw new IllegalArgumentException(
          String.format(
              "parts must be 1 or more, metrics 1 to %d, the end after the start: parts=%d,"
                  + " metrics=%d, hours=%d",
              METRICS_MAX, partsPerBucket, metrics, hours));
    }
    SaltFunction salt = layout.salt();
    List<byte[]> points = new ArrayList<>();
    for (int bucket = 0; bucket < salt.buckets(); bucket++) {
      if (bucket > 0) {
        points.add(bucketStart(salt.width(), bucket));
      }
      long last = 0;
      for (int part = 1; part < partsPerBucket; part++) {
        long position = (long) ((double) metrics * hours * part / partsPerBucket);
        if (position > last) {
          points.add(
              layout.scanStart(
                  bucket,
                  1 + position / hours,
                  fromBaseTime + position % hours * BaseTime.HOUR_SECONDS));
          last = position;
        }
      }
    }
    points.sort(Arrays::compareUnsigned);
    return points;
  }
}
