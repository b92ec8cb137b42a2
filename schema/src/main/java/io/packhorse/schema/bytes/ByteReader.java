package io.packhorse.schema.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Bounds-checked cursor over a range of untrusted bytes.
 *
 * <p>A read outside the range, or of an invalid number, throws {@link MalformedCellException} and
 * leaves the cursor where it was. Positions and reported offsets are indexes into the array, not
 * into the range. The array is only read. For one thread.
 */
public final class ByteReader {
  private static final VarHandle LONG_LE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int to;
  private int position;

  /**
   * @param from index of the first byte to read
   * @param to index after the last
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public ByteReader(byte[] bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.length);
    this.bytes = bytes;
    this.position = from;
    this.to = to;
  }

  /**
   * Moves to another range, so that one reader serves many cells; arguments as of the constructor.
   */
  public void reset(byte[] newBytes, int from, int newTo) {
    Objects.checkFromToIndex(from, newTo, newBytes.length);
    this.bytes = newBytes;
    this.position = from;
    this.to = newTo;
  }

  /** Index in the array of the next byte to read. */
  public int position() {
    return position;
  }

  /** Bytes left to read. */
  public int remaining() {
    return to - position;
  }

  /** The next byte, 0 to 255. */
  public int readByte() throws MalformedCellException {
    require(1);
    return bytes[position++] & 0xff;
  }

  /**
   * A canonical unsigned LEB128 number of at most five bytes: seven bits a byte, lowest first, high
   * bit set on all but the last.
   *
   * @return 0 to 2^31 - 1
   */
  public int readVarInt() throws MalformedCellException {
    require(1);
    int first = bytes[position];
    if (first >= 0) {
      position++;
      return first;
    }
    long value = longerVar(5);
    if (value > Integer.MAX_VALUE) {
      throw new MalformedCellException(
          position, "varint must be below 2^31: value=" + Long.toUnsignedString(value));
    }
    position += varLength(value);
    return (int) value;
  }

  /**
   * A canonical unsigned LEB128 number of at most ten bytes, see {@link #readVarInt}.
   *
   * @return all 64 bits; negative stands for 2^63 and above
   */
  public long readVarLong() throws MalformedCellException {
    require(1);
    int first = bytes[position];
    if (first >= 0) {
      position++;
      return first;
    }
    long value = longerVar(10);
    position += varLength(value);
    return value;
  }

  /** A signed number: zigzag (0, -1, 1, -2, ...) over {@link #readVarLong}. */
  public long readZigZagLong() throws MalformedCellException {
    long folded = readVarLong();
    return (folded >>> 1) ^ -(folded & 1);
  }

  /** Eight bytes, lowest first. */
  public long readLongLE() throws MalformedCellException {
    require(8);
    long value = (long) LONG_LE.get(bytes, position);
    position += 8;
    return value;
  }

  /** Skips {@code count} bytes, 0 or more; a negative count is malformed too. */
  public void skip(int count) throws MalformedCellException {
    if (count < 0) {
      throw new MalformedCellException(position, "length must be 0 or more: length=" + count);
    }
    require(count);
    position += count;
  }

  /** Checks that the whole range was read. */
  public void expectEnd() throws MalformedCellException {
    if (position != to) {
      throw new MalformedCellException(
          position, "bytes left over after the last field: expected=0, found=" + (to - position));
    }
  }

  private void require(int count) throws MalformedCellException {
    if (count > to - position) {
      throw new MalformedCellException(
          position, "cell ends too early: expected=" + count + ", found=" + (to - position));
    }
  }

  /** Value of the varint of two bytes or more at the cursor, which does not move. */
  private long longerVar(int bytesMax) throws MalformedCellException {
    long value = 0;
    int last = Math.min(bytesMax, to - position);
    for (int i = 0; i < last; i++) {
      int next = bytes[position + i];
      value |= (next & 0x7fL) << (7 * i);
      if (next >= 0) {
        if (next == 0) {
          throw new MalformedCellException(
              position,
              "varint must be as short as possible: its last byte is 0, length=" + (i + 1));
        }
        if (i == 9 && next > 1) {
          throw new MalformedCellException(
              position, "varint must fit in 64 bits: last byte=" + next);
        }
        return value;
      }
    }
    if (last == bytesMax) {
      throw new MalformedCellException(
          position, "varint must end within " + bytesMax + " bytes: length>" + bytesMax);
    }
    throw new MalformedCellException(
        position, "cell ends inside a varint: expected=" + (last + 1) + " or more, found=" + last);
  }

  private static int varLength(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }
}
