package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.TimeReader;
import java.nio.charset.StandardCharsets;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;

/**
 * Times by a pattern of the JDK's {@link DateTimeFormatter}, such as {@code d.M.uuuu HH:mm}. What
 * the pattern leaves out is the first day, midnight, the full minute. One thread.
 */
final class PatternTime implements TimeReader {
  private static final int DAYS_OF_SHORTEST_MONTH = 28;

  private final DateTimeFormatter formatter;
  private final LocalTimes local;

  /**
   * @throws IllegalArgumentException if the pattern is invalid
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
      String word = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      TemporalAccessor parsed = formatter.parse(word);
      LocalDateTime time = LocalDateTime.from(parsed);
      if (!isDayWritten(word, time)) {
        return MALFORMED;
      }
      long seconds = time.toEpochSecond(ZoneOffset.UTC);
      int milli = time.get(ChronoField.MILLI_OF_SECOND);
      if (parsed.isSupported(ChronoField.OFFSET_SECONDS)) {
        return LocalTimes.at(seconds, milli, ZoneOffset.from(parsed));
      }
      ZoneId zone = parsed.query(TemporalQueries.zoneId());
      return (zone == null ? local : local.in(zone)).millis(seconds, milli);
    } catch (DateTimeException e) {
      return MALFORMED;
    }
  }

  /**
   * Whether the day of a time is the one written: for a day that its month does not have, such as
   * 31 April, the JDK returns the month's last. 24:00 is the midnight after the day written.
   */
  private boolean isDayWritten(String word, LocalDateTime time) {
    LocalDate day = time.toLocalDate();
    LocalDate ending = time.toLocalTime().equals(LocalTime.MIDNIGHT) ? day.minusDays(1) : day;
    if (day.getDayOfMonth() < DAYS_OF_SHORTEST_MONTH
        && ending.getDayOfMonth() < DAYS_OF_SHORTEST_MONTH) {
      return true;
    }
    TemporalAccessor written = formatter.parseUnresolved(word, new ParsePosition(0));
    if (written == null || !written.isSupported(ChronoField.DAY_OF_MONTH)) {
      return true;
    }
    long number = written.getLong(ChronoField.DAY_OF_MONTH);
    return number == day.getDayOfMonth() || number == ending.getDayOfMonth();
  }
}
