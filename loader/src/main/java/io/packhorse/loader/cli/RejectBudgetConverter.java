package io.packhorse.loader.cli;

import io.packhorse.loader.job.RejectBudget;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 1000} and {@code 0.5%}. */
final class RejectBudgetConverter implements ITypeConverter<RejectBudget> {
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
        "'" + text + "' is neither a number nor a share: write 1000 or 0.5%");
  }
}
