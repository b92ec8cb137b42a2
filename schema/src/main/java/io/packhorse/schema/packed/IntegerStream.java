package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;

/**
 * A run of 64-bit integers of known count: one encoding byte, then its body (format.md section 6).
 *
 * <p>The writer computes the exact size of each encoding and takes the least. One instance serves
 * one thread; its scratch array is reused and never handed out.
 */
final class IntegerStream {
  /** All values equal: the value as a zigzag varint. */
  static final int CONSTANT = 0;

  /** Smallest value as a zigzag varint, width byte, then value minus smallest. */
  static final int FRAME = 1;

  /** First value as a zigzag varint, then per mini-block of deltas a width byte and the fields. */
  static final int DELTA = 2;

  /** Deltas per mini-block, fewer in the last. 64, 128 and 256 differ by at most 1.5 % in size. */
  static final int MINI_BLOCK = 128;

  private long[] deltas = new long[3600];

  /** Appends {@code values[0, count)}; count at least 1. */
  void write(long[] values, int count, ByteWriter out) {
    if (deltas.length < count) {
      deltas = new long[count];
    }
    long first = values[0];
    long min = first;
    long max = first;
    long previous = first;
    int deltaBytes = 0;
    boolean anyDelta = false;
    // deltas[i - 1] belongs to values[i]; blocks of deltas, not of values.
    for (int from = 1; from < count; from += MINI_BLOCK) {
      int to = Math.min(count, from + MINI_BLOCK);
      long or = 0;
      for (int i = from; i < to; i++) {
        long value = values[i];
        long delta = value - previous;
        previous = value;
        long zigzag = (delta << 1) ^ (delta >> 63);
        deltas[i - 1] = zigzag;
        or |= zigzag;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
      anyDelta |= or != 0;
      deltaBytes += 1 + BitPacking.bytes(to - from, BitPacking.width(or));
    }
    if (!anyDelta) {
      out.writeByte(CONSTANT);
      out.writeZigZagLong(first);
      return;
    }
    int frameWidth = BitPacking.width(max - min);
    int frameBytes = 1 + zigZagBytes(min) + BitPacking.bytes(count, frameWidth);
    if (frameBytes <= deltaBytes + zigZagBytes(first)) {
      writeFrame(values, count, min, frameWidth, out);
    } else {
      writeDelta(first, count - 1, out);
    }
  }

  private void writeFrame(long[] values, int count, long min, int width, ByteWriter out) {
    out.writeByte(FRAME);
    out.writeZigZagLong(min);
    out.writeByte(width);
    for (int i = 0; i < count; i++) {
      deltas[i] = values[i] - min;
    }
    BitPacking.pack(deltas, 0, count, width, out);
  }

  private void writeDelta(long first, int count, ByteWriter out) {
    out.writeByte(DELTA);
    out.writeZigZagLong(first);
    for (int from = 0; from < count; from += MINI_BLOCK) {
      int to = Math.min(count, from + MINI_BLOCK);
      long or = 0;
      for (int i = from; i < to; i++) {
        or |= deltas[i];
      }
      int width = BitPacking.width(or);
      out.writeByte(width);
      BitPacking.pack(deltas, from, to, width, out);
    }
  }

  /**
   * Reads {@code count} values into {@code values[0, count)}.
   *
   * @param bytes the array behind {@code in}
   */
  static void read(ByteReader in, byte[] bytes, int count, long[] values)
      throws MalformedCellException {
    int at = in.position();
    int encoding = in.readByte();
    switch (encoding) {
      case CONSTANT -> Arrays.fill(values, 0, count, in.readZigZagLong());
      case FRAME -> {
        long min = in.readZigZagLong();
        BitPacking.unpack(in, bytes, count, readWidth(in), values, 0);
        for (int i = 0; i < count; i++) {
          values[i] += min;
        }
      }
      case DELTA -> readDelta(in, bytes, count, values);
      default ->
          throw new MalformedCellException(
              at, "packed cell: integer encoding must be 0 to 2: encoding=" + encoding);
    }
  }

  private static void readDelta(ByteReader in, byte[] bytes, int count, long[] values)
      throws MalformedCellException {
    long value = in.readZigZagLong();
    values[0] = value;
    for (int from = 1; from < count; from += MINI_BLOCK) {
      int to = Math.min(count, from + MINI_BLOCK);
      BitPacking.unpack(in, bytes, to - from, readWidth(in), values, from);
      for (int i = from; i < to; i++) {
        long zigzag = values[i];
        value += (zigzag >>> 1) ^ -(zigzag & 1);
        values[i] = value;
      }
    }
  }

  private static int readWidth(ByteReader in) throws MalformedCellException {
    int at = in.position();
    int width = in.readByte();
    if (width > 64) {
      throw new MalformedCellException(
          at, "packed cell: field width must be 0 to 64: width=" + width);
    }
    return width;
  }

  private static int zigZagBytes(long value) {
    long zigzag = (value << 1) ^ (value >> 63);
    return Math.max(1, (BitPacking.width(zigzag) + 6) / 7);
  }
}
