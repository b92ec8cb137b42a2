package io.packhorse.schema.key;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.util.Arrays;

/**
 * Row keys of OpenTSDB's data table, both ways.
 *
 * <pre>
 *   salt, 0-8 bytes | metric UID | base time, 4 bytes big-endian | (tagk UID | tagv UID)*
 * </pre>
 *
 * Widths and salt belong to the tables; see {@link UidWidths} and {@link SaltFunction}. Arrays
 * returned are new, arrays given are read only.
 */
public record RowKeyLayout(UidWidths widths, SaltFunction salt) {
  /** Bytes of the base time. */
  public static final int TIME_LENGTH = 4;

  /** Longest row key that HBase takes, in bytes. */
  public static final int LENGTH_MAX = Short.MAX_VALUE;

  /** First base time after the last hour: the exclusive end of all time. */
  public static final long END_OF_TIME = BaseTime.MAX_SECONDS + BaseTime.HOUR_SECONDS;

  /**
   * Key of the row that holds one hour of one series.
   *
   * @param tsuid a series under this layout's widths
   * @param baseTimeSeconds see {@link BaseTime#check}
   */
  public byte[] rowKey(Tsuid tsuid, long baseTimeSeconds) {
    int metricEnd = salt.width() + widths.metric();
    int length = salt.width() + TIME_LENGTH + tsuid.length();
    if (length > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "row key must have at most " + LENGTH_MAX + " bytes; drop tags: length=" + length);
    }
    byte[] key = new byte[length];
    salt.put(salt.bucket(tsuid), key);
    tsuid.copy(0, widths.metric(), key, salt.width());
    putTime(BaseTime.check(baseTimeSeconds), key, metricEnd);
    tsuid.copy(widths.metric(), tsuid.length() - widths.metric(), key, metricEnd + TIME_LENGTH);
    return key;
  }

  /** Series of a stored row. */
  public Tsuid tsuid(byte[] rowKey) throws MalformedCellException {
    int metricEnd = timeAt(rowKey);
    byte[] tsuid = new byte[rowKey.length - salt.width() - TIME_LENGTH];
    System.arraycopy(rowKey, salt.width(), tsuid, 0, widths.metric());
    System.arraycopy(
        rowKey, metricEnd + TIME_LENGTH, tsuid, widths.metric(), tsuid.length - widths.metric());
    return Tsuid.adopt(widths, tsuid);
  }

  /** Base time of a stored row in seconds, a multiple of 3600. */
  public long baseTimeSeconds(byte[] rowKey) throws MalformedCellException {
    int at = timeAt(rowKey);
    long seconds = 0;
    for (int i = 0; i < TIME_LENGTH; i++) {
      seconds = (seconds << 8) | (rowKey[at + i] & 0xff);
    }
    if (seconds % BaseTime.HOUR_SECONDS != 0) {
      throw new MalformedCellException(
          at, "row key must hold a base time that is a multiple of 3600: baseTime=" + seconds);
    }
    return seconds;
  }

  /** Salt bucket that a stored row lies in; 0 where there is no salt. */
  public int bucket(byte[] rowKey) throws MalformedCellException {
    timeAt(rowKey);
    return salt.bucketOf(rowKey);
  }

  /**
   * First row of a scan over one metric in one bucket, inclusive.
   *
   * @param bucket 0 to {@code salt().buckets() - 1}
   * @param metric UID of the metric
   * @param fromBaseTimeSeconds first base time wanted
   */
  public byte[] scanStart(int bucket, long metric, long fromBaseTimeSeconds) {
    byte[] key = prefix(bucket, metric, TIME_LENGTH);
    putTime(BaseTime.check(fromBaseTimeSeconds), key, key.length - TIME_LENGTH);
    return key;
  }

  /**
   * Row at which that scan stops, exclusive.
   *
   * @param toBaseTimeSeconds first base time no longer wanted, up to {@link #END_OF_TIME}
   * @return the row; empty for the end of the table, as HBase has it
   */
  public byte[] scanStop(int bucket, long metric, long toBaseTimeSeconds) {
    if (toBaseTimeSeconds != END_OF_TIME) {
      return scanStart(bucket, metric, toBaseTimeSeconds);
    }
    byte[] prefix = prefix(bucket, metric, 0);
    for (int i = prefix.length - 1; i >= 0; i--) {
      if (++prefix[i] != 0) {
        return Arrays.copyOf(prefix, i + 1);
      }
    }
    return new byte[0];
  }

  private byte[] prefix(int bucket, long metric, int more) {
    byte[] key = new byte[salt.width() + widths.metric() + more];
    salt.put(bucket, key);
    UidRows.put(metric, widths.metric(), key, salt.width());
    return key;
  }

  private static void putTime(long seconds, byte[] key, int at) {
    for (int i = 0; i < TIME_LENGTH; i++) {
      key[at + i] = (byte) (seconds >>> (8 * (TIME_LENGTH - 1 - i)));
    }
  }

  /** Checks that a key is long enough for one tag; where its base time starts. */
  private int timeAt(byte[] rowKey) throws MalformedCellException {
    int least = salt.width() + widths.metric() + TIME_LENGTH + widths.tagk() + widths.tagv();
    if (rowKey.length < least) {
      throw new MalformedCellException(
          rowKey.length,
          "row key must hold a series with a tag: expected="
              + least
              + " or more, found="
              + rowKey.length);
    }
    return salt.width() + widths.metric();
  }
}
