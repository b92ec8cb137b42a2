package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;

/**
 * Integers of very different magnitudes: the length of each in bytes, then as many of its low bytes
 * (format.md section 7.6).
 *
 * <p>Reusable for writing, one instance per thread.
 */
final class ByteLengths {
  private static final int LENGTH_BITS = 3;
  private static final int LENGTH_MASK = 7;

  /** Unused bits of a 64-bit word that holds a value of one byte. */
  private static final int UNUSED_MAX = Long.SIZE - Byte.SIZE;

  /** Number of values whose length codes fill six bytes, which one load reads. */
  private static final int GROUP = 16;

  private static final int GROUP_CODE_BYTES = GROUP * LENGTH_BITS / Byte.SIZE;

  /** The length codes of the run scanned last, packed as they are written. */
  private byte[] codes = new byte[0];

  /** Length code of a value: the bytes that hold it as a signed integer, less 1; 0 to 7. */
  private static int code(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value ^ (value >> 63))) >>> 3;
  }

  /** Size in bytes of the length codes of {@code count} values. */
  static int codeBytes(int count) {
    return BitPacking.bytes(count, LENGTH_BITS);
  }

  /** Size in bytes of the values without their length codes, which are kept for {@link #write}. */
  int scan(long[] values, int count) {
    codes = Scratch.bytes(codes, codeBytes(count) + Long.BYTES);
    int bytes = count;
    int at = 0;
    int i = 0;
    for (; i <= count - GROUP; i += GROUP, at += GROUP_CODE_BYTES) {
      long group = 0;
      for (int k = i + GROUP - 1; k >= i; k--) {
        int code = code(values[k]);
        group = group << LENGTH_BITS | code;
        bytes += code;
      }
      BitPacking.store(codes, at, group);
    }
    long group = 0;
    for (int k = count - 1; k >= i; k--) {
      int code = code(values[k]);
      group = group << LENGTH_BITS | code;
      bytes += code;
    }
    BitPacking.store(codes, at, group);
    return bytes;
  }

  /** Appends the values of the last {@link #scan}. */
  void write(long[] values, int count, ByteWriter out) {
    int codeBytes = codeBytes(count);
    out.ensureRoom(codeBytes + (count + 1) * Long.BYTES);
    System.arraycopy(codes, 0, out.array(), out.length(), codeBytes);
    int at = writeValues(values, count, out.array(), out.length() + codeBytes);
    out.advance(at - out.length());
  }

  private int writeValues(long[] values, int count, byte[] array, int from) {
    int at = from;
    int codesAt = 0;
    int i = 0;
    for (; i <= count - GROUP; i += GROUP, codesAt += GROUP_CODE_BYTES) {
      long codes = BitPacking.load(this.codes, codesAt);
      for (int k = 0; k < GROUP; k++, codes >>>= LENGTH_BITS) {
        BitPacking.store(array, at, values[i + k]);
        at += 1 + ((int) codes & LENGTH_MASK);
      }
    }
    long codes = BitPacking.load(this.codes, codesAt);
    for (; i < count; i++, codes >>>= LENGTH_BITS) {
      BitPacking.store(array, at, values[i]);
      at += 1 + ((int) codes & LENGTH_MASK);
    }
    return at;
  }

  static void read(ByteReader in, byte[] bytes, int count, long[] values)
      throws MalformedCellException {
    int codesAt = BitPacking.skipRun(in, bytes, (long) count * LENGTH_BITS);
    int i = 0;
    int valuesAt = in.position();
    if (valuesAt >= Long.BYTES) {
      // A load ends with the value and begins up to seven bytes before it.
      int start = valuesAt - Long.BYTES;
      int last = start + in.remaining() - GROUP * Long.BYTES;
      long groups = readGroups(bytes, codesAt, start, last, count - GROUP, values);
      i = (int) (groups >>> Integer.SIZE);
      in.skip((int) groups - start);
    }
    for (int bit = (codesAt << 3) + i * LENGTH_BITS; i < count; i++, bit += LENGTH_BITS) {
      int code = (int) (BitPacking.load(bytes, bit >>> 3) >>> (bit & 7)) & LENGTH_MASK;
      int at = in.position();
      in.skip(1 + code);
      values[i] = value(bytes, at, code);
    }
  }

  /**
   * Reads whole groups. Unrolled by hand it is too large to be inlined and has all registers to
   * itself; as a loop over the sixteen values it takes a fifth longer.
   *
   * @param from index of the first byte of the length codes
   * @param start index of the first byte of the values, less eight
   * @param last largest {@code start} at which a whole group fits
   * @param lastGroup largest index at which a group of values may begin
   * @return number of values read in the high 32 bits, {@code start} of the next one in the low
   */
  private static long readGroups(
      byte[] bytes, int from, int start, int last, int lastGroup, long[] values) {
    int i = 0;
    while (i <= lastGroup && start <= last) {
      long codes = BitPacking.load(bytes, from);
      from += GROUP_CODE_BYTES;
      int code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 1] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 2] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 3] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 4] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 5] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 6] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 7] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 8] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 9] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 10] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 11] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 12] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 13] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 14] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      codes >>>= LENGTH_BITS;
      code = (int) codes & LENGTH_MASK;
      start += 1 + code;
      values[i + 15] = BitPacking.load(bytes, start) >> (UNUSED_MAX - (code << 3));
      i += GROUP;
    }
    return (long) i << Integer.SIZE | start;
  }

  private static long value(byte[] bytes, int at, int code) {
    int unused = UNUSED_MAX - (code << 3);
    return BitPacking.load(bytes, at) << unused >> unused;
  }
}
