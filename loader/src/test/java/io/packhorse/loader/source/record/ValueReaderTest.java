package io.packhorse.loader.source.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.record.Rejects.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ValueReaderTest {
  private final ValueReader value = new ValueReader();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "+0",
        "42",
        "-42",
        "+42",
        "007",
        "0000000000000000001",
        "127",
        "128",
        "-129",
        "2147483648",
        "9223372036854775807",
        "+9223372036854775807",
        "-9223372036854775808"
      })
  void readsIntegersAsOpenTsdbDoes(String word) {
    assertEqualToStock(word);
    assertEquals(false, value.isDouble());
    assertEquals(Long.parseLong(word), value.bits());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0",
        "-0.0",
        "+1.5",
        ".5",
        "5.",
        "-.5",
        "1e5",
        "1E5",
        "1e-5",
        "-1.5e+3",
        "73.96732207",
        "74.93588199999998",
        "0.1",
        "0.30000000000000004",
        "9007199254740992.0",
        "9007199254740993.0",
        "9007199254740993.5",
        "1234567890123456789.0",
        "0.0000000000000000001",
        "0.1234567890123456789",
        "4.9e-324",
        "1e-400",
        "2.2250738585072012e-308",
        "1.7976931348623157e308",
        "3.4028235e38",
        "3.4028236e38",
        "1e39",
        "16777217.0",
        "1.5f",
        "1.5d",
        "0x1.8p3",
        "1e0",
        "123456789012345678901234567890.5"
      })
  void readsFloatingPointAsOpenTsdbDoes(String word) {
    assertEqualToStock(word);
    assertTrue(value.isDouble());
  }

  @ParameterizedTest
  @CsvSource({
    "x,VALUE_MALFORMED",
    "-,VALUE_MALFORMED",
    "+,VALUE_MALFORMED",
    ".,VALUE_MALFORMED",
    "-.,VALUE_MALFORMED",
    "1.2.3,VALUE_MALFORMED",
    "1e,VALUE_MALFORMED",
    "e5,VALUE_MALFORMED",
    "NaN,VALUE_NOT_FINITE",
    "Infinity,VALUE_NOT_FINITE",
    "-Infinity,VALUE_NOT_FINITE",
    "+inf,VALUE_NOT_FINITE",
    "nanx,VALUE_MALFORMED",
    "0x10,VALUE_MALFORMED",
    "1_000,VALUE_MALFORMED",
    "+-1,VALUE_MALFORMED",
    "12L,VALUE_MALFORMED",
    "1.5é,VALUE_MALFORMED",
    "host=a,VALUE_MALFORMED",
    "1e999,VALUE_NOT_FINITE",
    "-1e999,VALUE_NOT_FINITE",
    "9223372036854775808,INTEGER_TOO_LARGE",
    "-9223372036854775809,INTEGER_TOO_LARGE",
    "9999999999999999999,INTEGER_TOO_LARGE",
    "18446744073709551616,INTEGER_TOO_LARGE",
    "00000000000000000001,INTEGER_TOO_LARGE",
  })
  void refusesWhatOpenTsdbRefuses(String word, Reason reason) {
    assertEquals(reason, read(word));
    assertNull(StockRules.value(word));
  }

  @Test
  void readsRandomWordsAsOpenTsdbDoes() {
    long seed = 20_240_101;
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      assertEqualToStock(randomWord(random));
    }
  }

  @Test
  void readsEveryPrintedDoubleBitExact() {
    Random random = new Random(7);
    for (int i = 0; i < 50_000; i++) {
      double expected = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(expected)) {
        assertNull(read(Double.toString(expected)));
        assertEquals(Double.doubleToRawLongBits(expected), value.bits(), () -> "" + expected);
      }
    }
  }

  private static String randomWord(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Long.toString(random.nextLong() >> random.nextInt(64));
      case 1 -> Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(20) - 10));
      case 2 ->
          String.format(Locale.ROOT, "%." + random.nextInt(12) + "f", random.nextGaussian() * 1e6);
      case 3 -> Float.toString(random.nextFloat());
      case 4 -> String.format(Locale.ROOT, "%.3e", random.nextGaussian() * 1e6);
      default -> noise(random);
    };
  }

  private static String noise(Random random) {
    String alphabet = "0123456789.+-eE";
    StringBuilder word = new StringBuilder();
    do {
      word.append(alphabet.charAt(random.nextInt(alphabet.length())));
    } while (random.nextInt(6) != 0);
    return word.toString();
  }

  private void assertEqualToStock(String word) {
    StockRules.@Nullable Value stock = StockRules.value(word);
    Reason reason = read(word);
    StockRules.@Nullable Value ours =
        reason == null ? new StockRules.Value(value.bits(), value.isDouble()) : null;
    assertEquals(stock, ours, () -> word + ": " + reason);
  }

  private @Nullable Reason read(String word) {
    byte[] bytes = (" " + word + "9").getBytes(StandardCharsets.UTF_8);
    return value.read(bytes, 1, bytes.length - 1);
  }
}
