package io.packhorse.loader.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 2024-01-01}, {@code 2024-01-01T06:00Z} or epoch seconds. */
final class StartTime implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      if (text.matches("\\d{1,10}")) {
        return Instant.ofEpochSecond(Long.parseLong(text));
      }
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is not a time: write 2024-01-01, 2024-01-01T06:00Z or seconds since 1970");
    }
  }
}
