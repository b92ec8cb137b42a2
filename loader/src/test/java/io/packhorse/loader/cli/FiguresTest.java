package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void countsHaveCommasInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertEquals("77,414,400", Figures.count(77_414_400));
      assertEquals("0.889", Figures.ratio(0.8888));
      assertEquals("2.4 s", Figures.seconds(2.41));
      assertEquals("77.4 M", Figures.si(77_414_400));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void ratesHaveThreeDigits() {
    assertEquals("0.00", Figures.si(0));
    assertEquals("9.99", Figures.si(9.99));
    assertEquals("34.0", Figures.si(34));
    assertEquals("9999", Figures.si(9999));
    assertEquals("10.0 k", Figures.si(10_000));
    assertEquals("1.00 M", Figures.si(1_000_000));
    assertEquals("160 M", Figures.si(160_000_000));
    assertEquals("4.04 G", Figures.si(4.04e9));
    assertEquals("1.05 T", Figures.si(1.05e12));
    assertEquals("34.0 B", Figures.bytes(34));
    assertEquals("10.0 kB", Figures.bytes(10_000));
  }

  @Test
  void timesHaveTheUnitThatFits() {
    assertEquals("0.0 s", Figures.seconds(0));
    assertEquals("59.9 s", Figures.seconds(59.9));
    assertEquals("3m05s", Figures.seconds(185));
    assertEquals("59m59s", Figures.seconds(3599.4));
    assertEquals("1h00m", Figures.seconds(3599.6));
    assertEquals("2h10m", Figures.seconds(7800));
  }
}
