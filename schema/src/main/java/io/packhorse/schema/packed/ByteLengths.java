package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;

/**
 * Integers of all magnitudes side by side: for each its length in bytes, then as many low bytes of
 * it (format.md section 7.9).
 */
final class ByteLengths {
  private static final int LENGTH_BITS = 3;
  private static final int LENGTH_MASK = 7;

  /** Values whose lengths take whole bytes. */
  private static final int GROUP = 8;

  private static final int LAST_CODE_SHIFT = (GROUP - 1) * LENGTH_BITS;

  private ByteLengths() {}

  /** Bytes that hold a signed integer, 1 to 8. */
  private static int length(long value) {
    return (72 - Long.numberOfLeadingZeros(value ^ (value >> 63))) >>> 3;
  }

  /** Bytes of the lengths of so many values. */
  static int codeBytes(int count) {
    return BitPacking.bytes(count, LENGTH_BITS);
  }

  /** Bytes of the values, without their lengths. */
  static int valueBytes(long[] values, int count) {
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += length(values[i]);
    }
    return bytes;
  }

  static void write(long[] values, int count, ByteWriter out) {
    int codeBytes = codeBytes(count);
    out.ensureRoom(codeBytes + (count + 1) * Long.BYTES);
    byte[] array = out.array();
    int codesAt = out.length();
    int at = codesAt + codeBytes;
    for (int from = 0; from < count; from += GROUP) {
      int to = Math.min(count, from + GROUP);
      int codes = 0;
      for (int i = from; i < to; i++) {
        long value = values[i];
        int length = length(value);
        codes = (codes >>> LENGTH_BITS) | ((length - 1) << LAST_CODE_SHIFT);
        BitPacking.store(array, at, value);
        at += length;
      }
      codes >>>= (GROUP - (to - from)) * LENGTH_BITS;
      for (int left = codeBytes(to - from); left > 0; left--, codes >>>= Byte.SIZE) {
        array[codesAt++] = (byte) codes;
      }
    }
    out.advance(at - out.length());
  }

  static void read(ByteReader in, byte[] bytes, int count, long[] values)
      throws MalformedCellException {
    int bit = BitPacking.skipRun(in, bytes, (long) count * LENGTH_BITS) << 3;
    int i = 0;
    for (; i + GROUP <= count && in.remaining() >= GROUP * Long.BYTES; i += GROUP) {
      long codes = BitPacking.load(bytes, bit >>> 3);
      bit += GROUP * LENGTH_BITS;
      int start = in.position();
      int at = start;
      for (int j = i; j < i + GROUP; j++) {
        int code = (int) codes & LENGTH_MASK;
        codes >>>= LENGTH_BITS;
        values[j] = value(bytes, at, code);
        at += 1 + code;
      }
      in.skip(at - start);
    }
    for (; i < count; i++, bit += LENGTH_BITS) {
      int code = (int) (BitPacking.load(bytes, bit >>> 3) >>> (bit & 7)) & LENGTH_MASK;
      int at = in.position();
      in.skip(1 + code);
      values[i] = value(bytes, at, code);
    }
  }

  private static long value(byte[] bytes, int at, int code) {
    int unused = Long.SIZE - Byte.SIZE * (1 + code);
    return BitPacking.load(bytes, at) << unused >> unused;
  }
}
