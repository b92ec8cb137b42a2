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
  /** q / 10^e. */
  static final int DECIMALS = 0;

  /** Decimals, some points apart. */
  static final int DECIMALS_AND_OTHERS = 1;

  /** q / 10^e rounded to a float. */
  static final int FLOATS = 2;

  static final int FLOATS_AND_OTHERS = 3;

  /** Raw bits in the order of the doubles. */
  static final int ORDERED = 4;

  /** The same without low bits that all have in common. */
  static final int SHIFTED = 5;

  /** High bits as a run, low bits as fields. */
  static final int SPLIT = 6;

  static final int FORM_MASK = 0x0f;
  static final int EXPONENT_SHIFT = 4;

  private DoubleRun() {}

  /** Raw bits to integers that rise with the doubles; its own inverse. */
  static long order(long bits) {
    return bits ^ ((bits >> 63) >>> 1);
  }
}
