package io.packhorse.schema.packed;

import io.packhorse.schema.cell.PointBlock;

/**
 * Statistics of a block as OpenTSDB aggregates it: each value as a double, one after another in the
 * order of time. NaN is skipped except as first and last value.
 */
record ValueSummary(
    int count, int numbers, double first, double last, double min, double max, double sum) {

  static ValueSummary of(PointBlock block) {
    double[] values = new double[block.count()];
    for (int i = 0; i < values.length; i++) {
      long bits = block.values()[i];
      values[i] = block.isDouble()[i] ? Double.longBitsToDouble(bits) : (double) bits;
    }
    return of(values);
  }

  /** Of at least one value. */
  static ValueSummary of(double... values) {
    int numbers = 0;
    double min = Double.NaN;
    double max = Double.NaN;
    double sum = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        min = numbers == 0 || value < min ? value : min;
        max = numbers == 0 || value > max ? value : max;
        sum += value;
        numbers++;
      }
    }
    return new ValueSummary(
        values.length, numbers, values[0], values[values.length - 1], min, max, sum);
  }
}
