package io.packhorse.spark;

import io.packhorse.loader.pack.SavedHour;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;

/**
 * How packed hours travel between tasks: as arrays of bytes, because Spark would write the name of
 * a class with each object. While an input is read, a record is a kind and what that kind holds; in
 * the shuffle it is a key and a value.
 */
final class HourRecord {
  /**
   * A packed hour: number of the input, number of the record, series, hour, points, packed cell.
   */
  static final byte HOUR = 0;

  /** A piece of the file of rejected lines. */
  static final byte REJECTS = 1;

  /** The last record of an input: a serialized {@link io.packhorse.loader.load.SpreadReading}. */
  static final byte END = 2;

  private static final int HOUR_HEADER_BYTES = 1 + 5 * Integer.BYTES;

  /** Input and record number behind the row key: the order in which the points arrived. */
  private static final int ORDER_BYTES = 2 * Integer.BYTES;

  private static final int VALUE_HEADER_BYTES = 3 * Integer.BYTES;

  private HourRecord() {}

  /** A record that a task of reading emits. */
  static byte[] hour(int input, int number, int series, int hour, int points, byte[] cell) {
    return ByteBuffer.allocate(HOUR_HEADER_BYTES + cell.length)
        .put(HOUR)
        .putInt(input)
        .putInt(number)
        .putInt(series)
        .putInt(hour)
        .putInt(points)
        .put(cell)
        .array();
  }

  /** Any other record. */
  static byte[] of(byte kind, byte[] content) {
    return ByteBuffer.allocate(1 + content.length).put(kind).put(content).array();
  }

  static byte kind(byte[] record) {
    return record[0];
  }

  static byte[] content(byte[] record) {
    return Arrays.copyOfRange(record, 1, record.length);
  }

  static int input(byte[] hour) {
    return ByteBuffer.wrap(hour).getInt(1);
  }

  static int series(byte[] hour) {
    return ByteBuffer.wrap(hour).getInt(1 + 2 * Integer.BYTES);
  }

  static int hourOf(byte[] hour) {
    return ByteBuffer.wrap(hour).getInt(1 + 3 * Integer.BYTES);
  }

  /** The key of an hour in the shuffle. */
  static byte[] key(byte[] rowKey, byte[] hour) {
    return ByteBuffer.allocate(rowKey.length + ORDER_BYTES)
        .put(rowKey)
        .put(hour, 1, ORDER_BYTES)
        .array();
  }

  /** The value of an hour in the shuffle; its series has the number that the load gave it. */
  static byte[] value(int series, byte[] hour) {
    int from = 1 + 3 * Integer.BYTES;
    return ByteBuffer.allocate(Integer.BYTES + hour.length - from)
        .putInt(series)
        .put(hour, from, hour.length - from)
        .array();
  }

  static byte[] rowKey(byte[] key) {
    return Arrays.copyOf(key, key.length - ORDER_BYTES);
  }

  static boolean sameRow(byte[] key, byte[] other) {
    return Arrays.equals(key, 0, key.length - ORDER_BYTES, other, 0, other.length - ORDER_BYTES);
  }

  static SavedHour saved(byte[] value) {
    ByteBuffer from = ByteBuffer.wrap(value);
    return new SavedHour(
        from.getInt(),
        from.getInt(),
        from.getInt(),
        Arrays.copyOfRange(value, VALUE_HEADER_BYTES, value.length));
  }

  /** Row keys as HBase orders them, then the order of arrival. A row key may begin another one. */
  enum KeyOrder implements Comparator<byte[]> {
    INSTANCE;

    @Override
    public int compare(byte[] left, byte[] right) {
      int leftRow = left.length - ORDER_BYTES;
      int rightRow = right.length - ORDER_BYTES;
      int byRow = Arrays.compareUnsigned(left, 0, leftRow, right, 0, rightRow);
      return byRow != 0
          ? byRow
          : Arrays.compareUnsigned(left, leftRow, left.length, right, rightRow, right.length);
    }
  }
}
