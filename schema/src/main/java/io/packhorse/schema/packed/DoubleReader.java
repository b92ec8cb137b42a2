package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.DoubleRun.order;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;

/** Reads runs of doubles (format.md section 8). Reusable, one instance per thread. */
final class DoubleReader {
  private final IntegerReader integers;
  private long[] scratch = new long[0];

  DoubleReader(IntegerReader integers) {
    this.integers = integers;
  }

  /** Reads {@code count} doubles into {@code bits[0, count)} as raw bits. */
  void read(ByteReader in, byte[] bytes, int count, long[] bits) throws MalformedCellException {
    int at = in.position();
    int tag = in.readByte();
    int form = tag & DoubleRun.FORM_MASK;
    int exponent = tag >>> DoubleRun.EXPONENT_SHIFT;
    if (form > DoubleRun.SPLIT || (form >= DoubleRun.ORDERED && exponent != 0)) {
      throw new MalformedCellException(
          at, "packed cell: unknown double encoding: found=0x" + Integer.toHexString(tag));
    }
    if (form < DoubleRun.ORDERED) {
      int order = integers.readDifferences(in, bytes, count, bits);
      if (!divide(bits, count, order, exponent, form >= DoubleRun.FLOATS)) {
        throw new MalformedCellException(
            at, "packed cell: mantissas must lie in -2^51 to 2^51 - 1");
      }
      if ((form & 1) != 0) {
        readOthers(in, bytes, count, bits);
      }
    } else if (form == DoubleRun.SPLIT) {
      readSplit(in, bytes, count, bits);
    } else {
      int shift = form == DoubleRun.ORDERED ? 0 : readBits(in);
      integers.read(in, bytes, count, bits);
      unorder(bits, count, shift);
    }
  }

  /** Ordered bits to raw bits; a separate loop, so that the compiler vectorizes it. */
  private static void unorder(long[] bits, int count, int shift) {
    long ones = (1L << shift) - 1;
    for (int i = 0; i < count; i++) {
      long high = bits[i];
      bits[i] = order(high << shift | ((high >> 63) & ones));
    }
  }

  /** Mantissas, or their differences, to doubles; returns whether all mantissas were in range. */
  private static boolean divide(long[] bits, int count, int order, int exponent, boolean floats) {
    long all = -1;
    long any = 0;
    // The sum includes ROUNDER_BITS, which both the conversion and the range check need.
    long rounded = Decimals.ROUNDER_BITS;
    long step = 0;
    switch (order) {
      case 0 -> {
        for (int i = 0; i < count; i++) {
          rounded = bits[i] + Decimals.ROUNDER_BITS;
          all &= rounded;
          any |= rounded;
          bits[i] = quotient(rounded, exponent, floats);
        }
      }
      case 1 -> {
        for (int i = 0; i < count; i++) {
          rounded += bits[i];
          all &= rounded;
          any |= rounded;
          bits[i] = quotient(rounded, exponent, floats);
        }
      }
      default -> {
        rounded += bits[0];
        all = rounded;
        any = rounded;
        bits[0] = quotient(rounded, exponent, floats);
        for (int i = 1; i < count; i++) {
          step += bits[i];
          rounded += step;
          all &= rounded;
          any |= rounded;
          bits[i] = quotient(rounded, exponent, floats);
        }
      }
    }
    return Decimals.allInRange(all, any);
  }

  private static long quotient(long rounded, int exponent, boolean floats) {
    double quotient = Decimals.quotient(Decimals.unrounded(rounded), exponent);
    return Double.doubleToRawLongBits(floats ? (double) (float) quotient : quotient);
  }

  private static int readBits(ByteReader in) throws MalformedCellException {
    int at = in.position();
    int bits = in.readByte();
    if (bits < 1 || bits > 63) {
      throw new MalformedCellException(at, "packed cell: low bits must be 1 to 63: bits=" + bits);
    }
    return bits;
  }

  private void readSplit(ByteReader in, byte[] bytes, int count, long[] bits)
      throws MalformedCellException {
    int low = readBits(in);
    integers.read(in, bytes, count, bits);
    scratch = Scratch.longs(scratch, count);
    BitPacking.unpack(in, bytes, count, 0, low, scratch, 0);
    join(bits, scratch, count, low);
  }

  private static void join(long[] bits, long[] lows, int count, int low) {
    for (int i = 0; i < count; i++) {
      bits[i] = order(bits[i] << low | lows[i]);
    }
  }

  private void readOthers(ByteReader in, byte[] bytes, int count, long[] bits)
      throws MalformedCellException {
    int at = in.position();
    int others = in.readVarInt();
    if (others < 1 || others > count) {
      throw new MalformedCellException(
          at, "packed cell: others must be 1 to the count: others=" + others);
    }
    scratch = Scratch.longs(scratch, others);
    integers.read(in, bytes, others, scratch);
    long last = -1;
    for (int i = 0; i < others; i++) {
      long place = scratch[i];
      if (place <= last || place >= count) {
        throw new MalformedCellException(
            at, "packed cell: others must rise below the count: place=" + place);
      }
      bits[(int) place] = in.readLongLE();
      last = place;
    }
  }
}
