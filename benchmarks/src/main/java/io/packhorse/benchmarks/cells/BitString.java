package io.packhorse.benchmarks.cells;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growable string of bits, the first in the top of the first byte. One thread. */
final class BitString {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes = new byte[1024];
  private int length;

  /** Bits not yet in the array: the low {@code pendingBits} of it, below 64. */
  private long pending;

  private int pendingBits;

  /** Forgets all bits. */
  void reset() {
    length = 0;
    pending = 0;
    pendingBits = 0;
  }

  /**
   * Appends the low bits of a number.
   *
   * @param width 1 to 64
   */
  void write(long number, int width) {
    long bits = width == Long.SIZE ? number : number & ((1L << width) - 1);
    int room = Long.SIZE - pendingBits;
    if (width < room) {
      pending = pending << width | bits;
      pendingBits += width;
      return;
    }
    int over = width - room;
    long word = room == Long.SIZE ? bits >>> over : pending << room | bits >>> over;
    if (length + Long.BYTES > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    LONG.set(bytes, length, word);
    length += Long.BYTES;
    pending = over == 0 ? 0 : bits & ((1L << over) - 1);
    pendingBits = over;
  }

  /** All bits, the last byte filled up with zeros; a new array. */
  byte[] toByteArray() {
    int tail = (pendingBits + 7) / 8;
    byte[] all = Arrays.copyOf(bytes, length + tail);
    long left = pendingBits == 0 ? 0 : pending << (Long.SIZE - pendingBits);
    for (int i = 0; i < tail; i++) {
      all[length + i] = (byte) (left >>> (56 - 8 * i));
    }
    return all;
  }
}
