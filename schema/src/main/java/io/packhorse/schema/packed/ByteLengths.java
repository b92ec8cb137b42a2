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

  private ByteLengths() {}

  /** Bytes that hold a signed integer, 1 to 8. */
  private static int length(long value) {
    return (BitPacking.width(BitPacking.zigzag(value) | 1) + 7) >>> 3;
  }

  static int cost(long[] values, int count) {
    int bytes = BitPacking.bytes(count, LENGTH_BITS);
    for (int i = 0; i < count; i++) {
      bytes += length(values[i]);
    }
    return bytes;
  }

  static void write(long[] values, int count, ByteWriter out) {
    int lengthBytes = BitPacking.bytes(count, LENGTH_BITS);
    out.ensureRoom(lengthBytes + (count + 1) * Long.BYTES);
    byte[] array = out.array();
    int lengths = out.length();
    java.util.Arrays.fill(array, lengths, lengths + lengthBytes + 1, (byte) 0);
    int at = lengths + lengthBytes;
    for (int i = 0; i < count; i++) {
      int length = length(values[i]);
      int bit = i * LENGTH_BITS;
      int code = (length - 1) << (bit & 7);
      array[lengths + (bit >>> 3)] |= (byte) code;
      array[lengths + (bit >>> 3) + 1] |= (byte) (code >>> 8);
      BitPacking.store(array, at, values[i]);
      at += length;
    }
    out.advance(at - lengths);
  }

  static void read(ByteReader in, byte[] bytes, int count, long[] values)
      throws MalformedCellException {
    BitPacking.unpack(in, bytes, count, 1, LENGTH_BITS, values, 0);
    for (int i = 0; i < count; i++) {
      int length = (int) values[i];
      int at = in.position();
      in.skip(length);
      int unused = 64 - 8 * length;
      values[i] = BitPacking.load(bytes, at) << unused >> unused;
    }
  }
}
