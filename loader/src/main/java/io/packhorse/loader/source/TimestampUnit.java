package io.packhorse.loader.source;

import io.packhorse.schema.key.BaseTime;

/** How the timestamps of a file with two columns are to be read. */
public enum TimestampUnit {
  /** Seconds or milliseconds by OpenTSDB's rule, as in import lines. */
  BY_SIZE,
  /** Seconds, also with three decimals. */
  SECONDS,
  /** Milliseconds, also those that look like seconds. */
  MILLISECONDS;

  private static final int DIGITS_MAX = 18;

  /** As {@link LineTime#millis}. */
  long millis(byte[] bytes, int from, int to) {
    if (this == BY_SIZE) {
      return LineTime.millis(bytes, from, to);
    }
    long number = 0;
    for (int at = from; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9 || to - from > DIGITS_MAX) {
        return this == SECONDS ? LineTime.millis(bytes, from, to) : LineTime.MALFORMED;
      }
      number = number * 10 + digit;
    }
    long most = this == SECONDS ? BaseTime.MAX_MS / 1000 : BaseTime.MAX_MS;
    if (number < 1 || number > most) {
      return LineTime.OUT_OF_RANGE;
    }
    return this == SECONDS ? number * 1000 : number;
  }
}
