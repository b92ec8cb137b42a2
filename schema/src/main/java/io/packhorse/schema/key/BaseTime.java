package io.packhorse.schema.key;

/**
 * The hour a point belongs to: the time in a row key, in seconds since 1970, a multiple of 3600.
 *
 * <p>Row keys hold it as an unsigned 32-bit number, so points lie in 1970 to early 2106.
 */
public final class BaseTime {
  /** Length of a row in seconds. */
  public static final int HOUR_SECONDS = 3600;

  /** Length of a row in milliseconds. */
  public static final int HOUR_MS = HOUR_SECONDS * 1000;

  /** Largest base time: the hour of the last second that 32 bits can hold. */
  public static final long MAX_SECONDS = 0xffff_ffffL - 0xffff_ffffL % HOUR_SECONDS;

  /** Largest time of a point in milliseconds. */
  public static final long MAX_MS = 0xffff_ffffL * 1000 + 999;

  private BaseTime() {}

  /**
   * Whether an imported timestamp counts milliseconds: OpenTSDB's rule, any bit above the low 32.
   * Milliseconds before 20 February 1970 are therefore read as seconds.
   */
  public static boolean isMillis(long timestamp) {
    return timestamp >>> 32 != 0;
  }

  /**
   * An imported timestamp, in seconds or milliseconds by {@link #isMillis}, in milliseconds.
   *
   * @throws IllegalArgumentException if it is below 1, as OpenTSDB's importer refuses it, or after
   *     {@link #MAX_MS}, where OpenTSDB would store it in a wrong hour
   */
  public static long toMillis(long timestamp) {
    if (timestamp < 1 || timestamp > MAX_MS) {
      throw new IllegalArgumentException(
          "timestamp must be 1 to 4294967295 s or up to " + MAX_MS + " ms: timestamp=" + timestamp);
    }
    return isMillis(timestamp) ? timestamp : timestamp * 1000;
  }

  /**
   * Base time of the hour around a time in seconds.
   *
   * @param seconds 0 to 2^32 - 1
   */
  public static long ofSeconds(long seconds) {
    if (seconds < 0 || seconds > 0xffff_ffffL) {
      throw new IllegalArgumentException("time must be 0 to 4294967295 s: seconds=" + seconds);
    }
    return seconds - seconds % HOUR_SECONDS;
  }

  /**
   * Base time, in seconds, of the hour around a time in milliseconds.
   *
   * @param ms 0 to {@link #MAX_MS}
   */
  public static long ofMillis(long ms) {
    if (ms < 0 || ms > MAX_MS) {
      throw new IllegalArgumentException("time must be 0 to " + MAX_MS + " ms: ms=" + ms);
    }
    long seconds = ms / 1000;
    return seconds - seconds % HOUR_SECONDS;
  }

  /**
   * Checks a base time.
   *
   * @return the argument
   * @throws IllegalArgumentException if it is no multiple of 3600 or not in 0 to {@link
   *     #MAX_SECONDS}
   */
  public static long check(long baseTimeSeconds) {
    if (baseTimeSeconds < 0
        || baseTimeSeconds > MAX_SECONDS
        || baseTimeSeconds % HOUR_SECONDS != 0) {
      throw new IllegalArgumentException(
          "base time must be a multiple of 3600 in 0 to "
              + MAX_SECONDS
              + " s: baseTime="
              + baseTimeSeconds);
    }
    return baseTimeSeconds;
  }
}
