package io.packhorse.loader.source.record;

import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.schema.key.BaseTime;

/** Reads the timestamps of an input, all of one kind. One thread. */
public interface TimeReader {
  /** Result of {@link #millis} for text that is not a timestamp. */
  long MALFORMED = -1;

  /** Result of {@link #millis} for a time before 1 ms or after 2106. */
  long OUT_OF_RANGE = -2;

  /** Result of {@link #millis} for a local time that exists twice: clocks were put back. */
  long AMBIGUOUS_LOCAL_TIME = -3;

  /** Result of {@link #millis} for a local time that does not exist: clocks were put forward. */
  long NONEXISTENT_LOCAL_TIME = -4;

  /** Result of {@link #millis} for a number that is in another unit than the input's others. */
  long OTHER_UNIT = -5;

  /**
   * Reads the word {@code [from, to)}, at least one byte.
   *
   * @return milliseconds since 1970, 1 to {@link BaseTime#MAX_MS}, or one of the negative results
   *     above
   */
  long millis(byte[] bytes, int from, int to);

  /** The reject reason for a negative result. */
  static Reason reason(long result) {
    return switch ((int) result) {
      case (int) OUT_OF_RANGE -> Reason.TIMESTAMP_OUT_OF_RANGE;
      case (int) OTHER_UNIT -> Reason.TIMESTAMP_OTHER_UNIT;
      case (int) AMBIGUOUS_LOCAL_TIME -> Reason.AMBIGUOUS_LOCAL_TIME;
      case (int) NONEXISTENT_LOCAL_TIME -> Reason.NONEXISTENT_LOCAL_TIME;
      default -> Reason.TIMESTAMP_MALFORMED;
    };
  }

  /** A time in milliseconds, or {@link #OUT_OF_RANGE} if no row can hold it. */
  static long inRange(long millis) {
    return millis >= 1 && millis <= BaseTime.MAX_MS ? millis : OUT_OF_RANGE;
  }
}
