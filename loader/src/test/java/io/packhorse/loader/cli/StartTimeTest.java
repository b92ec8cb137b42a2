package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class StartTimeTest {
  private final StartTime start = new StartTime();

  @Test
  void readsDatesTimesAndSeconds() {
    Instant newYear = Instant.parse("2024-01-01T00:00:00Z");
    assertEquals(newYear, start.convert("2024-01-01"));
    assertEquals(newYear, start.convert("1704067200"));
    assertEquals(newYear, start.convert("2024-01-01T00:00Z"));
    assertEquals(newYear, start.convert("2024-01-01T00:00"));
    ZoneId oslo = ZoneId.of("Europe/Oslo");
    assertEquals(Instant.parse("2023-12-31T23:00:00Z"), StartTime.parse("2024-01-01", oslo));
    assertEquals(Instant.parse("2024-06-30T22:30:00Z"), StartTime.parse("2024-07-01T00:30", oslo));
    assertEquals(newYear, StartTime.parse("2024-01-01T00:00Z", oslo));
    assertEquals(newYear, start.convert("2024-01-01T06:00+06:00"));
    assertEquals(Instant.EPOCH, start.convert("0"));
    assertEquals(Instant.ofEpochSecond(9_999_999_999L), start.convert("9999999999"));
  }

  @Test
  void rejectsEverythingElse() {
    for (String text :
        new String[] {
          "", "now", "2024-13-01", "2024-1-1", "2024-01-01T6:00", "-5", "17040672000"
        }) {
      TypeConversionException refused =
          assertThrows(TypeConversionException.class, () -> start.convert(text), text);
      assertTrue(String.valueOf(refused.getMessage()).startsWith("'" + text + "' is not a time"));
    }
  }
}
