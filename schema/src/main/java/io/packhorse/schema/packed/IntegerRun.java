package io.packhorse.schema.packed;

/**
 * The first byte of a run of integers (format.md section 7).
 *
 * <pre>
 *   bits 0-1  order of differences, or 3 for a coder of values instead of residuals
 *   bits 2-4  coder
 *   bits 5-7  must be 0
 * </pre>
 */
final class IntegerRun {
  static final int ORDER_MASK = 0x03;
  static final int CODER_SHIFT = 2;
  static final int OF_VALUES = 3;

  static final int CONSTANT = 0;
  static final int FIELDS = 1;
  static final int RADIX = 2;
  static final int BLOCKS = 3;
  static final int STEPS = 4;

  /** Coders of values. */
  static final int DICTIONARY = 0;

  static final int RUNS = 1;
  static final int LENGTHS = 2;

  private IntegerRun() {}

  static int tag(int order, int coder) {
    return order | coder << CODER_SHIFT;
  }
}
