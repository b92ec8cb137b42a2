package io.packhorse.schema.cell;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Points as stock OpenTSDB stores them: one point a column, a whole hour in one compacted column,
 * or an append column.
 *
 * <pre>
 *   column     qualifier           value
 *   single     qualifier           value
 *   compacted  qualifier, ...      value, ... , metadata (1 byte: 1 if 2- and 4-byte forms mix)
 *   append     05 xx xx            (qualifier, value), ... in the order of arrival
 * </pre>
 *
 * {@link Qualifier} has the form of each qualifier; values are big-endian. Stateless; safe for use
 * by several threads, each with its own block and buffers.
 */
public final class CompactedCell {
  private static final VarHandle SHORT_BE =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT_BE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_BE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int APPEND_LENGTH = 3;
  private static final byte APPEND_PREFIX = 5;

  /** A 2-byte qualifier from here on is outside the hour, or the beginning of a 4-byte one. */
  private static final int SECONDS_END = Qualifier.ofSeconds(PointBlock.HOUR_MS / 1000, 0);

  private static final int FLOAT_4 = Qualifier.FLOAT | 3;
  private static final int FLOAT_8 = Qualifier.FLOAT | 7;

  /** Longest qualifier and longest value of one point. */
  private static final int QUALIFIER_MAX = 4;

  private static final int VALUE_MAX = 8;

  private CompactedCell() {}

  /** Whether a column of the data family holds points; annotations and such have odd lengths. */
  public static boolean matches(byte[] qualifier) {
    return (qualifier.length & 1) == 0 ? qualifier.length > 0 : isAppend(qualifier);
  }

  /** Whether a column is an append column. */
  public static boolean isAppend(byte[] qualifier) {
    return isAppend(qualifier, 0, qualifier.length);
  }

  private static boolean isAppend(byte[] qualifier, int from, int to) {
    return to - from == APPEND_LENGTH && qualifier[from] == APPEND_PREFIX;
  }

  /**
   * Appends qualifier and value of the column that OpenTSDB's compaction would make of the block to
   * the caller's buffers: 2-byte qualifiers for whole seconds and 4-byte ones otherwise, integers
   * in the smallest of 1, 2, 4 and 8 bytes, doubles in 4 bytes if a float holds every bit. One
   * point makes a plain column.
   *
   * @param block one point or more; read only
   */
  public static void encode(PointBlock block, ByteWriter qualifier, ByteWriter value) {
    int count = block.count();
    if (count == 0) {
      throw new IllegalArgumentException("compacted cell must hold 1 point or more: count=0");
    }
    // Each value is stored as eight bytes; the next one overwrites those not used.
    qualifier.ensureRoom(QUALIFIER_MAX * count);
    value.ensureRoom(VALUE_MAX * count + VALUE_MAX);
    byte[] qualifiers = qualifier.array();
    byte[] values = value.array();
    int[] offsets = block.offsetsMs();
    long[] bits = block.values();
    boolean[] isDouble = block.isDouble();
    boolean noDoubles = block.doubles() == 0;

    int q = qualifier.length();
    int v = value.length();
    int inMillis = 0;
    for (int i = 0; i < count; i++) {
      long number = bits[i];
      int flags;
      if (noDoubles || !isDouble[i]) {
        // 64 - clz is the bits beside the sign: 0-7 make 1 byte, 8-15 2, 16-31 4, more 8.
        int eighths = (64 - Long.numberOfLeadingZeros(number ^ (number >> 63))) >>> 3;
        flags = (1 << (32 - Integer.numberOfLeadingZeros(eighths))) - 1;
      } else if (FloatBits.fits(number)) {
        number = FloatBits.narrow(number);
        flags = FLOAT_4;
      } else {
        flags = FLOAT_8;
      }
      int length = (flags & Qualifier.LENGTH_MASK) + 1;
      LONG_BE.set(values, v, number << (64 - 8 * length));
      v += length;

      int offset = offsets[i];
      int seconds = offset / 1000;
      if (seconds * 1000 == offset) {
        SHORT_BE.set(qualifiers, q, (short) Qualifier.ofSeconds(seconds, flags));
        q += 2;
      } else {
        INT_BE.set(qualifiers, q, Qualifier.ofMillis(offset, flags));
        q += 4;
        inMillis++;
      }
    }
    if (count > 1) {
      values[v++] = (byte) (inMillis > 0 && inMillis < count ? 1 : 0);
    }
    qualifier.advance(q - qualifier.length());
    value.advance(v - value.length());
  }

  /** {@link #decode(byte[], int, int, byte[], int, int, PointBlock)} of two whole arrays. */
  public static void decode(byte[] qualifier, byte[] value, PointBlock into)
      throws MalformedCellException {
    decode(qualifier, 0, qualifier.length, value, 0, value.length, into);
  }

  /**
   * Replaces the block's points by those of a stored column, in any form that stock readers accept:
   *
   * <ul>
   *   <li>a single 2-byte column whose flags state a wrong length: the value's own length counts;
   *   <li>a single float on 4 bytes stored behind 4 zero bytes;
   *   <li>a compacted column out of order, or with a point twice;
   *   <li>a compacted column without its metadata byte, as batched imports write it;
   *   <li>an append column in any order, or empty; of equal times the last one counts.
   * </ul>
   *
   * The metadata byte is ignored. Stated offsets count from the start of the range.
   *
   * @param qualifierTo index after the qualifier's last byte
   * @param valueTo index after the value's last byte
   * @param into left empty if the column is malformed
   * @throws MalformedCellException if the column has none of these forms, a point lies outside the
   *     hour, or two points of a compacted column have the same time and different values
   */
  public static void decode(
      byte[] qualifier,
      int qualifierFrom,
      int qualifierTo,
      byte[] value,
      int valueFrom,
      int valueTo,
      PointBlock into)
      throws MalformedCellException {
    Objects.checkFromToIndex(qualifierFrom, qualifierTo, qualifier.length);
    Objects.checkFromToIndex(valueFrom, valueTo, value.length);
    into.clear();
    int length = qualifierTo - qualifierFrom;
    if (isAppend(qualifier, qualifierFrom, qualifierTo)) {
      decodeAppend(value, valueFrom, valueTo, into);
    } else if (length == 2) {
      decodeSecond(qualifier, qualifierFrom, value, valueFrom, valueTo, into);
    } else if (length > 0 && (length & 1) == 0) {
      decodeRun(qualifier, qualifierFrom, qualifierTo, value, valueFrom, valueTo, into);
    } else {
      throw new MalformedCellException(
          0,
          "qualifier must be of points: expected an even length, or 3 bytes of which the first is"
              + " 05; length="
              + length);
    }
  }

  /** A lone 2-byte column: the one form whose flags old versions got wrong. */
  private static void decodeSecond(
      byte[] qualifier, int at, byte[] value, int from, int to, PointBlock into)
      throws MalformedCellException {
    int word = (short) SHORT_BE.get(qualifier, at) & 0xffff;
    int offset = Qualifier.offsetOfShort(word);
    int flags = word & Qualifier.FLAGS_MASK;
    int length = to - from;
    int start = from;
    if (flags == FLOAT_4 && length == 8) {
      if ((int) INT_BE.get(value, from) != 0) {
        throw new MalformedCellException(
            0, "float of 4 bytes stored on 8 must start with 4 zero bytes");
      }
      start += 4;
      length = 4;
    }
    int valid = (flags & Qualifier.FLOAT) | (length - 1);
    if (length < 1 || length > VALUE_MAX || !Qualifier.validFlags(valid)) {
      throw new MalformedCellException(
          0,
          "value of one point must have 1, 2, 4 or 8 bytes, or 4 or 8 for a float: length="
              + length
              + ", flags=0x"
              + Integer.toHexString(flags));
    }
    if (offset >= PointBlock.HOUR_MS) {
      throw Qualifier.outsideTheHour(0, offset);
    }
    into.add(offset, valueAt(value, start, to, valid), (flags & Qualifier.FLOAT) != 0);
  }

  /** A run of qualifiers beside a run of values; one 4-byte qualifier alone is a plain column. */
  private static void decodeRun(
      byte[] qualifier, int qFrom, int qTo, byte[] value, int vFrom, int vTo, PointBlock into)
      throws MalformedCellException {
    // Each point takes two bytes of qualifier and one of value at least.
    into.ensureCapacity(Math.min((qTo - qFrom) / 2, vTo - vFrom));
    int[] offsets = into.offsetsMs();
    long[] bits = into.values();
    boolean[] isDouble = into.isDouble();
    int count = 0;
    int last = -1;
    boolean rising = true;
    int q = qFrom;
    int v = vFrom;
    // Most columns have whole seconds alone: a short loop, left at whatever else there is.
    while (q < qTo - 1 && v <= vTo - VALUE_MAX) {
      int word = (short) SHORT_BE.get(qualifier, q) & 0xffff;
      int flags = word & Qualifier.FLAGS_MASK;
      if (word >= SECONDS_END || !Qualifier.validFlags(flags)) {
        break;
      }
      int offset = Qualifier.offsetOfShort(word);
      int length = (flags & Qualifier.LENGTH_MASK) + 1;
      long number = (long) LONG_BE.get(value, v) >> (64 - 8 * length);
      offsets[count] = offset;
      bits[count] = flags == FLOAT_4 ? FloatBits.widen((int) number) : number;
      isDouble[count] = flags > Qualifier.LENGTH_MASK;
      rising &= offset > last;
      last = offset;
      q += 2;
      v += length;
      count++;
    }
    while (q < qTo) {
      int start = q;
      int offset;
      int flags;
      if (Qualifier.isMillis(qualifier[q])) {
        if (qTo - q < 4) {
          throw new MalformedCellException(
              q - qFrom, "qualifier ends too early: expected=4, found=" + (qTo - q));
        }
        int word = (int) INT_BE.get(qualifier, q);
        offset = Qualifier.offsetOfLong(word);
        flags = word & Qualifier.FLAGS_MASK;
        q += 4;
      } else {
        int word = (short) SHORT_BE.get(qualifier, q) & 0xffff;
        offset = Qualifier.offsetOfShort(word);
        flags = word & Qualifier.FLAGS_MASK;
        q += 2;
      }
      int length = (flags & Qualifier.LENGTH_MASK) + 1;
      check(start - qFrom, offset, flags, v - vFrom, length, vTo - v);
      offsets[count] = offset;
      bits[count] = valueAt(value, v, vTo, flags);
      isDouble[count] = (flags & Qualifier.FLOAT) != 0;
      rising &= offset > last;
      last = offset;
      v += length;
      count++;
    }
    int over = vTo - v;
    if (over > 1 || (over == 1 && count == 1)) {
      throw new MalformedCellException(
          v - vFrom,
          "value must end with its last point, or one byte of metadata after several: found="
              + over);
    }
    finish(into, count, rising, false);
  }

  private static void decodeAppend(byte[] value, int from, int to, PointBlock into)
      throws MalformedCellException {
    // The shortest point takes three bytes.
    into.ensureCapacity((to - from) / 3);
    int[] offsets = into.offsetsMs();
    long[] bits = into.values();
    boolean[] isDouble = into.isDouble();
    int count = 0;
    int last = -1;
    boolean rising = true;
    int at = from;
    while (at < to) {
      int start = at;
      int offset;
      int flags;
      if (Qualifier.isMillis(value[at]) && to - at >= 4) {
        int word = (int) INT_BE.get(value, at);
        offset = Qualifier.offsetOfLong(word);
        flags = word & Qualifier.FLAGS_MASK;
        at += 4;
      } else if (!Qualifier.isMillis(value[at]) && to - at >= 2) {
        int word = (short) SHORT_BE.get(value, at) & 0xffff;
        offset = Qualifier.offsetOfShort(word);
        flags = word & Qualifier.FLAGS_MASK;
        at += 2;
      } else {
        throw new MalformedCellException(
            at - from, "qualifier within the value ends too early: found=" + (to - at));
      }
      int length = (flags & Qualifier.LENGTH_MASK) + 1;
      check(start - from, offset, flags, at - from, length, to - at);
      offsets[count] = offset;
      bits[count] = valueAt(value, at, to, flags);
      isDouble[count] = (flags & Qualifier.FLOAT) != 0;
      rising &= offset > last;
      last = offset;
      at += length;
      count++;
    }
    finish(into, count, rising, true);
  }

  /** Checks one point of a run, whose qualifier starts at {@code q} and value at {@code v}. */
  private static void check(int q, int offset, int flags, int v, int length, int left)
      throws MalformedCellException {
    if (offset >= PointBlock.HOUR_MS) {
      throw Qualifier.outsideTheHour(q, offset);
    }
    if (!Qualifier.validFlags(flags)) {
      throw Qualifier.invalidFlags(q, flags);
    }
    if (length > left) {
      throw new MalformedCellException(
          v, "value ends too early: expected=" + length + ", found=" + left);
    }
  }

  /** The value with these valid flags at {@code at}; floats are widened. */
  private static long valueAt(byte[] value, int at, int to, int flags) {
    int length = (flags & Qualifier.LENGTH_MASK) + 1;
    long number;
    if (to - at >= VALUE_MAX) {
      number = (long) LONG_BE.get(value, at) >> (64 - 8 * length);
    } else {
      number = value[at];
      for (int i = 1; i < length; i++) {
        number = (number << 8) | (value[at + i] & 0xff);
      }
    }
    return flags == FLOAT_4 ? FloatBits.widen((int) number) : number;
  }

  private static void finish(PointBlock into, int count, boolean rising, boolean lastWins)
      throws MalformedCellException {
    into.filled(rising ? count : sort(into, count, lastWins));
  }

  /**
   * Sorts the first {@code count} entries by time, removes duplicates; returns how many are left.
   */
  private static int sort(PointBlock block, int count, boolean lastWins)
      throws MalformedCellException {
    int[] offsets = block.offsetsMs();
    long[] bits = block.values();
    boolean[] isDouble = block.isDouble();
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = (long) offsets[i] << 32 | i;
    }
    Arrays.sort(order);
    long[] oldBits = Arrays.copyOf(bits, count);
    boolean[] oldIsDouble = Arrays.copyOf(isDouble, count);
    int left = 0;
    for (long next : order) {
      int offset = (int) (next >>> 32);
      int from = (int) next;
      if (left > 0 && offsets[left - 1] == offset) {
        if (lastWins) {
          left--;
        } else if (bits[left - 1] == oldBits[from] && isDouble[left - 1] == oldIsDouble[from]) {
          continue;
        } else {
          throw new MalformedCellException(
              0,
              "qualifier must not hold one time with different values: offset=" + offset + " ms");
        }
      }
      offsets[left] = offset;
      bits[left] = oldBits[from];
      isDouble[left] = oldIsDouble[from];
      left++;
    }
    return left;
  }
}
