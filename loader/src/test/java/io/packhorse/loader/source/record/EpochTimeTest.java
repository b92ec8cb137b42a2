package io.packhorse.loader.source.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.packhorse.schema.key.BaseTime;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EpochTimeTest {
  @ParameterizedTest
  @CsvSource({
    "1,1000",
    "+1,1000",
    "0001356998400,1356998400000",
    "1356998400,1356998400000",
    "1356998400000,1356998400000",
    "1356998400123,1356998400123",
    "1356998400.123,1356998400123",
    "4294967.296,4294967296",
    "4294967295,4294967295000",
    "4294967296,4294967296",
    "4294967295999,4294967295999",
  })
  void readsSecondsAndMillisecondsAsOpenTsdbDoes(String word, long millis) {
    assertEquals(millis, read(word));
    Long stock = StockRules.timestamp(word);
    assertEquals(millis, stock == null ? null : BaseTime.toMillis(stock));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "-",
        "+",
        ".",
        "1356998400s",
        "2013-01-01",
        "1e9",
        "1,356",
        "--1",
        "1.2.345",
        "0x10"
      })
  void refusesWhatIsNoNumber(String word) {
    assertEquals(EpochTime.MALFORMED, read(word));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1356998400.5", "1356998400.", ".123", "1.123", "1356998400.1234"})
  void refusesDotsThatOpenTsdbWouldReadAsAnotherTime(String word) {
    assertEquals(EpochTime.MALFORMED, read(word));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "-1356998400",
        "4294967296000",
        "9999999999999",
        "9223372036854775808",
        "18446744073709551617",
        "99999999999999999999999999",
        "13569984000000"
      })
  void refusesTimesOutsideTheRowKey(String word) {
    assertEquals(EpochTime.OUT_OF_RANGE, read(word));
  }

  @Test
  void refusesWhatOpenTsdbRefuses() {
    for (String word : new String[] {"0", "-1", "x", "1356998400s", "10000000000000"}) {
      assertNull(StockRules.timestamp(word), word);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SECONDS,1,1000",
    "SECONDS,1234567890,1234567890000",
    "SECONDS,1356998400.5,1356998400500",
    "SECONDS,1356998400.123456789,1356998400123",
    "SECONDS,4294967296,-2",
    "SECONDS,0.0009,-2",
    "SECONDS,-1,-2",
    "MILLISECONDS,1234,1234",
    "MILLISECONDS,1356998400123.9,1356998400123",
    "MILLISECONDS,4294967296000,-2",
    "MICROSECONDS,1356998400123999,1356998400123",
    "MICROSECONDS,999,-2",
    "NANOSECONDS,1356998400123999999,1356998400123",
    "NANOSECONDS,1356998400123999999.5,-2",
    "NANOSECONDS,18446744073709551615,-2",
    "NANOSECONDS,99999999999999999999999,-2",
    "SECONDS,1356998400.1234567890123456789012,-2",
    "SECONDS,x,-1",
    "SECONDS,1:00,-1",
    "SECONDS,.,-1",
    "SECONDS,1e9,-1",
  })
  void readsOneUnitAndCutsWhatIsFinerThanMilliseconds(
      TimestampUnit unit, String word, long millis) {
    assertEquals(millis, read(unit, word));
  }

  private static long read(String word) {
    return read(TimestampUnit.OPENTSDB, word);
  }

  private static long read(TimestampUnit unit, String word) {
    byte[] bytes = (" " + word + "9").getBytes(StandardCharsets.US_ASCII);
    return new EpochTime(unit).millis(bytes, 1, bytes.length - 1);
  }
}
