package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Fixed-width bit fields in natural order: value {@code i} of width {@code w} takes the bits {@code
 * [i*w, (i+1)*w)} of the run, bit 0 being the least significant bit of the first byte. A run starts
 * and ends on a byte boundary; the bits left over in its last byte are 0 (format.md section 3).
 *
 * <p>Readers get arrays with {@link #SLACK} bytes after the cell, so that an eight-byte load at any
 * byte of the cell stays inside the array.
 */
final class BitPacking {
  /** Bytes that a reader's array must have after the last byte of the cell. */
  static final int SLACK = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Widest field that one unaligned 64-bit load always holds. */
  private static final int ONE_LOAD_MAX = 57;

  /** Widest field of which four fit in 64 bits. */
  private static final int FOUR_A_WORD_MAX = 16;

  /** Widest field of which eight fit in 64 bits. */
  private static final int EIGHT_A_WORD_MAX = 8;

  /** Widest field of which one load holds four that begin or end on a byte boundary. */
  private static final int FOUR_A_LOAD_MAX = 16;

  /** Widest field of which one load always holds two. */
  private static final int TWO_A_LOAD_MAX = 28;

  private BitPacking() {}

  /** Bytes taken by {@code count} fields of {@code width} bits; count at most 2^16. */
  static int bytes(int count, int width) {
    return (count * width + 7) >>> 3;
  }

  /** Bits needed for an unsigned value: 0 for 0, 64 for a negative long. */
  static int width(long unsigned) {
    return 64 - Long.numberOfLeadingZeros(unsigned);
  }

  /** Maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ..., so that small magnitudes take few bits. */
  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  /** The inverse of {@link #zigzag}. */
  static long unzigzag(long folded) {
    return (folded >>> 1) ^ -(folded & 1);
  }

  /** Bytes of an unsigned varint. */
  static int varBytes(long unsigned) {
    return (70 - Long.numberOfLeadingZeros(unsigned | 1)) / 7;
  }

  /** The little-endian 64-bit number at {@code at}. */
  static long load(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /** Stores a little-endian 64-bit number at {@code at}. */
  static void store(byte[] bytes, int at, long word) {
    LONGS.set(bytes, at, word);
  }

  /** Appends {@code values[from, to) - base}, each of which must fit in {@code width} bits. */
  static void pack(long[] values, int from, int to, long base, int width, ByteWriter out) {
    pack(values, from, to, false, base, width, out);
  }

  /** Appends {@code values[from, to)} in zigzag form, cut to their low {@code width} bits. */
  static void packZigzag(long[] values, int from, int to, int width, ByteWriter out) {
    pack(values, from, to, true, 0, width, out);
  }

  private static void pack(
      long[] values, int from, int to, boolean zigzag, long base, int width, ByteWriter out) {
    int bytes = bytes(to - from, width);
    out.ensureRoom(bytes + Long.BYTES);
    byte[] array = out.array();
    int at = out.length();
    long mask = width == 0 ? 0 : -1L >>> (64 - width);
    long word = 0;
    int used = 0;
    int i = from;
    if (width == Long.SIZE) {
      for (; i < to; i++, at += Long.BYTES) {
        LONGS.set(array, at, field(values[i], zigzag, base, mask));
      }
    } else if (width <= EIGHT_A_WORD_MAX) {
      i += (to - from) & -8;
      packEights(values, from, i, zigzag, base, width, array, at);
      at += ((i - from) >>> 3) * width;
    } else if (width <= FOUR_A_WORD_MAX) {
      int wide = 4 * width;
      for (; i + 4 <= to; i += 4) {
        long four =
            field(values[i + 3], zigzag, base, mask) << width
                | field(values[i + 2], zigzag, base, mask);
        four = four << width | field(values[i + 1], zigzag, base, mask);
        four = four << width | field(values[i], zigzag, base, mask);
        word |= four << used;
        used += wide;
        if (used >= 64) {
          LONGS.set(array, at, word);
          at += Long.BYTES;
          used -= 64;
          // The part that did not fit. For 0 bits no shift: one by 64 would be one by 0.
          word = used == 0 ? 0 : four >>> (wide - used);
        }
      }
    }
    for (; i < to; i++) {
      long value = field(values[i], zigzag, base, mask);
      word |= value << used;
      used += width;
      if (used >= 64) {
        LONGS.set(array, at, word);
        at += Long.BYTES;
        used -= 64;
        word = used == 0 ? 0 : value >>> (width - used);
      }
    }
    LONGS.set(array, at, word);
    out.advance(bytes);
  }

  /** Packs a multiple of eight fields of at most eight bits; see {@link #unpackEights}. */
  private static void packEights(
      long[] values, int from, int to, boolean zigzag, long base, int width, byte[] array, int at) {
    switch (width) {
      case 0 -> {
        // No bits.
      }
      case 1 -> eights(values, from, to, zigzag, base, 1, array, at);
      case 2 -> eights(values, from, to, zigzag, base, 2, array, at);
      case 3 -> eights(values, from, to, zigzag, base, 3, array, at);
      case 4 -> eights(values, from, to, zigzag, base, 4, array, at);
      case 5 -> eights(values, from, to, zigzag, base, 5, array, at);
      case 6 -> eights(values, from, to, zigzag, base, 6, array, at);
      case 7 -> eights(values, from, to, zigzag, base, 7, array, at);
      default -> eights(values, from, to, zigzag, base, 8, array, at);
    }
  }

  private static void eights(
      long[] values,
      int from,
      int to,
      boolean zigzag,
      long base,
      int width,
      byte[] array,
      int start) {
    long mask = -1L >>> (64 - width);
    int at = start;
    for (int i = from; i < to; i += 8, at += width) {
      long low = field(values[i], zigzag, base, mask);
      low |= field(values[i + 1], zigzag, base, mask) << width;
      low |= field(values[i + 2], zigzag, base, mask) << (2 * width);
      low |= field(values[i + 3], zigzag, base, mask) << (3 * width);
      long high = field(values[i + 4], zigzag, base, mask);
      high |= field(values[i + 5], zigzag, base, mask) << width;
      high |= field(values[i + 6], zigzag, base, mask) << (2 * width);
      high |= field(values[i + 7], zigzag, base, mask) << (3 * width);
      LONGS.set(array, at, low | high << (4 * width));
    }
  }

  private static long field(long value, boolean zigzag, long base, long mask) {
    return zigzag ? zigzag(value) & mask : value - base;
  }

  /**
   * Skips a run of bits that ends on a byte boundary.
   *
   * @param bits fewer than 2^31 bytes of them, since a run has at most 65,536 numbers
   * @return index of its first byte
   * @throws MalformedCellException if the cell ends inside the run, or the padding is not 0
   */
  static int skipRun(ByteReader in, byte[] bytes, long bits) throws MalformedCellException {
    int start = in.position();
    long length = (bits + 7) >>> 3;
    in.skip((int) length);
    int padding = (int) ((length << 3) - bits);
    if (padding != 0 && (bytes[in.position() - 1] & 0xff) >>> (8 - padding) != 0) {
      throw new MalformedCellException(
          in.position() - 1, "packed cell: padding bits must be 0: padding=" + padding);
    }
    return start;
  }

  /**
   * Reads {@code count} fields into {@code values[from, from + count)}, {@code base} added to each.
   */
  static void unpack(
      ByteReader in, byte[] bytes, int count, long base, int width, long[] values, int from)
      throws MalformedCellException {
    int start = skipRun(in, bytes, (long) count * width);
    if (width == 0) {
      Arrays.fill(values, from, from + count, base);
      return;
    }
    long mask = -1L >>> (64 - width);
    int bit = start << 3;
    int end = from + count;
    if (width <= EIGHT_A_WORD_MAX) {
      unpackEights(bytes, start, count, base, width, values, from);
      return;
    }
    int i = from;
    if (width <= TWO_A_LOAD_MAX) {
      i += count & -8;
      if (width <= FOUR_A_LOAD_MAX) {
        unpackFours(bytes, start, base, width, values, from, i);
      } else {
        unpackTwos(bytes, start, base, width, values, from, i);
      }
      bit += (i - from) * width;
    }
    if (width <= ONE_LOAD_MAX) {
      for (; i < end; i++, bit += width) {
        values[i] = base + (((long) LONGS.get(bytes, bit >>> 3) >>> (bit & 7)) & mask);
      }
      return;
    }
    if (width == Long.SIZE) {
      for (int at = start; i < end; i++, at += Long.BYTES) {
        values[i] = base + (long) LONGS.get(bytes, at);
      }
      return;
    }
    for (; i < end; i++, bit += width) {
      values[i] = base + (wide(bytes, bit) & mask);
    }
  }

  /**
   * Reads a multiple of eight fields of 9 to 16 bits, four per load; one call for each width, as in
   * {@link #unpackEights}.
   */
  private static void unpackFours(
      byte[] bytes, int start, long base, int width, long[] values, int from, int end) {
    switch (width) {
      case 9 -> fours(bytes, start, base, 9, values, from, end);
      case 10 -> fours(bytes, start, base, 10, values, from, end);
      case 11 -> fours(bytes, start, base, 11, values, from, end);
      case 12 -> fours(bytes, start, base, 12, values, from, end);
      case 13 -> fours(bytes, start, base, 13, values, from, end);
      case 14 -> fours(bytes, start, base, 14, values, from, end);
      case 15 -> fours(bytes, start, base, 15, values, from, end);
      default -> fours(bytes, start, base, 16, values, from, end);
    }
  }

  private static void fours(
      byte[] bytes, int start, long base, int width, long[] values, int from, int end) {
    long mask = -1L >>> (64 - width);
    int at = start;
    for (int i = from; i < end; i += 8, at += width) {
      long low = (long) LONGS.get(bytes, at);
      values[i] = base + (low & mask);
      values[i + 1] = base + ((low >>> width) & mask);
      values[i + 2] = base + ((low >>> (2 * width)) & mask);
      values[i + 3] = base + ((low >>> (3 * width)) & mask);
      int shift = (4 * width) & 7;
      long high = (long) LONGS.get(bytes, at + ((4 * width) >>> 3));
      values[i + 4] = base + ((high >>> shift) & mask);
      values[i + 5] = base + ((high >>> (shift + width)) & mask);
      values[i + 6] = base + ((high >>> (shift + 2 * width)) & mask);
      values[i + 7] = base + ((high >>> (shift + 3 * width)) & mask);
    }
  }

  /** As {@link #unpackFours}, fields of 17 to 28 bits, two per load. */
  private static void unpackTwos(
      byte[] bytes, int start, long base, int width, long[] values, int from, int end) {
    switch (width) {
      case 17 -> twos(bytes, start, base, 17, values, from, end);
      case 18 -> twos(bytes, start, base, 18, values, from, end);
      case 19 -> twos(bytes, start, base, 19, values, from, end);
      case 20 -> twos(bytes, start, base, 20, values, from, end);
      case 21 -> twos(bytes, start, base, 21, values, from, end);
      case 22 -> twos(bytes, start, base, 22, values, from, end);
      case 23 -> twos(bytes, start, base, 23, values, from, end);
      case 24 -> twos(bytes, start, base, 24, values, from, end);
      case 25 -> twos(bytes, start, base, 25, values, from, end);
      case 26 -> twos(bytes, start, base, 26, values, from, end);
      case 27 -> twos(bytes, start, base, 27, values, from, end);
      default -> twos(bytes, start, base, 28, values, from, end);
    }
  }

  private static void twos(
      byte[] bytes, int start, long base, int width, long[] values, int from, int end) {
    long mask = -1L >>> (64 - width);
    int at = start;
    for (int i = from; i < end; i += 8, at += width) {
      long two = (long) LONGS.get(bytes, at);
      values[i] = base + (two & mask);
      values[i + 1] = base + ((two >>> width) & mask);
      two = (long) LONGS.get(bytes, at + ((2 * width) >>> 3)) >>> ((2 * width) & 7);
      values[i + 2] = base + (two & mask);
      values[i + 3] = base + ((two >>> width) & mask);
      two = (long) LONGS.get(bytes, at + ((4 * width) >>> 3)) >>> ((4 * width) & 7);
      values[i + 4] = base + (two & mask);
      values[i + 5] = base + ((two >>> width) & mask);
      two = (long) LONGS.get(bytes, at + ((6 * width) >>> 3)) >>> ((6 * width) & 7);
      values[i + 6] = base + (two & mask);
      values[i + 7] = base + ((two >>> width) & mask);
    }
  }

  /** As {@link #unpack}, of fields that hold the zigzag form of the values. */
  static void unpackZigzag(
      ByteReader in, byte[] bytes, int count, int width, long[] values, int from)
      throws MalformedCellException {
    if (width == 0 || width > EIGHT_A_WORD_MAX) {
      unpack(in, bytes, count, 0, width, values, from);
      unzigzag(values, from, from + count);
      return;
    }
    int start = skipRun(in, bytes, (long) count * width);
    unpackZigzagEights(bytes, start, count, width, values, from);
  }

  /**
   * Reads fields of at most eight bits: eight of them take as many bytes as one has bits. There is
   * one call for each width, so that the compiler can shift by constants.
   */
  private static void unpackEights(
      byte[] bytes, int start, int count, long base, int width, long[] values, int from) {
    switch (width) {
      case 1 -> eights(bytes, start, count, base, 1, values, from);
      case 2 -> eights(bytes, start, count, base, 2, values, from);
      case 3 -> eights(bytes, start, count, base, 3, values, from);
      case 4 -> eights(bytes, start, count, base, 4, values, from);
      case 5 -> eights(bytes, start, count, base, 5, values, from);
      case 6 -> eights(bytes, start, count, base, 6, values, from);
      case 7 -> eights(bytes, start, count, base, 7, values, from);
      default -> eights(bytes, start, count, base, 8, values, from);
    }
  }

  private static void eights(
      byte[] bytes, int start, int count, long base, int width, long[] values, int from) {
    int end = from + count;
    int i = from;
    int at = start;
    long mask = -1L >>> (64 - width);
    for (; i + 8 <= end; i += 8, at += width) {
      long word = (long) LONGS.get(bytes, at);
      values[i] = base + (word & mask);
      values[i + 1] = base + ((word >>> width) & mask);
      values[i + 2] = base + ((word >>> (2 * width)) & mask);
      values[i + 3] = base + ((word >>> (3 * width)) & mask);
      values[i + 4] = base + ((word >>> (4 * width)) & mask);
      values[i + 5] = base + ((word >>> (5 * width)) & mask);
      values[i + 6] = base + ((word >>> (6 * width)) & mask);
      values[i + 7] = base + ((word >>> (7 * width)) & mask);
    }
    if (i < end) {
      long word = (long) LONGS.get(bytes, at);
      for (; i < end; i++, word >>>= width) {
        values[i] = base + (word & mask);
      }
    }
  }

  /** As {@link #unpackEights}, of fields that hold zigzag forms. */
  private static void unpackZigzagEights(
      byte[] bytes, int start, int count, int width, long[] values, int from) {
    switch (width) {
      case 1 -> zigzagEights(bytes, start, count, 1, values, from);
      case 2 -> zigzagEights(bytes, start, count, 2, values, from);
      case 3 -> zigzagEights(bytes, start, count, 3, values, from);
      case 4 -> zigzagEights(bytes, start, count, 4, values, from);
      case 5 -> zigzagEights(bytes, start, count, 5, values, from);
      case 6 -> zigzagEights(bytes, start, count, 6, values, from);
      case 7 -> zigzagEights(bytes, start, count, 7, values, from);
      default -> zigzagEights(bytes, start, count, 8, values, from);
    }
  }

  private static void zigzagEights(
      byte[] bytes, int start, int count, int width, long[] values, int from) {
    long ones = 1L | 1L << width;
    ones |= ones << (2 * width);
    ones |= ones << (4 * width);
    long tops = ones << (width - 1);
    int end = from + count;
    int i = from;
    int at = start;
    for (; i + 8 <= end; i += 8, at += width) {
      long word = unfold((long) LONGS.get(bytes, at), width, ones, tops);
      values[i] = word << (64 - width) >> (64 - width);
      values[i + 1] = word << (64 - 2 * width) >> (64 - width);
      values[i + 2] = word << (64 - 3 * width) >> (64 - width);
      values[i + 3] = word << (64 - 4 * width) >> (64 - width);
      values[i + 4] = word << (64 - 5 * width) >> (64 - width);
      values[i + 5] = word << (64 - 6 * width) >> (64 - width);
      values[i + 6] = word << (64 - 7 * width) >> (64 - width);
      values[i + 7] = word << (64 - 8 * width) >> (64 - width);
    }
    if (i < end) {
      long word = unfold((long) LONGS.get(bytes, at), width, ones, tops);
      for (; i < end; i++, word >>>= width) {
        values[i] = word << (64 - width) >> (64 - width);
      }
    }
  }

  /**
   * {@link #unzigzag} of all fields of a word at once: each is halved and, if it was odd, inverted.
   *
   * @param ones the lowest bit of each field
   * @param tops the highest
   */
  private static long unfold(long fields, int width, long ones, long tops) {
    long odd = fields & ones;
    return (fields >>> 1 & ~tops) ^ ((odd << width) - odd);
  }

  /** Adds {@code base} to each value; a separate loop, so that the compiler vectorizes it. */
  static void add(long[] values, int from, int to, long base) {
    if (base == 0) {
      return;
    }
    for (int i = from; i < to; i++) {
      values[i] += base;
    }
  }

  /** The inverse of {@link #zigzag} for each value; a separate loop, as in {@link #add}. */
  private static void unzigzag(long[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      values[i] = unzigzag(values[i]);
    }
  }

  /** The 64 bits that start at bit {@code bit} of the array. */
  static long wide(byte[] bytes, int bit) {
    int at = bit >>> 3;
    int shift = bit & 7;
    long low = (long) LONGS.get(bytes, at) >>> shift;
    return shift == 0 ? low : low | (bytes[at + 8] & 0xffL) << (64 - shift);
  }
}
