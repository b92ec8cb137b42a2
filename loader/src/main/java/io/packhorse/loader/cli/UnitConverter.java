package io.packhorse.loader.cli;

import io.packhorse.loader.source.record.TimestampUnit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code s}, {@code ms}, {@code us} and {@code ns}. */
final class UnitConverter implements ITypeConverter<TimestampUnit> {
  @Override
  public TimestampUnit convert(String text) {
    for (TimestampUnit unit : TimestampUnit.values()) {
      if (unit != TimestampUnit.OPENTSDB && unit.toString().equals(text)) {
        return unit;
      }
    }
    throw new TypeConversionException("'" + text + "' is not s, ms, us or ns");
  }
}
