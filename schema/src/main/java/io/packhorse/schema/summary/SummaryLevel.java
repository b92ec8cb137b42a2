package io.packhorse.schema.summary;

import io.packhorse.schema.key.BaseTime;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * How much time an entry of a summary covers. Months and days are those of UTC.
 *
 * <p>A row of the summary table has the key of a row of the data table whose base time is the start
 * of a month, or, for {@link #MONTH}, of a year; each level has a column family.
 */
public enum SummaryLevel {
  /** A month: rows of a year, parts are days. */
  MONTH("m", 12, 31),

  /** A day: rows of a month, parts are hours. */
  DAY("d", 31, 24),

  /** An hour: rows of a month. */
  HOUR("h", 31 * 24, 0);

  private static final int DAY_SECONDS = 24 * BaseTime.HOUR_SECONDS;

  private final String family;
  private final int entries;
  private final int parts;

  SummaryLevel(String family, int entries, int parts) {
    this.family = family;
    this.entries = entries;
    this.parts = parts;
  }

  /** Column family in the summary table. */
  public String family() {
    return family;
  }

  /** Most entries of a row. */
  public int entries() {
    return entries;
  }

  /** Most parts of an entry; 0 for hours, which have none. */
  public int parts() {
    return parts;
  }

  /**
   * Base time of the row that has the entry of an hour, in seconds since 1970.
   *
   * @param hourSeconds start of the hour
   */
  public long row(long hourSeconds) {
    LocalDate day = LocalDate.ofEpochDay(hourSeconds / DAY_SECONDS);
    return seconds(this == MONTH ? day.withDayOfYear(1) : day.withDayOfMonth(1));
  }

  /** Base time of the row after one, in seconds since 1970. */
  public long nextRow(long rowSeconds) {
    LocalDate day = LocalDate.ofEpochDay(rowSeconds / DAY_SECONDS);
    return seconds(this == MONTH ? day.plusYears(1) : day.plusMonths(1));
  }

  /** Index, in its row, of the entry of an hour; from 0. */
  public int index(long hourSeconds) {
    if (this == MONTH) {
      return LocalDate.ofEpochDay(hourSeconds / DAY_SECONDS).getMonthValue() - 1;
    }
    int day = LocalDate.ofEpochDay(hourSeconds / DAY_SECONDS).getDayOfMonth() - 1;
    return this == DAY ? day : 24 * day + hourOfDay(hourSeconds);
  }

  /** Index, in its entry, of the part that an hour is in; from 0. Not for hours. */
  public int part(long hourSeconds) {
    return this == MONTH ? DAY.index(hourSeconds) : hourOfDay(hourSeconds);
  }

  private static int hourOfDay(long hourSeconds) {
    return (int) (hourSeconds % DAY_SECONDS / BaseTime.HOUR_SECONDS);
  }

  /**
   * Start of an entry, in seconds since 1970.
   *
   * @param index up to the number of entries, for the end of the last one
   */
  public long start(long rowSeconds, int index) {
    return switch (this) {
      case MONTH -> seconds(LocalDate.ofEpochDay(rowSeconds / DAY_SECONDS).plusMonths(index));
      case DAY -> rowSeconds + (long) index * DAY_SECONDS;
      case HOUR -> rowSeconds + (long) index * BaseTime.HOUR_SECONDS;
    };
  }

  private static long seconds(LocalDate day) {
    return day.toEpochSecond(LocalTime.MIDNIGHT, ZoneOffset.UTC);
  }
}
