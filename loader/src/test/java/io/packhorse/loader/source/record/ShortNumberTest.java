package io.packhorse.loader.source.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShortNumberTest {
  private final ShortNumber number = new ShortNumber();
  private final ValueReader value = new ValueReader();

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "7", "-7", "-0", "1234567", "-1234567", "21.4", "-0.0", "0.25", "12345.6"})
  void readsWhatLineValueReads(String word) {
    assertTrue(isSame(word), word);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        "12345678",
        "1.",
        ".5",
        "1e3",
        "x",
        "NaN",
        "123456.7",
        "--1",
        "1.2.3",
        "é"
      })
  void leavesTheRest(String word) {
    byte[] bytes = padded(word);
    int to = number.read(bytes, 0);
    assertTrue(to < 0 || bytes[to] != ' ', word);
  }

  @Test
  void agreesWithLineValueOnAnyWord() {
    SplittableRandom random = new SplittableRandom(7);
    int taken = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder word = new StringBuilder(random.nextInt(3) == 0 ? "-" : "");
      int length = 1 + random.nextInt(9);
      for (int j = 0; j < length; j++) {
        word.append("0123456789.e".charAt(random.nextInt(random.nextInt(4) == 0 ? 12 : 10)));
      }
      byte[] bytes = padded(word.toString());
      int to = number.read(bytes, 0);
      if (to >= 0 && bytes[to] == ' ') {
        assertTrue(isSame(word.toString()), word.toString());
        taken++;
      }
    }
    assertTrue(taken > 50_000, "taken=" + taken);
  }

  private boolean isSame(String word) {
    byte[] bytes = padded(word);
    assertEquals(word.length(), number.read(bytes, 0), word);
    assertNull(value.read(bytes, 0, word.length()), word);
    ValueReader floating = new ValueReader();
    assertNull(floating.readFloating(bytes, 0, word.length()), word);
    return value.bits() == number.bits()
        && value.isDouble() == number.hasDecimals()
        && floating.bits() == number.doubleBits();
  }

  private static byte[] padded(String word) {
    return (word + " ".repeat(16)).getBytes(US_ASCII);
  }
}
