package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Fixed-width bit fields in natural order: value {@code i} of width {@code w} takes the bits {@code
 * [i*w, (i+1)*w)} of the run, bit 0 being the least significant bit of the first byte. A run starts
 * and ends on a byte boundary; the bits left over in its last byte are 0.
 */
final class BitPacking {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Widest field that one unaligned 64-bit load always holds. */
  private static final int ONE_LOAD_MAX = 57;

  private BitPacking() {}

  /** Bytes taken by {@code count} fields of {@code width} bits; count at most 2^16. */
  static int bytes(int count, int width) {
    return (count * width + 7) >>> 3;
  }

  /** Bits needed for an unsigned value: 0 for 0, 64 for a negative long. */
  static int width(long unsigned) {
    return 64 - Long.numberOfLeadingZeros(unsigned);
  }

  /** Appends the low {@code width} bits of {@code values[from, to)}; higher bits must be 0. */
  static void pack(long[] values, int from, int to, int width, ByteWriter out) {
    int bytes = bytes(to - from, width);
    out.ensureRoom(bytes + Long.BYTES);
    byte[] array = out.array();
    int at = out.length();
    long word = 0;
    int used = 0;
    for (int i = from; i < to; i++) {
      long value = values[i];
      word |= value << used;
      used += width;
      if (used >= 64) {
        LONGS.set(array, at, word);
        at += Long.BYTES;
        used -= 64;
        // The part of the value that did not fit; a shift by 64 would be a shift by 0.
        word = used == 0 ? 0 : value >>> (width - used);
      }
    }
    LONGS.set(array, at, word);
    out.advance(bytes);
  }

  /**
   * Reads {@code count} fields into {@code values[from, from + count)}.
   *
   * @throws MalformedCellException if the run is longer than what is left, or its padding is not 0
   */
  static void unpack(ByteReader in, byte[] bytes, int count, int width, long[] values, int from)
      throws MalformedCellException {
    int start = in.position();
    int length = bytes(count, width);
    in.skip(length);
    int padding = (length << 3) - count * width;
    if (padding != 0 && (bytes[start + length - 1] & 0xff) >>> (8 - padding) != 0) {
      throw new MalformedCellException(
          start + length - 1, "packed cell: padding bits must be 0: padding=" + padding);
    }
    if (width == 0) {
      java.util.Arrays.fill(values, from, from + count, 0);
      return;
    }
    long mask = -1L >>> (64 - width);
    // Fields whose eight-byte load stays inside the array.
    int loadable = bytes.length - Long.BYTES - start;
    int fast =
        width > ONE_LOAD_MAX || loadable < 0
            ? 0
            : Math.min(count, (int) (((long) loadable * 8 + 7) / width + 1));
    int bit = 0;
    for (int i = 0; i < fast; i++, bit += width) {
      values[from + i] = ((long) LONGS.get(bytes, start + (bit >>> 3)) >>> (bit & 7)) & mask;
    }
    for (int i = fast; i < count; i++, bit += width) {
      values[from + i] = field(bytes, start, length, bit, width);
    }
  }

  /** One field, byte by byte. */
  private static long field(byte[] bytes, int start, int length, int bit, int width) {
    long value = 0;
    int got = -(bit & 7);
    for (int at = bit >>> 3; at < length && got < width; at++, got += 8) {
      long octet = bytes[start + at] & 0xffL;
      value |= got >= 0 ? octet << got : octet >>> -got;
    }
    return width == 64 ? value : value & ((1L << width) - 1);
  }
}
