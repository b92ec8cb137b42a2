package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.DoubleRun.EXPONENT_SHIFT;
import static io.packhorse.schema.packed.DoubleRun.order;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.FloatBits;
import org.jspecify.annotations.Nullable;

/**
 * Writes runs of doubles, bit for bit (format.md section 8): as decimals if at least 15 of 16 are,
 * or in the shortest form of their bits. Reusable, one instance per thread.
 */
final class DoubleWriter {
  private static final int SAMPLE = 32;

  /** Widest low part of the split form: the mantissa. */
  private static final int SPLIT_MAX = 52;

  private static final int SPLIT_MIN = 40;
  private static final int SPLIT_STEP = 4;
  private static final int SPLIT_COUNT_MIN = 32;

  private final IntegerWriter integers;
  private final int[] atExponent = new int[Decimals.EXPONENT_MAX + 2];
  private long[] scratch = new long[0];
  private long[] others = new long[0];
  private int decimalExponent;
  private int otherCount;
  private double sum;
  private ByteWriter trial = new ByteWriter(0);
  private ByteWriter kept = new ByteWriter(0);

  DoubleWriter(IntegerWriter integers) {
    this.integers = integers;
  }

  /** Appends the doubles with raw bits {@code bits[0, count)}; count at least 1. */
  void write(long[] bits, int count, ByteWriter out) {
    scan(bits, count);
    writeScanned(bits, count, out);
  }

  /**
   * Scans the doubles; the next run written must be {@link #writeScanned} of the same.
   *
   * @return their mantissas if all are decimals, or null
   */
  @Nullable Residuals scan(long[] bits, int count) {
    scratch = Scratch.longs(scratch, count);
    others = Scratch.longs(others, count);
    decimalExponent = decimals(bits, count);
    return onlyDecimals() ? integers.scan(scratch, count) : null;
  }

  private boolean onlyDecimals() {
    return decimalExponent >= 0 && otherCount == 0;
  }

  /** Exponent of the mantissas of the last {@link #scan}. */
  int decimalExponent() {
    return decimalExponent;
  }

  /** Sum of the decimals of the last {@link #scan} in their order, each addition rounded. */
  double sum() {
    return sum;
  }

  /** As {@link #write} after {@link #scan}. */
  void writeScanned(long[] bits, int count, ByteWriter out) {
    if (onlyDecimals()) {
      out.writeByte(DoubleRun.DECIMALS | decimalExponent << EXPONENT_SHIFT);
      integers.writeScanned(scratch, count, out);
      return;
    }
    kept.reset();
    if (decimalExponent >= 0) {
      writeWithOthers(DoubleRun.DECIMALS, decimalExponent, bits, count);
      keepShorter();
    }
    int exponent = floats(bits, count);
    if (exponent >= 0) {
      writeWithOthers(DoubleRun.FLOATS, exponent, bits, count);
      keepShorter();
    }
    if (kept.length() == 0 || kept.length() > 2 * count) {
      writeOrdered(bits, count);
      keepShorter();
    }
    if (count >= SPLIT_COUNT_MIN && kept.length() > 5 * count) {
      trySplit(bits, count);
    }
    out.writeBytes(kept.array(), 0, kept.length());
  }

  private void keepShorter() {
    if (kept.length() == 0 || trial.length() < kept.length()) {
      ByteWriter shorter = trial;
      trial = kept;
      kept = shorter;
    }
  }

  /**
   * Finds the smallest exponent at which at least 15 of 16 are decimals; fills {@code scratch} with
   * the mantissas and {@code others} with the indexes of the rest.
   *
   * @return the exponent, or -1 if there is none
   */
  private int decimals(long[] bits, int count) {
    int exponent = sampledExponent(bits, count, false);
    while (exponent <= Decimals.EXPONENT_MAX && !allDecimals(bits, count, exponent)) {
      exponent++;
    }
    return exponent > Decimals.EXPONENT_MAX ? -1 : exponent;
  }

  private int floats(long[] bits, int count) {
    int step = Math.max(1, count / SAMPLE);
    for (int i = 0; i < count; i += step) {
      if (!FloatBits.fits(bits[i])) {
        return -1;
      }
    }
    int exponent = sampledExponent(bits, count, true);
    while (exponent <= Decimals.EXPONENT_MAX && !most(bits, count, exponent, true)) {
      exponent++;
    }
    return exponent > Decimals.EXPONENT_MAX ? -1 : exponent;
  }

  /** Smallest exponent for 15 of 16 sampled values; above the largest exponent if there is none. */
  private int sampledExponent(long[] bits, int count, boolean floats) {
    java.util.Arrays.fill(atExponent, 0);
    int step = Math.max(1, count / SAMPLE);
    int seen = 0;
    int exponent = 0;
    for (int i = 0; i < count; i += step, seen++) {
      // Values of a series mostly need the same exponent: try that of the previous one first.
      if (mantissa(bits[i], exponent, floats) == Decimals.NONE
          || (exponent > 0 && mantissa(bits[i], exponent - 1, floats) != Decimals.NONE)) {
        exponent = minExponent(bits[i], floats);
      }
      atExponent[exponent]++;
      exponent = Math.min(exponent, Decimals.EXPONENT_MAX);
    }
    int served = 0;
    for (exponent = 0; exponent <= Decimals.EXPONENT_MAX; exponent++) {
      served += atExponent[exponent];
      if (served * 16 >= seen * 15) {
        return exponent;
      }
    }
    return exponent;
  }

  private static int minExponent(long bits, boolean floats) {
    int exponent = 0;
    while (exponent <= Decimals.EXPONENT_MAX && mantissa(bits, exponent, floats) == Decimals.NONE) {
      exponent++;
    }
    return exponent;
  }

  private static long mantissa(long bits, int exponent, boolean floats) {
    return floats ? Decimals.floatMantissa(bits, exponent) : Decimals.mantissa(bits, exponent);
  }

  private boolean allDecimals(long[] bits, int count, int exponent) {
    double power = Decimals.power(exponent);
    long differ = 0;
    long outside = 0;
    double total = 0;
    for (int i = 0; i < count; i++) {
      long value = bits[i];
      // The additions depend on each other; the rest of the loop runs meanwhile.
      total += Double.longBitsToDouble(value);
      long mantissa = Decimals.nearest(Double.longBitsToDouble(value), power);
      double back = Decimals.quotient(Decimals.asDouble(mantissa), exponent);
      differ |= Double.doubleToRawLongBits(back) ^ value;
      outside |= mantissa + Decimals.MANTISSA_END;
      scratch[i] = mantissa;
    }
    sum = total;
    otherCount = 0;
    return (differ | (outside >>> 52)) == 0 || most(bits, count, exponent, false);
  }

  /** Whether at least 15 of 16 are decimals; fills scratch and others as {@link #decimals}. */
  private boolean most(long[] bits, int count, int exponent, boolean floats) {
    otherCount = 0;
    int othersMax = count >> 4;
    for (int i = 0; i < count; i++) {
      long mantissa = mantissa(bits[i], exponent, floats);
      if (mantissa == Decimals.NONE) {
        if (otherCount == othersMax) {
          return false;
        }
        others[otherCount++] = i;
        mantissa = i == 0 ? 0 : scratch[i - 1];
      }
      scratch[i] = mantissa;
    }
    return true;
  }

  /** Writes the mantissas in scratch to trial, then indexes and raw bits of the others. */
  private void writeWithOthers(int form, int exponent, long[] bits, int count) {
    trial.reset();
    int any = otherCount == 0 ? 0 : 1;
    trial.writeByte((form + any) | exponent << EXPONENT_SHIFT);
    integers.write(scratch, count, trial);
    if (any != 0) {
      trial.writeVarInt(otherCount);
      integers.write(others, otherCount, trial);
      for (int i = 0; i < otherCount; i++) {
        trial.writeLongLE(bits[(int) others[i]]);
      }
    }
  }

  private void writeOrdered(long[] bits, int count) {
    long or = 0;
    for (int i = 0; i < count; i++) {
      or |= bits[i];
    }
    // Not all bits are 0: zeros would have been written as decimals.
    int shift = Long.numberOfTrailingZeros(or);
    for (int i = 0; i < count; i++) {
      scratch[i] = order(bits[i]) >> shift;
    }
    trial.reset();
    trial.writeByte(shift == 0 ? DoubleRun.ORDERED : DoubleRun.SHIFTED);
    if (shift != 0) {
      trial.writeByte(shift);
    }
    integers.write(scratch, count, trial);
  }

  /** Tries low parts of 52, 48, 44 and 40 bits until the run gets no shorter. */
  private void trySplit(long[] bits, int count) {
    for (int low = SPLIT_MAX; low >= SPLIT_MIN; low -= SPLIT_STEP) {
      for (int i = 0; i < count; i++) {
        scratch[i] = order(bits[i]) >> low;
      }
      trial.reset();
      trial.writeByte(DoubleRun.SPLIT);
      trial.writeByte(low);
      integers.write(scratch, count, trial);
      if (trial.length() + BitPacking.bytes(count, low) >= kept.length()) {
        if (low < SPLIT_MAX) {
          return;
        }
        continue;
      }
      long mask = (1L << low) - 1;
      for (int i = 0; i < count; i++) {
        scratch[i] = order(bits[i]) & mask;
      }
      BitPacking.pack(scratch, 0, count, 0, low, trial);
      keepShorter();
    }
  }
}
