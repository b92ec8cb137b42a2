package io.packhorse.benchmarks.cells;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Reads what {@link BitString} wrote; zeros behind the end. One thread. */
final class BitScan {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** The next 64 bits from any bit on lie within nine bytes. */
  private static final int PADDING = 9;

  private byte[] bytes = new byte[0];
  private long at;

  /** Begins at the first bit of a copy of the array. */
  void reset(byte[] from) {
    if (bytes.length < from.length + PADDING) {
      bytes = new byte[from.length + PADDING];
    }
    System.arraycopy(from, 0, bytes, 0, from.length);
    Arrays.fill(bytes, from.length, from.length + PADDING, (byte) 0);
    at = 0;
  }

  /** The next 64 bits, not passed over. */
  long peek() {
    int byteAt = (int) (at >>> 3);
    int shift = (int) at & 7;
    long word = (long) LONG.get(bytes, byteAt);
    return shift == 0 ? word : word << shift | (bytes[byteAt + Long.BYTES] & 0xff) >>> (8 - shift);
  }

  /** Passes over this many bits. */
  void skip(int width) {
    at += width;
  }

  /**
   * The next bits as a number without sign.
   *
   * @param width 1 to 64
   */
  long read(int width) {
    long number = peek() >>> (Long.SIZE - width);
    at += width;
    return number;
  }

  /** As {@link #read}, as a number with sign. */
  long readSigned(int width) {
    long number = peek() >> (Long.SIZE - width);
    at += width;
    return number;
  }
}
