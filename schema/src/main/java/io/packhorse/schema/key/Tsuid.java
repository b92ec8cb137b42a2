package io.packhorse.schema.key;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Identity of a series: its metric's UID, then its tag pairs in the order of their bytes.
 *
 * <pre>
 *   metric UID | (tagk UID | tagv UID) one or more times, tagk UIDs rising as unsigned bytes
 * </pre>
 *
 * Immutable; ordered as unsigned bytes. Two of them compare only under the same widths.
 */
public final class Tsuid implements Comparable<Tsuid> {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final byte[] bytes;

  /** Computed when it is asked for, by any thread with the same result; 0 if not yet. */
  private int hash;

  private Tsuid(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Sorts the tags as OpenTSDB does.
   *
   * @param tags tagk UID, tagv UID, tagk UID, ... in any order; at least one pair
   * @throws IllegalArgumentException if a pair is missing or incomplete, a tagk comes twice, or a
   *     UID does not fit its width
   */
  public static Tsuid of(UidWidths widths, long metric, long... tags) {
    if (tags.length == 0 || tags.length % 2 != 0) {
      throw new IllegalArgumentException(
          "series must have one or more pairs of tagk and tagv: uids=" + tags.length);
    }
    int pairLength = widths.tagk() + widths.tagv();
    byte[] bytes = new byte[widths.metric() + tags.length / 2 * pairLength];
    UidRows.put(metric, widths.metric(), bytes, 0);
    int end = widths.metric();
    boolean rising = true;
    for (int i = 0; i < tags.length; i += 2) {
      // Insertion by tagk: UIDs are unsigned and of one width, so numbers sort as their bytes do.
      int at = end;
      if (i == 0 || (rising && tags[i] > tags[i - 2])) {
        putPair(widths, tags, i, bytes, at);
        end += pairLength;
        continue;
      }
      rising = false;
      while (at > widths.metric() && tagkAt(bytes, at - pairLength, widths) >= tags[i]) {
        if (tagkAt(bytes, at - pairLength, widths) == tags[i]) {
          throw new IllegalArgumentException("series must have each tagk once: tagk=" + tags[i]);
        }
        at -= pairLength;
      }
      System.arraycopy(bytes, at, bytes, at + pairLength, end - at);
      putPair(widths, tags, i, bytes, at);
      end += pairLength;
    }
    return new Tsuid(bytes);
  }

  private static void putPair(UidWidths widths, long[] tags, int i, byte[] into, int at) {
    UidRows.put(tags[i], widths.tagk(), into, at);
    UidRows.put(tags[i + 1], widths.tagv(), into, at + widths.tagk());
  }

  /**
   * The series of another metric with the same tags.
   *
   * @param widths of this one
   * @throws IllegalArgumentException if the UID does not fit its width
   */
  public Tsuid withMetric(UidWidths widths, long metric) {
    byte[] other = bytes.clone();
    UidRows.put(metric, widths.metric(), other, 0);
    return new Tsuid(other);
  }

  /**
   * Reads stored bytes; they are copied.
   *
   * @throws MalformedCellException if the length fits no number of tags, the tags are out of order
   *     or a UID is 0
   */
  public static Tsuid parse(UidWidths widths, byte[] tsuid) throws MalformedCellException {
    return adopt(widths, tsuid.clone());
  }

  /** Checks bytes that nobody else will change, and keeps them. */
  static Tsuid adopt(UidWidths widths, byte[] bytes) throws MalformedCellException {
    int pairLength = widths.tagk() + widths.tagv();
    int tagBytes = bytes.length - widths.metric();
    if (tagBytes < pairLength || tagBytes % pairLength != 0) {
      throw new MalformedCellException(
          0,
          "TSUID must be a metric of "
              + widths.metric()
              + " bytes and one or more tags of "
              + pairLength
              + ": length="
              + bytes.length);
    }
    requireUid(bytes, 0, widths.metric());
    for (int at = widths.metric(); at < bytes.length; at += pairLength) {
      requireUid(bytes, at, widths.tagk());
      requireUid(bytes, at + widths.tagk(), widths.tagv());
      int previous = at - pairLength;
      if (previous >= widths.metric()
          && Arrays.compareUnsigned(
                  bytes, previous, previous + widths.tagk(), bytes, at, at + widths.tagk())
              >= 0) {
        throw new MalformedCellException(
            at, "TSUID must have its tagk UIDs in rising order: tsuid=" + HEX.formatHex(bytes));
      }
    }
    return new Tsuid(bytes);
  }

  /** The bytes; a new array. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Number of bytes. */
  public int length() {
    return bytes.length;
  }

  /** {@link Arrays#hashCode(byte[])} of the bytes: the number OpenTSDB's salt is taken from. */
  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = Arrays.hashCode(bytes);
      hash = known;
    }
    return known;
  }

  /** Copies a stretch of the bytes into the caller's array. */
  void copy(int from, int length, byte[] into, int at) {
    System.arraycopy(bytes, from, into, at, length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tsuid that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int compareTo(Tsuid other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  /** Upper-case hex, as OpenTSDB's API writes it. */
  @Override
  public String toString() {
    return HEX.formatHex(bytes);
  }

  private static long tagkAt(byte[] bytes, int at, UidWidths widths) {
    long value = 0;
    for (int i = 0; i < widths.tagk(); i++) {
      value = (value << 8) | (bytes[at + i] & 0xff);
    }
    return value;
  }

  private static void requireUid(byte[] bytes, int at, int width) throws MalformedCellException {
    for (int i = 0; i < width; i++) {
      if (bytes[at + i] != 0) {
        return;
      }
    }
    throw new MalformedCellException(
        at, "TSUID must hold no UID 0, which is never given out: tsuid=" + HEX.formatHex(bytes));
  }
}
