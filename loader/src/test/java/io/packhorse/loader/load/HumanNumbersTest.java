package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class HumanNumbersTest {
  @Test
  void countsHaveCommasInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertEquals("77,414,400", HumanNumbers.count(77_414_400));
      assertEquals("0.889", HumanNumbers.ratio(0.8888));
      assertEquals("2.4 s", HumanNumbers.seconds(2.41));
      assertEquals("77.4 M", HumanNumbers.si(77_414_400));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void ratesHaveThreeDigits() {
    assertEquals("0", HumanNumbers.si(0));
    assertEquals("9.99", HumanNumbers.si(9.99));
    assertEquals("34.0", HumanNumbers.si(34));
    assertEquals("9,999", HumanNumbers.si(9999));
    assertEquals("10.0 k", HumanNumbers.si(10_000));
    assertEquals("1.00 M", HumanNumbers.si(1_000_000));
    assertEquals("160 M", HumanNumbers.si(160_000_000));
    assertEquals("4.04 G", HumanNumbers.si(4.04e9));
    assertEquals("1.05 T", HumanNumbers.si(1.05e12));
    assertEquals("34 B", HumanNumbers.bytes(34));
    assertEquals("1,834 B", HumanNumbers.bytes(1834));
    assertEquals("10.0 kB", HumanNumbers.bytes(10_000));
    assertEquals("3.06 MB", HumanNumbers.bytes(3_060_000));
  }

  @Test
  void timesHaveTheUnitThatFits() {
    assertEquals("0.0 s", HumanNumbers.seconds(0));
    assertEquals("99.9 s", HumanNumbers.seconds(99.9));
    assertEquals("1 min 40 s", HumanNumbers.seconds(99.99));
    assertEquals("3 min 5 s", HumanNumbers.seconds(185));
    assertEquals("59 min 59 s", HumanNumbers.seconds(3599.4));
    assertEquals("1 h 0 min", HumanNumbers.seconds(3599.6));
    assertEquals("2 h 10 min", HumanNumbers.seconds(7800));
  }
}
