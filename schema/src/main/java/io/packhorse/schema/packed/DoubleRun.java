package io.packhorse.schema.packed;

/**
 * The first byte of a run of doubles (format.md section 8).
 *
 * <pre>
 *   bits 0-2  form
 *   bit  3    must be 0
 *   bits 4-7  decimal exponent of forms 0 to 3, else 0
 * </pre>
 */
final class DoubleRun {
  /** q / 10^e for each integer q. */
  static final int DECIMALS = 0;

  /** The same, with some values stored apart as raw bits. */
  static final int DECIMALS_AND_OTHERS = 1;

  /** q / 10^e rounded to a float. */
  static final int FLOATS = 2;

  static final int FLOATS_AND_OTHERS = 3;

  /** Raw bits, mapped so that they sort as the doubles do. */
  static final int ORDERED = 4;

  /** The same without the low bits, which are 0 in all. */
  static final int SHIFTED = 5;

  /** High bits as a run, low bits as fields. */
  static final int SPLIT = 6;

  static final int FORM_MASK = 0x0f;
  static final int EXPONENT_SHIFT = 4;

  private DoubleRun() {}

  /** Maps raw bits to integers that sort as the doubles do; its own inverse. */
  static long order(long bits) {
    return bits ^ ((bits >> 63) >>> 1);
  }
}
