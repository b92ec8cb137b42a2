package io.packhorse.schema.key;

import io.packhorse.schema.bytes.MalformedCellException;

/**
 * OpenTSDB's salt: which bucket a series falls in, and how the bucket heads the row key.
 *
 * <p>{@code tsd.storage.salt.width} and {@code tsd.storage.salt.buckets}: properties of the tables,
 * read from the TSD's settings and never guessed. All hours of a series share a bucket.
 *
 * @param width bytes at the head of the row key, 0 (no salt) to {@link #WIDTH_MAX}
 * @param buckets number of buckets, at least 1 and no more than the width can tell apart; taken as
 *     1 for width 0
 */
public record SaltFunction(int width, int buckets) {
  /** Largest width that OpenTSDB accepts. */
  public static final int WIDTH_MAX = 8;

  /** No salt: OpenTSDB's default. */
  public static final SaltFunction NONE = new SaltFunction(0, 1);

  public SaltFunction {
    if (width < 0 || width > WIDTH_MAX) {
      throw new IllegalArgumentException(
          "salt width must be 0 to " + WIDTH_MAX + " bytes: width=" + width);
    }
    if (buckets < 1) {
      throw new IllegalArgumentException("salt buckets must be 1 or more: buckets=" + buckets);
    }
    if (width == 0) {
      buckets = 1;
    } else if (width < 4 && buckets > 1 << (8 * width)) {
      throw new IllegalArgumentException(
          "salt buckets must fit in the salt's width: buckets=" + buckets + ", width=" + width);
    }
  }

  /** Bucket of a series, 0 to {@code buckets - 1}. */
  public int bucket(Tsuid tsuid) {
    // The remainder is below 2^31 in magnitude, so its absolute value exists.
    return Math.abs(tsuid.hashCode() % buckets);
  }

  /** Writes the salt of a bucket to the head of a row key. */
  void put(int bucket, byte[] key) {
    if (bucket < 0 || bucket >= buckets) {
      throw new IllegalArgumentException(
          "salt bucket must be 0 to " + (buckets - 1) + ": bucket=" + bucket);
    }
    for (int i = 0; i < width; i++) {
      key[i] = at(bucket, i);
    }
  }

  /** Reads the bucket at the head of a row key, which holds {@link #width} bytes at least. */
  int bucketOf(byte[] key) throws MalformedCellException {
    int bucket = 0;
    for (int i = Math.max(0, width - 4); i < width; i++) {
      bucket = (bucket << 8) | (key[i] & 0xff);
    }
    boolean same = bucket >= 0 && bucket < buckets;
    for (int i = 0; i < width; i++) {
      same &= key[i] == at(bucket, i);
    }
    if (!same) {
      throw new MalformedCellException(
          0,
          "row key must start with a salt of bucket 0 to "
              + (buckets - 1)
              + " on "
              + width
              + " bytes: bucket="
              + Integer.toUnsignedString(bucket));
    }
    return bucket;
  }

  /**
   * Byte {@code i} of a bucket's salt: big-endian, and beyond four bytes the same four over again,
   * because OpenTSDB shifts an int by more than 31 bits there.
   */
  private byte at(int bucket, int i) {
    return (byte) (bucket >>> (8 * (width - 1 - i) % 32));
  }
}
