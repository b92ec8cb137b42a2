package io.packhorse.loader.source.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Parses short numbers eight bytes at a time: an optional minus, then at most seven digits with at
 * most one dot between them. {@link ValueReader} parses every other form, and gives the same result
 * for these. Holds the last number. One thread.
 */
public final class ShortNumber {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ZEROS = 0x3030_3030_3030_3030L;
  private static final long TOP_BITS = 0x8080_8080_8080_8080L;

  /** Brings a byte above 9 to 128 and more. */
  private static final long ABOVE_NINE = 0x7676_7676_7676_7676L;

  private static final double[] POWERS_OF_TEN = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

  private long magnitude;
  private int decimals;
  private boolean negative;

  /**
   * Reads the number that begins at an index; nine bytes may be read.
   *
   * @return index after it, or -1 if it has another form
   */
  public int read(byte[] buffer, int from) {
    boolean minus = buffer[from] == '-';
    int at = minus ? from + 1 : from;
    long word = (long) LONG.get(buffer, at) ^ ZEROS;
    int whole = digits(word);
    if (whole == 0 || whole == Long.BYTES) {
      return -1;
    }
    negative = minus;
    if (buffer[at + whole] != '.') {
      decimals = 0;
      magnitude = value(word, whole);
      return at + whole;
    }
    // Without the dot the digits lie side by side.
    long before = (1L << (Byte.SIZE * whole)) - 1;
    long joined = (word & before) | ((word >>> Byte.SIZE) & ~before);
    int all = digits(joined | 0xffL << (Long.SIZE - Byte.SIZE));
    if (all == whole || all == Long.BYTES - 1) {
      return -1;
    }
    decimals = all - whole;
    magnitude = value(joined, all);
    return at + all + 1;
  }

  /** Number of digits at the beginning of a word from which {@link #ZEROS} were taken. */
  private static int digits(long word) {
    long others = ((word + ABOVE_NINE) | word) & TOP_BITS;
    return others == 0 ? Long.BYTES : Long.numberOfTrailingZeros(others) >>> 3;
  }

  /** The number of the first digits of a word, 1 to 8 of them. */
  private static long value(long word, int digits) {
    long aligned = word << (Long.SIZE - Byte.SIZE * digits);
    long pairs = aligned * 10 + (aligned >>> 8);
    long low = (pairs & 0x0000_00FF_0000_00FFL) * (100 + (1_000_000L << 32));
    long high = ((pairs >>> 16) & 0x0000_00FF_0000_00FFL) * (1 + (10_000L << 32));
    return (low + high) >>> 32;
  }

  /** Whether it was written with a dot. */
  public boolean hasDecimals() {
    return decimals > 0;
  }

  /** The integer, or the raw bits of the double where it has decimals. */
  public long bits() {
    if (decimals == 0) {
      return negative ? -magnitude : magnitude;
    }
    return doubleBits();
  }

  /** The raw bits of the number as a double; both are doubles, so it is rounded once. */
  public long doubleBits() {
    double number = magnitude / POWERS_OF_TEN[decimals];
    return Double.doubleToRawLongBits(negative ? -number : number);
  }
}
