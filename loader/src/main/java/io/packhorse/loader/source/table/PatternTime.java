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
import java.util.regex.Pattern;

/**
 * Times by a pattern of the JDK's {@link DateTimeFormatter}, such as {@code d.M.uuuu HH:mm}. What
 * the pattern leaves out is the first day, midnight, the full minute. Years of two digits are 1970
 * to 2069. One thread.
 */
final class PatternTime implements TimeReader {
  private static final int DAYS_OF_SHORTEST_MONTH = 28;

  private static final int SHORT_YEAR_END = 2070;

  /** A year of two digits, which the JDK takes for 2000 to 2099. */
  private static final Pattern SHORT_YEAR = Pattern.compile(".*(?<![uy])(uu|yy)(?![uy]).*");

  /** An hour without minutes beside it, or in a column of its own. */
  private static final Pattern LONE_HOUR = Pattern.compile("(.* )?H( .*)?");

  private final String pattern;
  private final DateTimeFormatter formatter;
  private final LocalTimes local;
  private final boolean shortYear;

  /** Whether an hour 24 is no time, for it may be the midnight of two days. */
  private final boolean refuses24;

  /**
   * @throws IllegalArgumentException if the pattern is invalid
   */
  PatternTime(String pattern, LocalTimes local) {
    this(pattern, local, false);
  }

  private PatternTime(String pattern, LocalTimes local, boolean refuses24) {
    this.pattern = pattern;
    this.refuses24 = refuses24;
    this.shortYear = hasShortYear(pattern);
    DateTimeFormatterBuilder builder =
        new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(pattern);
    if (!pattern.contains("d") && !pattern.contains("D")) {
      builder.parseDefaulting(ChronoField.DAY_OF_MONTH, 1);
    }
    if (!pattern.contains("M") && !pattern.contains("D")) {
      builder.parseDefaulting(ChronoField.MONTH_OF_YEAR, 1);
    }
    if (pattern.chars().noneMatch(letter -> "HhKk".indexOf(letter) >= 0)) {
      builder.parseDefaulting(ChronoField.HOUR_OF_DAY, 0);
    }
    this.formatter = builder.toFormatter(Locale.ENGLISH);
    this.local = local;
  }

  /** Whether a pattern has a year of two digits. */
  static boolean hasShortYear(String pattern) {
    return SHORT_YEAR.matcher(pattern).matches();
  }

  /**
   * This one, for a pattern that was guessed: it leaves open what an hour 24 without minutes is.
   */
  PatternTime guessed() {
    return LONE_HOUR.matcher(pattern).matches() ? new PatternTime(pattern, local, true) : this;
  }

  @Override
  public long millis(byte[] bytes, int from, int to) {
    try {
      String word = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      TemporalAccessor parsed = formatter.parse(word);
      LocalDateTime time = LocalDateTime.from(parsed);
      if (!isDayWritten(word, time) || (refuses24 && is24(word, time))) {
        return MALFORMED;
      }
      if (shortYear && time.getYear() >= SHORT_YEAR_END) {
        time = time.minusYears(100);
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

  private boolean is24(String word, LocalDateTime time) {
    if (!time.toLocalTime().equals(LocalTime.MIDNIGHT)) {
      return false;
    }
    TemporalAccessor written = formatter.parseUnresolved(word, new ParsePosition(0));
    return written != null
        && written.isSupported(ChronoField.HOUR_OF_DAY)
        && written.getLong(ChronoField.HOUR_OF_DAY) != 0;
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
