package io.packhorse.loader.cli;

import io.packhorse.loader.source.TimestampUnit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code s} and {@code ms}. */
final class UnitConverter implements ITypeConverter<TimestampUnit> {
  @Override
  public TimestampUnit convert(String text) {
    return switch (text) {
      case "s" -> TimestampUnit.SECONDS;
      case "ms" -> TimestampUnit.MILLISECONDS;
      default -> throw new TypeConversionException("'" + text + "' is not s or ms");
    };
  }

  /** The text that makes this unit. */
  static String text(TimestampUnit unit) {
    return unit == TimestampUnit.SECONDS ? "s" : "ms";
  }
}
