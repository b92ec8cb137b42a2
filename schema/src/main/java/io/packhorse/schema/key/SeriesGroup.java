package io.packhorse.schema.key;

import java.util.Arrays;

/**
 * Series of one metric that have the same tag keys. Immutable, if nobody changes the arrays.
 *
 * @param tagKeys the tagk UIDs in rising order, one after the other; at least one
 * @param tagValues for each series its tagv UIDs in the order of the keys; the series are sorted as
 *     unsigned bytes, each once
 * @param series how many, 1 or more
 */
@SuppressWarnings("ArrayRecordComponent") // a million series take one array
public record SeriesGroup(byte[] tagKeys, byte[] tagValues, int series) {
  /** Bytes of the tag values of one series. */
  public int stride() {
    return tagValues.length / series;
  }

  /**
   * Whether a series is among them.
   *
   * @param values its tagv UIDs in the order of the keys
   */
  public boolean contains(byte[] values) {
    int stride = stride();
    int last = tagValues.length - stride;
    if (Arrays.compareUnsigned(tagValues, last, tagValues.length, values, 0, values.length) < 0) {
      // Series of new names come after all others, since UIDs rise.
      return false;
    }
    int low = 0;
    int high = series - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int at = middle * stride;
      int order = Arrays.compareUnsigned(tagValues, at, at + stride, values, 0, values.length);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }

  /**
   * The series of both, each once.
   *
   * @param other of the same tag keys
   */
  public SeriesGroup with(SeriesGroup other) {
    int stride = stride();
    byte[] merged = new byte[tagValues.length + other.tagValues.length];
    int left = 0;
    int right = 0;
    int to = 0;
    while (left < tagValues.length || right < other.tagValues.length) {
      int order = order(left, other, right, stride);
      System.arraycopy(
          order <= 0 ? tagValues : other.tagValues, order <= 0 ? left : right, merged, to, stride);
      to += stride;
      left += order <= 0 ? stride : 0;
      right += order >= 0 ? stride : 0;
    }
    return new SeriesGroup(
        tagKeys, to == merged.length ? merged : Arrays.copyOf(merged, to), to / stride);
  }

  /** Below 0 if the next series is this one's, above 0 if it is the other's, 0 if it is in both. */
  private int order(int left, SeriesGroup other, int right, int stride) {
    if (left == tagValues.length) {
      return 1;
    }
    if (right == other.tagValues.length) {
      return -1;
    }
    return Arrays.compareUnsigned(
        tagValues, left, left + stride, other.tagValues, right, right + stride);
  }

  /** Series {@code from} to {@code to}, exclusive. */
  SeriesGroup part(int from, int to) {
    return new SeriesGroup(
        tagKeys, Arrays.copyOfRange(tagValues, from * stride(), to * stride()), to - from);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SeriesGroup that
        && Arrays.equals(tagKeys, that.tagKeys)
        && Arrays.equals(tagValues, that.tagValues);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(tagKeys) + Arrays.hashCode(tagValues);
  }

  @Override
  public String toString() {
    return "SeriesGroup[tags=" + tagKeys.length + " B, series=" + series + "]";
  }
}
