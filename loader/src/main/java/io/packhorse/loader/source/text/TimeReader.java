package io.packhorse.loader.source.text;

import io.packhorse.loader.source.text.Rejects.Reason;
import io.packhorse.schema.key.BaseTime;

/** Reads the timestamps of an input, all of one kind. One thread. */
public interface TimeReader {
  /** Result of {@link #millis} for what is no timestamp. */
  long MALFORMED = -1;

  /** Result of {@link #millis} for a time before 1 ms or after 2106. */
  long OUT_OF_RANGE = -2;

  /** Result of {@link #millis} for a local time that clocks show twice. */
  long TWICE = -3;

  /** Result of {@link #millis} for a local time that clocks pass over. */
  long NEVER = -4;

  /**
   * Reads the word {@code [from, to)}, at least one byte.
   *
   * @return milliseconds since 1970, 1 to {@link BaseTime#MAX_MS}, or why there are none
   */
  long millis(byte[] bytes, int from, int to);

  /** Why a result below 0 is no time. */
  static Reason reason(long result) {
    return switch ((int) result) {
      case (int) OUT_OF_RANGE -> Reason.TIMESTAMP_OUT_OF_RANGE;
      case (int) TWICE -> Reason.TIME_TWICE;
      case (int) NEVER -> Reason.TIME_NEVER;
      default -> Reason.TIMESTAMP_MALFORMED;
    };
  }

  /** A time in milliseconds, or {@link #OUT_OF_RANGE} if no row can hold it. */
  static long inRange(long millis) {
    return millis >= 1 && millis <= BaseTime.MAX_MS ? millis : OUT_OF_RANGE;
  }
}
