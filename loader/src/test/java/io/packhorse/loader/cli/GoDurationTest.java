package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class GoDurationTest {
  private final GoDuration reader = new GoDuration();

  @Test
  void spansAreReadAsGoReadsThem() {
    assertEquals(Duration.ofMinutes(91), reader.convert("1h31m"));
    assertEquals(Duration.ofHours(-25), reader.convert("-25h"));
    assertEquals(Duration.ofNanos(1_500_000L), reader.convert("1.5ms"));
    assertEquals(Duration.ofNanos(2_001), reader.convert("2.001µs"));
    assertEquals(Duration.ofNanos(7), reader.convert("7ns"));
    assertEquals(Duration.ZERO, reader.convert("0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "5", "1x", "1h 2m", "h", "1d", "99999999999999h"})
  void othersAreRefused(String text) {
    assertThrows(TypeConversionException.class, () -> reader.convert(text));
  }
}
