package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.text.TimeReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/**
 * Times by a pattern of the JDK's {@link DateTimeFormatter}, such as {@code d.M.uuuu HH:mm}. What
 * the pattern leaves out is the first day, midnight, the full minute. One thread.
 */
final class PatternTime implements TimeReader {
  private final DateTimeFormatter formatter;
  private final LocalTimes local;

  /**
   * @throws IllegalArgumentException if it is no pattern
   */
  PatternTime(String pattern, LocalTimes local) {
    DateTimeFormatterBuilder builder =
        new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(pattern);
    if (!pattern.contains("d") && !pattern.contains("D")) {
      builder.parseDefaulting(ChronoField.DAY_OF_MONTH, 1);
    }
    if (!pattern.contains("M") && !pattern.contains("D")) {
      builder.parseDefaulting(ChronoField.MONTH_OF_YEAR, 1);
    }
    if (!pattern.contains("H") && !pattern.contains("h")) {
      builder.parseDefaulting(ChronoField.HOUR_OF_DAY, 0);
    }
    this.formatter = builder.toFormatter(Locale.ENGLISH);
    this.local = local;
  }

  @Override
  public long millis(byte[] bytes, int from, int to) {
    try {
      TemporalAccessor parsed =
          formatter.parse(new String(bytes, from, to - from, StandardCharsets.UTF_8));
      LocalDateTime time = LocalDateTime.from(parsed);
      long seconds = time.toEpochSecond(ZoneOffset.UTC);
      int milli = time.get(ChronoField.MILLI_OF_SECOND);
      return parsed.isSupported(ChronoField.OFFSET_SECONDS)
          ? LocalTimes.at(seconds, milli, ZoneOffset.from(parsed))
          : local.millis(seconds, milli);
    } catch (DateTimeException e) {
      return MALFORMED;
    }
  }
}
