package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteWriter;

/** Appends numbers of any width to a run of bits, lowest bit first. Reusable; for one thread. */
final class BitSink {
  private long word;
  private int used;
  private ByteWriter out = new ByteWriter(0);

  /** Starts a run at the end of {@code to}. */
  void start(ByteWriter to) {
    out = to;
    word = 0;
    used = 0;
  }

  /** Appends a number below 2^width; width 0 to 64. */
  void put(long value, int width) {
    word |= value << used;
    used += width;
    if (used >= 64) {
      out.writeLongLE(word);
      used -= 64;
      word = used == 0 ? 0 : value >>> (width - used);
    }
  }

  /** Appends an unsigned number in exponential Golomb form; see {@link BitSource#golomb}. */
  void putGolomb(long value, int order) {
    long shifted = value + (1L << order);
    int width = BitPacking.width(shifted);
    int zeros = width - 1 - order;
    put(0, zeros);
    put(1, 1);
    // The leading one is implied.
    put(shifted ^ (1L << (width - 1)), width - 1);
  }

  /** Number of bits that {@link #putGolomb} appends. */
  static int golombBits(long value, int order) {
    return 2 * BitPacking.width(value + (1L << order)) - 1 - order;
  }

  /** Ends the run on a byte boundary. */
  void finish() {
    for (; used > 0; used -= 8) {
      out.writeByte((int) word & 0xff);
      word >>>= 8;
    }
  }
}
