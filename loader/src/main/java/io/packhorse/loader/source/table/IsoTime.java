package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.TimeReader;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * Times as ISO 8601 writes them: {@code 2024-01-31}, then perhaps a T or a blank and {@code 23:59},
 * {@code :58}, {@code .123456} (cut to milliseconds), and {@code Z}, {@code +01}, {@code UTC},
 * {@code GMT}, {@code +0100} or {@code +01:00}. Without an offset they are local. One thread.
 */
final class IsoTime implements TimeReader {
  private static final int DATE_LENGTH = 10;
  private static final int DAY_SECONDS = 86_400;

  private final LocalTimes local;

  /** The word being read, {@code [at, end)} of it still to come. */
  private byte[] word = {};

  private int at;
  private int end;

  /** The date last read, and its day: most rows have the date of the row before. */
  private int lastDate = -1;

  private long lastDay;

  IsoTime(LocalTimes local) {
    this.local = local;
  }

  @Override
  public long millis(byte[] bytes, int from, int to) {
    word = bytes;
    at = from;
    end = to;
    if (to - from < DATE_LENGTH) {
      return MALFORMED;
    }
    int year = number(4);
    int month = next('-') ? number(2) : -1;
    int day = next('-') ? number(2) : -1;
    if (year < 0 || month < 0 || day < 0 || !findDay(year, month, day)) {
      return MALFORMED;
    }
    return at == end ? local.millis(lastDay * DAY_SECONDS, 0) : withTimeOfDay();
  }

  private long withTimeOfDay() {
    if (!next('T') && !next(' ') && !next('t')) {
      return MALFORMED;
    }
    int hour = number(2);
    int minute = next(':') ? number(2) : -1;
    int second = next(':') ? number(2) : 0;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
      return MALFORMED;
    }
    int milli = next('.') || next(',') ? fraction() : 0;
    if (milli < 0) {
      return MALFORMED;
    }
    long seconds = lastDay * DAY_SECONDS + hour * 3600L + minute * 60L + second;
    return at == end ? local.millis(seconds, milli) : withOffset(seconds, milli);
  }

  private long withOffset(long seconds, int milli) {
    next(' ');
    if (next('Z') || next('z') || word("UTC") || word("GMT")) {
      return at == end ? LocalTimes.at(seconds, milli, ZoneOffset.UTC) : MALFORMED;
    }
    boolean west = next('-');
    if (!west && !next('+')) {
      return MALFORMED;
    }
    int hours = number(2);
    int minutes = next(':') || at < end ? number(2) : 0;
    if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59 || at < end) {
      return MALFORMED;
    }
    int offset = Math.min(hours * 3600 + minutes * 60, ZoneOffset.MAX.getTotalSeconds());
    return LocalTimes.at(seconds, milli, ZoneOffset.ofTotalSeconds(west ? -offset : offset));
  }

  private boolean findDay(int year, int month, int day) {
    int date = (year * 100 + month) * 100 + day;
    if (date == lastDate) {
      return true;
    }
    try {
      lastDay = LocalDate.of(year, month, day).toEpochDay();
      lastDate = date;
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** Whether the next byte is this one, which is then passed. */
  private boolean next(char c) {
    if (at < end && word[at] == c) {
      at++;
      return true;
    }
    return false;
  }

  /** Whether all of these bytes follow, which are then passed. */
  private boolean word(String expected) {
    int from = at;
    for (int i = 0; i < expected.length(); i++) {
      if (!next(expected.charAt(i))) {
        at = from;
        return false;
      }
    }
    return true;
  }

  /** The number of so many digits, or -1. */
  private int number(int digits) {
    if (end - at < digits) {
      return -1;
    }
    int number = 0;
    for (int i = 0; i < digits; i++) {
      int digit = word[at++] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  /** Thousandths of the digits after a point, any number of them; or -1. */
  private int fraction() {
    int milli = 0;
    int digits = 0;
    while (at < end && word[at] >= '0' && word[at] <= '9') {
      if (digits < 3) {
        milli = milli * 10 + word[at] - '0';
      }
      digits++;
      at++;
    }
    for (int i = digits; i < 3; i++) {
      milli *= 10;
    }
    return digits == 0 ? -1 : milli;
  }
}
