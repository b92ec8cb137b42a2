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
 * <p>Readers are given arrays with {@link #SLACK} bytes behind the cell, so that an eight-byte load
 * at any byte of the cell stays inside.
 */
final class BitPacking {
  /** Bytes a reader's array must have behind the last byte of the cell. */
  static final int SLACK = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Widest field that one unaligned 64-bit load always holds. */
  private static final int ONE_LOAD_MAX = 57;

  /** Widest field of which four fit in 64 bits. */
  private static final int FOUR_A_WORD_MAX = 16;

  /** Widest field of which eight fit in 64 bits. */
  private static final int EIGHT_A_WORD_MAX = 8;

  /** Widest field of which one load always holds four. */
  private static final int FOUR_A_LOAD_MAX = 14;

  private BitPacking() {}

  /** Bytes taken by {@code count} fields of {@code width} bits; count at most 2^16. */
  static int bytes(int count, int width) {
    return (count * width + 7) >>> 3;
  }

  /** Bits needed for an unsigned value: 0 for 0, 64 for a negative long. */
  static int width(long unsigned) {
    return 64 - Long.numberOfLeadingZeros(unsigned);
  }

  /** Small magnitudes to small unsigned numbers: 0, -1, 1, -2, ... to 0, 1, 2, 3, ... */
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

  /** The eight bytes from {@code at} on, least first. */
  static long load(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /** Eight bytes from {@code at} on, least first. */
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
          // The part that did not fit; a shift by 64 would be a shift by 0.
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

  private static long field(long value, boolean zigzag, long base, long mask) {
    return zigzag ? zigzag(value) & mask : value - base;
  }

  /**
   * Passes over a run of bits that ends on a byte boundary.
   *
   * @param bits less than 2^31 bytes of them: a run has at most 65,536 numbers
   * @return index of its first byte
   * @throws MalformedCellException if it is longer than what is left, or its padding is not 0
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
      unpackEights(bytes, start, count, width, values, from);
      add(values, from, end, base);
      return;
    }
    if (width <= FOUR_A_LOAD_MAX) {
      int i = from;
      for (; i + 4 <= end; i += 4, bit += 4 * width) {
        long word = (long) LONGS.get(bytes, bit >>> 3) >>> (bit & 7);
        values[i] = base + (word & mask);
        word >>>= width;
        values[i + 1] = base + (word & mask);
        word >>>= width;
        values[i + 2] = base + (word & mask);
        word >>>= width;
        values[i + 3] = base + (word & mask);
      }
      for (; i < end; i++, bit += width) {
        values[i] = base + (((long) LONGS.get(bytes, bit >>> 3) >>> (bit & 7)) & mask);
      }
      return;
    }
    if (width <= ONE_LOAD_MAX) {
      for (int i = from; i < end; i++, bit += width) {
        values[i] = base + (((long) LONGS.get(bytes, bit >>> 3) >>> (bit & 7)) & mask);
      }
      return;
    }
    if (width == Long.SIZE) {
      for (int i = from, at = start; i < end; i++, at += Long.BYTES) {
        values[i] = base + (long) LONGS.get(bytes, at);
      }
      return;
    }
    for (int i = from; i < end; i++, bit += width) {
      values[i] = base + (wide(bytes, bit) & mask);
    }
  }

  /**
   * As {@link #unpack}, each field being the zigzag form of the value.
   *
   * @return what has to be added to each value
   */
  static long unpackZigzag(
      ByteReader in, byte[] bytes, int count, int width, long[] values, int from)
      throws MalformedCellException {
    if (width == 0 || width > EIGHT_A_WORD_MAX) {
      unpack(in, bytes, count, 0, width, values, from);
      unzigzag(values, from, from + count);
      return 0;
    }
    int start = skipRun(in, bytes, (long) count * width);
    unpackZigzagEights(bytes, start, count, width, values, from);
    return -1L << (width - 1);
  }

  /** Reads fields of at most eight bits: eight of them take as many bytes as one has bits. */
  private static void unpackEights(
      byte[] bytes, int start, int count, int width, long[] values, int from) {
    int end = from + count;
    int i = from;
    int at = start;
    for (; i + 8 <= end; i += 8, at += width) {
      spreadEight((long) LONGS.get(bytes, at), width, values, i);
    }
    if (i < end) {
      spread((long) LONGS.get(bytes, at), width, values, i, end);
    }
  }

  /** As {@link #unpackEights}, of zigzag forms; the values are {@code 2^(width - 1)} too great. */
  private static void unpackZigzagEights(
      byte[] bytes, int start, int count, int width, long[] values, int from) {
    long ones = 1L | 1L << width;
    ones |= ones << (2 * width);
    ones |= ones << (4 * width);
    long signs = ones << (width - 1);
    int end = from + count;
    int i = from;
    int at = start;
    for (; i + 8 <= end; i += 8, at += width) {
      spreadEight(unfold((long) LONGS.get(bytes, at), width, ones, signs), width, values, i);
    }
    if (i < end) {
      spread(unfold((long) LONGS.get(bytes, at), width, ones, signs), width, values, i, end);
    }
  }

  /**
   * {@link #unzigzag} of all fields of a word at once: each halved and, if it was odd, its bits
   * turned. The sign's bit of each is turned once more, so that no field is negative.
   *
   * @param ones the lowest bit of each field
   * @param signs the highest
   */
  private static long unfold(long fields, int width, long ones, long signs) {
    long odd = fields & ones;
    return (fields >>> 1 | signs) ^ ((odd << width) - odd);
  }

  private static void spreadEight(long fields, int width, long[] values, int from) {
    long mask = -1L >>> (64 - width);
    long word = fields;
    values[from] = word & mask;
    word >>>= width;
    values[from + 1] = word & mask;
    word >>>= width;
    values[from + 2] = word & mask;
    word >>>= width;
    values[from + 3] = word & mask;
    word >>>= width;
    values[from + 4] = word & mask;
    word >>>= width;
    values[from + 5] = word & mask;
    word >>>= width;
    values[from + 6] = word & mask;
    word >>>= width;
    values[from + 7] = word & mask;
  }

  private static void spread(long fields, int width, long[] values, int from, int to) {
    long mask = -1L >>> (64 - width);
    long word = fields;
    for (int i = from; i < to; i++, word >>>= width) {
      values[i] = word & mask;
    }
  }

  /** Adds to each; a loop of its own, which takes several at once. */
  static void add(long[] values, int from, int to, long base) {
    if (base == 0) {
      return;
    }
    for (int i = from; i < to; i++) {
      values[i] += base;
    }
  }

  /** The inverse of {@link #zigzag} for each; a loop of its own, which takes several at once. */
  private static void unzigzag(long[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      values[i] = unzigzag(values[i]);
    }
  }

  /** The 64 bits from bit {@code bit} of the array on. */
  static long wide(byte[] bytes, int bit) {
    int at = bit >>> 3;
    int shift = bit & 7;
    long low = (long) LONGS.get(bytes, at) >>> shift;
    return shift == 0 ? low : low | (bytes[at + 8] & 0xffL) << (64 - shift);
  }
}
