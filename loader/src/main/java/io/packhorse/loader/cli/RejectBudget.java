package io.packhorse.loader.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How many lines may be no points before a load is stopped.
 *
 * @param lines at most so many
 * @param share at most so great a part of all lines, 0 to 1; judged from {@link #SAMPLE_LINES} on
 *     and at the end
 */
record RejectBudget(long lines, double share) {
  /** Any number. */
  static final RejectBudget UNLIMITED = new RejectBudget(Long.MAX_VALUE, 1);

  /** Lines below which a share says nothing yet. */
  static final long SAMPLE_LINES = 10_000;

  /** Whether it is used up. */
  boolean exceededBy(long rejected, long allLines, boolean atTheEnd) {
    return rejected > lines
        || ((atTheEnd || allLines >= SAMPLE_LINES) && rejected > share * allLines);
  }

  /** Reads {@code 1000} and {@code 0.5%}. */
  static final class Converter implements ITypeConverter<RejectBudget> {
    @Override
    public RejectBudget convert(String text) {
      if (text.matches("\\d{1,15}")) {
        return new RejectBudget(Long.parseLong(text), 1);
      }
      if (text.matches("\\d{1,3}(\\.\\d{1,9})?%")) {
        double percent = Double.parseDouble(text.substring(0, text.length() - 1));
        if (percent <= 100) {
          return new RejectBudget(Long.MAX_VALUE, percent / 100);
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is no number of lines and no share of them: write 1000 or 0.5%");
    }
  }
}
