package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.DoubleRun.order;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;

/** Reads runs of doubles (format.md section 8). Reusable, one instance a thread. */
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
      if (divide(bits, count, order, exponent, form >= DoubleRun.FLOATS) != 0) {
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
      long ones = (1L << shift) - 1;
      for (int i = 0; i < count; i++) {
        long high = bits[i];
        bits[i] = order(high << shift | ((high >> 63) & ones));
      }
    }
  }

  /** Mantissas or their differences to doubles; other than 0 if a mantissa was out of range. */
  private static long divide(long[] bits, int count, int order, int exponent, boolean floats) {
    double power = Decimals.power(exponent);
    double inverse = Decimals.inverse(exponent);
    long outside = 0;
    long mantissa = 0;
    long step = 0;
    switch (order) {
      case 0 -> {
        for (int i = 0; i < count; i++) {
          mantissa = bits[i];
          outside |= mantissa + Decimals.MANTISSA_END;
          bits[i] = quotient(mantissa, power, inverse, floats);
        }
      }
      case 1 -> {
        for (int i = 0; i < count; i++) {
          mantissa += bits[i];
          outside |= mantissa + Decimals.MANTISSA_END;
          bits[i] = quotient(mantissa, power, inverse, floats);
        }
      }
      default -> {
        mantissa = bits[0];
        outside = mantissa + Decimals.MANTISSA_END;
        bits[0] = quotient(mantissa, power, inverse, floats);
        for (int i = 1; i < count; i++) {
          step += bits[i];
          mantissa += step;
          outside |= mantissa + Decimals.MANTISSA_END;
          bits[i] = quotient(mantissa, power, inverse, floats);
        }
      }
    }
    return outside >>> 52;
  }

  private static long quotient(long mantissa, double power, double inverse, boolean floats) {
    double quotient = Decimals.quotient(Decimals.asDouble(mantissa), power, inverse);
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
    for (int i = 0; i < count; i++) {
      bits[i] = order(bits[i] << low | scratch[i]);
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
