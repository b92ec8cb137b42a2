package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;

/**
 * Integers of all magnitudes side by side: for each its length in bytes, then as many low bytes of
 * it (format.md section 7.9).
 *
 * <p>The loops over groups are written out, which makes their methods too large to be inlined: by
 * themselves they have all registers. Reading takes a quarter less time for it.
 */
final class ByteLengths {
  private static final int LENGTH_BITS = 3;
  private static final int LENGTH_MASK = 7;

  /** Values whose lengths take whole bytes. */
  private static final int GROUP = 8;

  private static final long ONE_EACH = 0x0101010101010101L;
  private static final long OTHERS_EACH = (Long.SIZE - Byte.SIZE) * ONE_EACH;

  private ByteLengths() {}

  /** Bytes that hold a signed integer, less 1: 0 to 7. */
  private static int code(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value ^ (value >> 63))) >>> 3;
  }

  /** Bytes of the lengths of so many values. */
  static int codeBytes(int count) {
    return BitPacking.bytes(count, LENGTH_BITS);
  }

  /** Bytes of the values, without their lengths. */
  static int valueBytes(long[] values, int count) {
    int bytes = count;
    for (int i = 0; i < count; i++) {
      bytes += code(values[i]);
    }
    return bytes;
  }

  static void write(long[] values, int count, ByteWriter out) {
    int codeBytes = codeBytes(count);
    out.ensureRoom(codeBytes + (count + 1) * Long.BYTES);
    byte[] array = out.array();
    int codesAt = out.length();
    int valuesAt = codesAt + codeBytes;
    int at = valuesAt;
    int i = 0;
    for (; i <= count - GROUP; i += GROUP, codesAt += LENGTH_BITS) {
      int code = code(values[i]);
      int codes = code;
      BitPacking.store(array, at, values[i]);
      at += 1 + code;
      code = code(values[i + 1]);
      codes |= code << 3;
      BitPacking.store(array, at, values[i + 1]);
      at += 1 + code;
      code = code(values[i + 2]);
      codes |= code << 6;
      BitPacking.store(array, at, values[i + 2]);
      at += 1 + code;
      code = code(values[i + 3]);
      codes |= code << 9;
      BitPacking.store(array, at, values[i + 3]);
      at += 1 + code;
      code = code(values[i + 4]);
      codes |= code << 12;
      BitPacking.store(array, at, values[i + 4]);
      at += 1 + code;
      code = code(values[i + 5]);
      codes |= code << 15;
      BitPacking.store(array, at, values[i + 5]);
      at += 1 + code;
      code = code(values[i + 6]);
      codes |= code << 18;
      BitPacking.store(array, at, values[i + 6]);
      at += 1 + code;
      code = code(values[i + 7]);
      codes |= code << 21;
      BitPacking.store(array, at, values[i + 7]);
      at += 1 + code;
      array[codesAt] = (byte) codes;
      array[codesAt + 1] = (byte) (codes >>> 8);
      array[codesAt + 2] = (byte) (codes >>> 16);
    }
    int codes = 0;
    for (int shift = 0; i < count; i++, shift += LENGTH_BITS) {
      int code = code(values[i]);
      codes |= code << shift;
      BitPacking.store(array, at, values[i]);
      at += 1 + code;
    }
    for (; codesAt < valuesAt; codes >>>= Byte.SIZE) {
      array[codesAt++] = (byte) codes;
    }
    out.advance(at - out.length());
  }

  static void read(ByteReader in, byte[] bytes, int count, long[] values)
      throws MalformedCellException {
    int codesAt = BitPacking.skipRun(in, bytes, (long) count * LENGTH_BITS);
    int i = 0;
    int valuesAt = in.position();
    if (valuesAt >= Long.BYTES) {
      int lastGroupAt = valuesAt + in.remaining() - GROUP * Long.BYTES;
      long groups = readGroups(bytes, codesAt, valuesAt, lastGroupAt, count - GROUP, values);
      i = (int) (groups >>> Integer.SIZE);
      in.skip((int) groups - valuesAt);
    }
    for (int bit = (codesAt << 3) + i * LENGTH_BITS; i < count; i++, bit += LENGTH_BITS) {
      int code = (int) (BitPacking.load(bytes, bit >>> 3) >>> (bit & 7)) & LENGTH_MASK;
      int at = in.position();
      in.skip(1 + code);
      values[i] = value(bytes, at, code);
    }
  }

  /**
   * Reads whole groups, with as few variables as can be: the registers just suffice.
   *
   * @param from first byte of the lengths
   * @param start first byte of the values; what is loaded begins up to seven bytes before
   * @param last highest index at which a group may start
   * @param lastGroup highest index of its first value
   * @return in the high half how many values were read, in the low half where the next one starts
   */
  private static long readGroups(
      byte[] bytes, int from, int start, int last, int lastGroup, long[] values) {
    int i = 0;
    while (i <= lastGroup && start <= last) {
      long codes = byteEach(BitPacking.load(bytes, from));
      from += LENGTH_BITS;
      // Byte j of one is where value j ends, of the other how many bits of the eight bytes up to
      // there are not its own: no value waits for the one before.
      long ends = (codes + ONE_EACH) * ONE_EACH;
      long others = OTHERS_EACH - (codes << 3);
      values[i] = BitPacking.load(bytes, start - Long.BYTES + ((int) ends & 0xff)) >> others;
      values[i + 1] =
          BitPacking.load(bytes, start - Long.BYTES + ((int) (ends >>> 8) & 0xff))
              >> (others >>> 8);
      values[i + 2] =
          BitPacking.load(bytes, start - Long.BYTES + ((int) (ends >>> 16) & 0xff))
              >> (others >>> 16);
      values[i + 3] =
          BitPacking.load(bytes, start - Long.BYTES + ((int) (ends >>> 24) & 0xff))
              >> (others >>> 24);
      values[i + 4] =
          BitPacking.load(bytes, start - Long.BYTES + ((int) (ends >>> 32) & 0xff))
              >> (others >>> 32);
      values[i + 5] =
          BitPacking.load(bytes, start - Long.BYTES + ((int) (ends >>> 40) & 0xff))
              >> (others >>> 40);
      values[i + 6] =
          BitPacking.load(bytes, start - Long.BYTES + ((int) (ends >>> 48) & 0xff))
              >> (others >>> 48);
      values[i + 7] =
          BitPacking.load(bytes, start - Long.BYTES + ((int) (ends >>> 56) & 0xff))
              >> (others >>> 56);
      start += (int) (ends >>> 56);
      i += GROUP;
    }
    return (long) i << Integer.SIZE | start;
  }

  /** The eight codes of the low 24 bits, a byte each. */
  private static long byteEach(long codes) {
    long fours = (codes & 0xfff) | (codes & 0xfff000) << 20;
    long twos = (fours & 0x0000003f0000003fL) | (fours & 0x00000fc000000fc0L) << 10;
    return (twos & 0x0007000700070007L) | (twos & 0x0038003800380038L) << 5;
  }

  private static long value(byte[] bytes, int at, int code) {
    int unused = Long.SIZE - Byte.SIZE * (1 + code);
    return BitPacking.load(bytes, at) << unused >> unused;
  }
}
