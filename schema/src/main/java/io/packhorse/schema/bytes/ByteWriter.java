package io.packhorse.schema.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Growable, reusable buffer of bytes; the counterpart of {@link ByteReader}.
 *
 * <p>{@link #array} is the buffer itself, valid up to {@link #length} and until the next write: a
 * finished cell can be passed on, or a range filled by the caller ({@link #ensureRoom}, write,
 * {@link #advance}), without a copy. For one thread.
 */
public final class ByteWriter {
  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_LE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Largest array that every JVM can allocate. */
  private static final int LENGTH_MAX = Integer.MAX_VALUE - 8;

  private static final int VAR_INT_MAX = 5;
  private static final int VAR_LONG_MAX = 10;

  private byte[] bytes;
  private int length;

  /**
   * @param capacity initial room in bytes, 0 or more
   */
  public ByteWriter(int capacity) {
    bytes = new byte[capacity];
  }

  /** Number of bytes written since the start or the last {@link #reset}. */
  public int length() {
    return length;
  }

  /** The buffer itself; bytes from {@link #length} on are undefined. */
  public byte[] array() {
    return bytes;
  }

  /** Removes all bytes; the array is kept. */
  public void reset() {
    length = 0;
  }

  /**
   * Removes the bytes from index {@code to} on.
   *
   * @param to 0 to {@link #length}
   */
  public void truncate(int to) {
    Objects.checkIndex(to, length + 1);
    length = to;
  }

  /** Writes the low eight bits. */
  public void writeByte(int value) {
    ensureRoom(1);
    bytes[length++] = (byte) value;
  }

  /**
   * Writes canonical unsigned LEB128, 1 to 5 bytes.
   *
   * @param value 0 to 2^31 - 1
   */
  public void writeVarInt(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("varint must be 0 to 2^31 - 1: value=" + value);
    }
    ensureRoom(VAR_INT_MAX);
    int rest = value;
    while (rest > 0x7f) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /**
   * Writes canonical unsigned LEB128, 1 to 10 bytes; a negative value stands for 2^63 and above.
   */
  public void writeVarLong(long value) {
    ensureRoom(VAR_LONG_MAX);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /** Writes a signed number, small magnitudes short; see {@link ByteReader#readZigZagLong}. */
  public void writeZigZagLong(long value) {
    writeVarLong((value << 1) ^ (value >> 63));
  }

  /** Writes four bytes, lowest first. */
  public void writeIntLE(int value) {
    ensureRoom(4);
    INT_LE.set(bytes, length, value);
    length += 4;
  }

  /** Writes eight bytes, lowest first. */
  public void writeLongLE(long value) {
    ensureRoom(8);
    LONG_LE.set(bytes, length, value);
    length += 8;
  }

  /** Copies {@code count} bytes of {@code source} from index {@code from} on. */
  public void writeBytes(byte[] source, int from, int count) {
    ensureRoom(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
  }

  /**
   * Makes room for {@code count} more bytes, so that a caller may write them into {@link #array}
   * from index {@link #length} on. May replace the array.
   *
   * @param count 0 or more
   */
  public void ensureRoom(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("room must be 0 or more bytes: count=" + count);
    }
    if (count > bytes.length - length) {
      grow(count);
    }
  }

  /**
   * Adds {@code count} bytes, which the caller wrote into {@link #array} from {@link #length} on.
   *
   * @param count 0 up to the room made
   */
  public void advance(int count) {
    if (count < 0 || count > bytes.length - length) {
      throw new IllegalArgumentException(
          "advance must stay in the room made: count="
              + count
              + ", room="
              + (bytes.length - length));
    }
    length += count;
  }

  /** A copy of the bytes written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  private void grow(int count) {
    if (count > LENGTH_MAX - length) {
      throw new IllegalStateException(
          "byte buffer must stay below 2 GiB: length=" + length + ", more=" + count);
    }
    long wanted = Math.max(length + count, bytes.length + (bytes.length >> 1) + 16L);
    bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, LENGTH_MAX));
  }
}
