package io.packhorse.loader.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code 2024-01-01}, {@code 2024-01-01T06:00}, {@code 2024-01-01T06:00Z} or epoch seconds.
 */
final class StartTime implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return parse(text, ZoneOffset.UTC);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads a time.
   *
   * @param zone of times that name none
   * @throws IllegalArgumentException if the text is not a time; the message lists the accepted
   *     forms
   */
  static Instant parse(String text, ZoneId zone) {
    try {
      if (text.matches("\\d{1,10}")) {
        return Instant.ofEpochSecond(Long.parseLong(text));
      }
      if (!text.contains("T")) {
        return LocalDate.parse(text).atStartOfDay(zone).toInstant();
      }
      return text.matches(".*T[\\d:.]+")
          ? LocalDateTime.parse(text).atZone(zone).toInstant()
          : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a time: write 2024-01-01, 2024-01-01T06:00, 2024-01-01T06:00Z or seconds"
              + " since 1970",
          e);
    }
  }
}
