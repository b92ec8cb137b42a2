package io.packhorse.schema.cell;

import java.util.Arrays;
import java.util.Objects;

/**
 * The points of one series in one hour: offsets strictly rising, values bit-exact.
 *
 * <p>A value is a 64-bit integer or a double, stored as its raw bits; a 4-byte float is stored as
 * the double of equal value (see {@link FloatBits}), so two kinds are enough. Whether a point was
 * written with second or millisecond resolution is not kept.
 *
 * <p>Reusable and growable; for one thread. The arrays returned are the block's own: valid up to
 * {@link #count()} and until the next change.
 */
public final class PointBlock {
  /** Length of a row in milliseconds; offsets lie in {@code [0, HOUR_MS)}. */
  public static final int HOUR_MS = 3_600_000;

  private int count;
  private int doubles;
  private int[] offsetsMs;
  private long[] values;
  private boolean[] isDouble;

  /** An empty block with room for a full hour of one-second points. */
  public PointBlock() {
    this(3600);
  }

  /**
   * @param capacity initial room in points, 0 or more
   */
  public PointBlock(int capacity) {
    offsetsMs = new int[capacity];
    values = new long[capacity];
    isDouble = new boolean[capacity];
  }

  /** Number of points. */
  public int count() {
    return count;
  }

  /** Offsets from the base time in milliseconds, strictly rising. The block's own array. */
  public int[] offsetsMs() {
    return offsetsMs;
  }

  /** Integers as they are, doubles as {@link Double#doubleToRawLongBits}. The block's own array. */
  public long[] values() {
    return values;
  }

  /** Which values are doubles. The block's own array. */
  public boolean[] isDouble() {
    return isDouble;
  }

  /** Number of points whose value is a double; 0 when all are integers. */
  public int doubles() {
    return doubles;
  }

  /** Removes all points; the arrays are kept. */
  public void clear() {
    count = 0;
    doubles = 0;
  }

  /**
   * Appends an integer point.
   *
   * @param offsetMs milliseconds from the base time, above the last one and below {@link #HOUR_MS}
   */
  public void addLong(int offsetMs, long value) {
    add(offsetMs, value, false);
  }

  /** Appends a double by its raw bits, NaN payloads included; offset as in {@link #addLong}. */
  public void addDouble(int offsetMs, long rawBits) {
    add(offsetMs, rawBits, true);
  }

  /** Appends a point of either kind; offset as in {@link #addLong}. */
  public void add(int offsetMs, long bits, boolean pointIsDouble) {
    int last = count == 0 ? -1 : offsetsMs[count - 1];
    if (offsetMs <= last || offsetMs >= HOUR_MS) {
      throw new IllegalArgumentException(
          "point block: offsets must rise and stay below "
              + HOUR_MS
              + " ms: index="
              + count
              + ", offset="
              + offsetMs
              + ", last="
              + last);
    }
    if (count == values.length) {
      ensureCapacity(count + 1);
    }
    offsetsMs[count] = offsetMs;
    values[count] = bits;
    isDouble[count] = pointIsDouble;
    count++;
    if (pointIsDouble) {
      doubles++;
    }
  }

  /**
   * Appends points in bulk as long as their times rise and stay inside the hour.
   *
   * @param timestampsMs milliseconds since the epoch, only read
   * @param bits values as in {@link #values}, only read
   * @param pointIsDouble kinds, only read
   * @param from index of the first point to take
   * @param to index after the last
   * @param baseMs base time of this block in milliseconds since the epoch
   * @return index of the first point not taken; {@code to} when all were
   */
  public int appendRising(
      long[] timestampsMs, long[] bits, boolean[] pointIsDouble, int from, int to, long baseMs) {
    ensureCapacity(count + to - from);
    int taken = takeOffsets(timestampsMs, from, to, baseMs);
    System.arraycopy(bits, from, values, count, taken);
    System.arraycopy(pointIsDouble, from, isDouble, count, taken);
    int end = count + taken;
    for (int i = count; i < end; i++) {
      doubles += isDouble[i] ? 1 : 0;
    }
    count = end;
    return from + taken;
  }

  /** Appends offsets as long as they rise and stay inside the hour; returns how many. */
  private int takeOffsets(long[] timestampsMs, int from, int to, long baseMs) {
    int[] offsets = offsetsMs;
    int at = count;
    long last = at == 0 ? -1 : offsets[at - 1];
    for (int i = from; i < to; i++) {
      long offset = timestampsMs[i] - baseMs;
      if (offset <= last || offset >= HOUR_MS) {
        break;
      }
      last = offset;
      offsets[at++] = (int) offset;
    }
    return at - count;
  }

  /** Makes the arrays large enough for {@code points} points in all. */
  public void ensureCapacity(int points) {
    if (points > values.length) {
      int capacity = Math.max(points, values.length + (values.length >> 1));
      offsetsMs = Arrays.copyOf(offsetsMs, capacity);
      values = Arrays.copyOf(values, capacity);
      isDouble = Arrays.copyOf(isDouble, capacity);
    }
  }

  /**
   * Sets the number of points after the caller has filled the first entries of the three arrays.
   * Checks the offsets and counts the doubles.
   *
   * @throws IllegalArgumentException naming the index where the offsets do not rise or leave the
   *     hour
   */
  public void filled(int points) {
    if (points > values.length) {
      throw new IllegalArgumentException(
          "point block: points must fit the arrays: points=" + points + ", room=" + values.length);
    }
    int last = -1;
    int seen = 0;
    for (int i = 0; i < points; i++) {
      int offset = offsetsMs[i];
      if (offset <= last || offset >= HOUR_MS) {
        throw new IllegalArgumentException(
            "point block: offsets must rise and stay below "
                + HOUR_MS
                + " ms: index="
                + i
                + ", offset="
                + offset
                + ", last="
                + last);
      }
      last = offset;
      seen += isDouble[i] ? 1 : 0;
    }
    count = points;
    doubles = seen;
  }

  /**
   * As {@link #filled(int)}, for a caller that has checked the offsets and counted the doubles.
   *
   * @param points entries filled, with offsets that rise strictly inside the hour
   * @param pointsThatAreDoubles how many of them have {@link #isDouble} set
   */
  public void filledInOrder(int points, int pointsThatAreDoubles) {
    Objects.checkIndex(points, values.length + 1);
    Objects.checkIndex(pointsThatAreDoubles, points + 1);
    count = points;
    doubles = pointsThatAreDoubles;
  }

  /** Equal points in equal order; values compared bit by bit. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PointBlock that
        && count == that.count
        && Arrays.equals(offsetsMs, 0, count, that.offsetsMs, 0, count)
        && Arrays.equals(values, 0, count, that.values, 0, count)
        && Arrays.equals(isDouble, 0, count, that.isDouble, 0, count);
  }

  @Override
  public int hashCode() {
    int hash = count;
    for (int i = 0; i < count; i++) {
      hash = 31 * hash + offsetsMs[i];
      hash = 31 * hash + Long.hashCode(values[i]);
    }
    return hash;
  }

  @Override
  public String toString() {
    return "PointBlock[count=" + count + ", doubles=" + doubles + "]";
  }
}
