package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class TimeSpanTest {
  private final TimeSpan span = new TimeSpan();

  @Test
  void readsEveryUnit() {
    assertEquals(Duration.ofMillis(100), span.convert("100ms"));
    assertEquals(Duration.ofSeconds(1), span.convert("1s"));
    assertEquals(Duration.ofMinutes(5), span.convert("5m"));
    assertEquals(Duration.ofHours(12), span.convert("12h"));
    assertEquals(Duration.ofDays(365), span.convert("365d"));
    assertEquals(Duration.ofDays(364), span.convert("52w"));
    assertEquals(Duration.ZERO, span.convert("0s"));
    assertEquals(Duration.ofDays(7L * 999_999_999), span.convert("999999999w"));
  }

  @Test
  void rejectsEverythingElse() {
    for (String text :
        new String[] {"", "7", "d", "-1d", "1.5h", "1 d", "1D", "1y", "1234567890s"}) {
      TypeConversionException refused =
          assertThrows(TypeConversionException.class, () -> span.convert(text), text);
      assertTrue(String.valueOf(refused.getMessage()).startsWith("'" + text + "' is not a time"));
    }
  }
}
