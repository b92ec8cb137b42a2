package io.packhorse.loader.source.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.source.record.TimeReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IsoTimeTest {
  private final IsoTime utc = new IsoTime(new LocalTimes(ZoneOffset.UTC, Dst.REJECT));

  @ParameterizedTest
  @CsvSource({
    "2024-02-29,2024-02-29T00:00:00Z",
    "2024-02-29 23:59,2024-02-29T23:59:00Z",
    "2024-02-29T23:59:58,2024-02-29T23:59:58Z",
    "2024-02-29T23:59:58.1,2024-02-29T23:59:58.100Z",
    "2024-02-29T23:59:58.123999999,2024-02-29T23:59:58.123Z",
    "2024-02-29t23:59:58z,2024-02-29T23:59:58Z",
    "2024-02-29 23:59:58 +0530,2024-02-29T18:29:58Z",
    "2024-02-29T23:59:58-03,2024-03-01T02:59:58Z",
    "1970-01-01T00:59:59.001+01:00,invalid",
    "1970-01-01T01:00:00.001+01:00,1970-01-01T00:00:00.001Z",
    "2106-02-07T06:28:15.999Z,2106-02-07T06:28:15.999Z",
    "2106-02-07T06:28:16Z,invalid"
  })
  void readsWhatIsoWrites(String word, String instant) {
    long expected =
        instant.equals("invalid") ? TimeReader.OUT_OF_RANGE : Instant.parse(instant).toEpochMilli();
    assertEquals(expected, read(utc, word));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024",
        "2024-1-1",
        "2024-13-01",
        "2023-02-29",
        "2024-01-01x",
        "2024-01-01T",
        "24-01-01",
        "2024-01-01T24:00:00",
        "2024-01-01T10",
        "2024-01-01T10:60",
        "2024-01-01T10:00:60",
        "2024-01-01T10:00:00.",
        "2024-01-01T10:00:00+",
        "2024-01-01T10:00:00+1",
        "2024-01-01T10:00:00+19:00",
        "2024-01-01T10:00:00Zx",
        "2024-01-01T10:00:00+01:00x"
      })
  void refusesWhatIsoDoesNotWrite(String word) {
    assertEquals(TimeReader.MALFORMED, read(utc, word));
  }

  @Test
  void readsRandomTimesAsTheJdkDoes() {
    SplittableRandom random = new SplittableRandom(3);
    List<String> zones =
        List.of("UTC", "Europe/Oslo", "Asia/Kathmandu", "Australia/Lord_Howe", "America/New_York");
    for (String name : zones) {
      ZoneId zone = ZoneId.of(name);
      IsoTime reader = new IsoTime(new LocalTimes(zone, Dst.EARLIER));
      DateTimeFormatter local = DateTimeFormatter.ISO_LOCAL_DATE_TIME;
      for (int i = 0; i < 20_000; i++) {
        Instant instant = Instant.ofEpochMilli(random.nextLong(100_000_000L, 4_200_000_000_000L));
        OffsetDateTime time = instant.atZone(zone).toOffsetDateTime();
        long millis = instant.toEpochMilli();
        String written = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
        assertEquals(millis, read(reader, written), written);
        long expected = ZonedDateTime.of(time.toLocalDateTime(), zone).toInstant().toEpochMilli();
        assertEquals(expected, read(reader, local.format(time)), () -> local.format(time));
      }
    }
  }

  private static long read(IsoTime reader, String word) {
    byte[] bytes = ("x" + word + "9").getBytes(StandardCharsets.US_ASCII);
    return reader.millis(bytes, 1, bytes.length - 1);
  }
}
