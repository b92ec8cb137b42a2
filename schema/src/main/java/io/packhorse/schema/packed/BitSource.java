package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;

/** Reads the runs of bits that {@link BitSink} writes. Reusable; for one thread. */
final class BitSource {
  /** Widest number of {@link #golomb}: the encoder's largest values have 62 bits. */
  private static final int GOLOMB_WIDTH_MAX = 63;

  private byte[] bytes = {};
  private long bit;
  private long end;

  /** Starts a run at the reader's position; it may extend to the end of the cell. */
  void start(ByteReader in, byte[] array) {
    bytes = array;
    bit = (long) in.position() << 3;
    end = bit + ((long) in.remaining() << 3);
  }

  /** The next {@code width} bits, 0 to 64. */
  long take(int width) throws MalformedCellException {
    if (width > end - bit) {
      throw new MalformedCellException(
          (int) (bit >>> 3),
          "packed cell: bit run ends too early: expected=" + width + ", found=" + (end - bit));
    }
    if (width == 0) {
      return 0;
    }
    long value = BitPacking.wide(bytes, (int) bit) & -1L >>> (64 - width);
    bit += width;
    return value;
  }

  /**
   * Reads an unsigned number in exponential Golomb form: z bits 0, a bit 1, then z + order bits b;
   * the number is 2^(z + order) + b - 2^order.
   */
  long golomb(int order) throws MalformedCellException {
    int zeros = Long.numberOfTrailingZeros(BitPacking.wide(bytes, (int) bit));
    int width = zeros + order;
    if (width >= GOLOMB_WIDTH_MAX || zeros + 1L > end - bit) {
      throw new MalformedCellException(
          (int) (bit >>> 3),
          "packed cell: Golomb number must have fewer than 63 bits: zeros=" + zeros);
    }
    bit += zeros + 1;
    return (1L << width) + take(width) - (1L << order);
  }

  /** Ends the run: the reader continues at the next byte, and the bits skipped must be 0. */
  void finish(ByteReader in) throws MalformedCellException {
    BitPacking.skipRun(in, bytes, bit - ((long) in.position() << 3));
  }
}
