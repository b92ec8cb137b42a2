package io.packhorse.schema.cell;

/**
 * Exact conversion between 4-byte floats and doubles.
 *
 * <p>The conversion of the processor changes signalling NaNs; this one keeps every payload, so that
 * a float stored by OpenTSDB is read back with the bits it had.
 */
public final class FloatBits {
  private FloatBits() {}

  /** Raw bits of the double equal to the float with these raw bits; NaN payloads are kept. */
  public static long widen(int floatBits) {
    if ((floatBits & 0x7f80_0000) == 0x7f80_0000) {
      long sign = (floatBits & 0x8000_0000L) << 32;
      return sign | 0x7ff0_0000_0000_0000L | ((floatBits & 0x007f_ffffL) << 29);
    }
    return Double.doubleToRawLongBits(Float.intBitsToFloat(floatBits));
  }

  /** Whether the double with these raw bits is some {@link #widen widened} float. */
  public static boolean fits(long doubleBits) {
    return widen(narrow(doubleBits)) == doubleBits;
  }

  /** Raw bits of the float equal to this double; meaningful only if {@link #fits}. */
  public static int narrow(long doubleBits) {
    if ((doubleBits & 0x7ff0_0000_0000_0000L) == 0x7ff0_0000_0000_0000L) {
      int sign = (int) (doubleBits >>> 32) & 0x8000_0000;
      return sign | 0x7f80_0000 | ((int) (doubleBits >>> 29) & 0x007f_ffff);
    }
    return Float.floatToRawIntBits((float) Double.longBitsToDouble(doubleBits));
  }
}
