package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;

/**
 * Computes, writes and reads the statistics of a block (format.md section 5). Reusable, one
 * instance per thread.
 */
final class StatisticsCode {
  /** Form byte for first, last, min and max as raw doubles; other values are decimal exponents. */
  private static final int RAW = 0xFF;

  /** Larger integers may not be doubles: a mixed block with one of them gets no statistics. */
  private static final long EXACT_MAX = 1L << 53;

  /** Any 65,536 integers of smaller magnitude sum to a long. */
  private static final long SAFE_MAX = 1L << 46;

  private int numbers;
  private long first;
  private long last;
  private long min;
  private long max;
  private long sum;

  /**
   * Computes the statistics of a block that has doubles.
   *
   * @return false if they could differ from an aggregation over the points, and are left out
   */
  boolean takeDoubles(PointBlock block) {
    int count = block.count();
    return block.doubles() == count
        ? takeDoubles(block.values(), count)
        : takeMixed(block.values(), block.isDouble(), count);
  }

  /** As above for integers, of which min, max and sum are known. */
  boolean takeLongs(long[] values, int count, long low, long high, long total) {
    first = values[0];
    last = values[count - 1];
    min = low;
    max = high;
    sum = total;
    numbers = count;
    return (low > -SAFE_MAX && high < SAFE_MAX) || sumsToLong(values, count);
  }

  /** As above for decimals, of which min and max of the mantissas are known. */
  void takeDecimals(long[] bits, int count, long low, long high, int exponent, double total) {
    first = bits[0];
    last = bits[count - 1];
    min = Decimals.bits(low, exponent);
    max = Decimals.bits(high, exponent);
    sum = Double.doubleToRawLongBits(total);
    numbers = count;
  }

  private static boolean sumsToLong(long[] values, int count) {
    long total = 0;
    // Sums of 65,536 numbers of 32 bits cannot overflow.
    long high = 0;
    for (int i = 0; i < count; i++) {
      high += values[i] >> 32;
      total += values[i] & 0xffff_ffffL;
    }
    high += total >> 32;
    return high == (int) high;
  }

  private boolean takeDoubles(long[] bits, int count) {
    double total = 0;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    int seen = 0;
    for (int i = 0; i < count; i++) {
      double value = Double.longBitsToDouble(bits[i]);
      if (!Double.isNaN(value)) {
        total += value;
        low = value < low ? value : low;
        high = value > high ? value : high;
        seen++;
      }
    }
    first = bits[0];
    last = bits[count - 1];
    return keep(total, low, high, seen);
  }

  private boolean takeMixed(long[] bits, boolean[] isDouble, int count) {
    double total = 0;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    int seen = 0;
    for (int i = 0; i < count; i++) {
      if (!isDouble[i] && (bits[i] < -EXACT_MAX || bits[i] > EXACT_MAX)) {
        return false;
      }
      double value = value(bits[i], isDouble[i]);
      if (!Double.isNaN(value)) {
        total += value;
        low = value < low ? value : low;
        high = value > high ? value : high;
        seen++;
      }
    }
    first = isDouble[0] ? bits[0] : Double.doubleToRawLongBits((double) bits[0]);
    last =
        isDouble[count - 1]
            ? bits[count - 1]
            : Double.doubleToRawLongBits((double) bits[count - 1]);
    return keep(total, low, high, seen);
  }

  private static double value(long bits, boolean isDouble) {
    return isDouble ? Double.longBitsToDouble(bits) : (double) bits;
  }

  private boolean keep(double total, double low, double high, int seen) {
    numbers = seen;
    min = Double.doubleToRawLongBits(low);
    max = Double.doubleToRawLongBits(high);
    sum = Double.doubleToRawLongBits(total);
    // The bits of a NaN that results from an addition differ between processors.
    return seen > 0 && !Double.isNaN(total);
  }

  /** Appends the statistics computed last. */
  void write(int kind, int count, ByteWriter out) {
    if (kind == PackedCellDescriptor.KIND_LONGS) {
      out.writeZigZagLong(first);
      out.writeZigZagLong(last - first);
      out.writeVarLong(first - min);
      out.writeVarLong(max - first);
      out.writeZigZagLong(sum - first * count);
      return;
    }
    out.writeVarInt(count - numbers);
    int exponent = Decimals.exponentOf(first, last, min, max);
    if (exponent < 0) {
      out.writeByte(RAW);
      out.writeLongLE(first);
      out.writeLongLE(last);
      out.writeLongLE(min);
      out.writeLongLE(max);
    } else {
      long q = Decimals.mantissa(first, exponent);
      out.writeByte(exponent);
      out.writeZigZagLong(q);
      out.writeZigZagLong(Decimals.mantissa(last, exponent) - q);
      out.writeZigZagLong(q - Decimals.mantissa(min, exponent));
      out.writeZigZagLong(Decimals.mantissa(max, exponent) - q);
    }
    out.writeLongLE(sum);
  }

  /** Reads the statistics of a cell, to be returned by {@link #statistics}. */
  void read(ByteReader in, int kind, int count) throws MalformedCellException {
    if (kind == PackedCellDescriptor.KIND_LONGS) {
      numbers = count;
      first = in.readZigZagLong();
      last = first + in.readZigZagLong();
      min = first - in.readVarLong();
      max = first + in.readVarLong();
      sum = first * count + in.readZigZagLong();
      return;
    }
    int at = in.position();
    numbers = count - in.readVarInt();
    if (numbers < 1) {
      throw new MalformedCellException(
          at, "packed cell: statistics must be of at least one number: numbers=" + numbers);
    }
    at = in.position();
    int form = in.readByte();
    if (form == RAW) {
      first = in.readLongLE();
      last = in.readLongLE();
      min = in.readLongLE();
      max = in.readLongLE();
    } else if (form <= Decimals.EXPONENT_MAX) {
      long q = in.readZigZagLong();
      first = decimal(q, form, at);
      last = decimal(q + in.readZigZagLong(), form, at);
      min = decimal(q - in.readZigZagLong(), form, at);
      max = decimal(q + in.readZigZagLong(), form, at);
    } else {
      throw new MalformedCellException(
          at, "packed cell: decimal exponent must be 0 to 15: exponent=" + form);
    }
    sum = in.readLongLE();
  }

  private static long decimal(long mantissa, int exponent, int at) throws MalformedCellException {
    if (!Decimals.inRange(mantissa)) {
      throw new MalformedCellException(
          at, "packed cell: mantissas must lie in -2^51 to 2^51 - 1: found=" + mantissa);
    }
    return Decimals.bits(mantissa, exponent);
  }

  CellStatistics statistics(int kind, int count) {
    return new CellStatistics(
        kind == PackedCellDescriptor.KIND_LONGS, count, numbers, first, last, min, max, sum);
  }
}
