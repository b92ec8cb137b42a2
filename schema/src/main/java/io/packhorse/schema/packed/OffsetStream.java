package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;

/**
 * The offsets of a cell's points from the base time, in the cell's unit: a time byte, then what its
 * encoding needs (format.md section 5). A regular hour takes one byte.
 *
 * <p>One instance serves one thread.
 */
final class OffsetStream {
  /** Offsets 0, step, 2 step, ... */
  static final int REGULAR_FROM_BASE = 0;

  /** First offset as a varint, then one step each. */
  static final int REGULAR = 1;

  /** First offset, then runs of present and absent slots of one step, beginning with present. */
  static final int HOLES = 2;

  /** The offsets themselves as an {@link IntegerStream}; no step. */
  static final int LIST = 3;

  /** Steps by code, in the unit of the cell; code 0 means a varint step follows. */
  private static final int[] SECONDS = {0, 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800};

  private static final int[] MILLISECONDS = {
    0, 1, 2, 5, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500
  };

  private static final int MS_PER_SECOND = 1000;

  private final IntegerStream integers;
  private long[] scratch = new long[3600];

  OffsetStream(IntegerStream integers) {
    this.integers = integers;
  }

  /** Whether all offsets are whole seconds, so that the cell's unit is the second. */
  static boolean wholeSeconds(int[] offsetsMs, int count) {
    for (int i = 0; i < count; i++) {
      if (offsetsMs[i] % MS_PER_SECOND != 0) {
        return false;
      }
    }
    return true;
  }

  /** Appends the time byte and the offsets; count at least 1, offsets strictly rising. */
  void write(int[] offsetsMs, int count, boolean milliseconds, ByteWriter out) {
    int unitMs = milliseconds ? 1 : MS_PER_SECOND;
    int first = offsetsMs[0] / unitMs;
    if (count == 1) {
      writeRegular(first, 1, milliseconds, out);
      return;
    }
    int leastMs = Integer.MAX_VALUE;
    boolean regular = true;
    int stepMs = offsetsMs[1] - offsetsMs[0];
    for (int i = 1; i < count; i++) {
      int deltaMs = offsetsMs[i] - offsetsMs[i - 1];
      leastMs = Math.min(leastMs, deltaMs);
      regular &= deltaMs == stepMs;
    }
    if (regular) {
      writeRegular(first, stepMs / unitMs, milliseconds, out);
      return;
    }
    int start = out.length();
    writeList(offsetsMs, count, unitMs, out);
    int holesBytes = holesBytes(offsetsMs, count, first, leastMs, unitMs, milliseconds);
    if (holesBytes <= out.length() - start) {
      out.truncate(start);
      writeHoles(offsetsMs, count, first, leastMs, unitMs, milliseconds, out);
    }
  }

  private static void writeRegular(int first, int step, boolean milliseconds, ByteWriter out) {
    writeTimeByte(first == 0 ? REGULAR_FROM_BASE : REGULAR, step, milliseconds, out);
    if (first != 0) {
      out.writeVarInt(first);
    }
  }

  private static void writeTimeByte(int encoding, int step, boolean milliseconds, ByteWriter out) {
    int code = stepCode(step, milliseconds);
    out.writeByte(encoding << 4 | code);
    if (code == 0) {
      out.writeVarInt(step);
    }
  }

  private void writeList(int[] offsetsMs, int count, int unitMs, ByteWriter out) {
    if (scratch.length < count) {
      scratch = new long[count];
    }
    for (int i = 0; i < count; i++) {
      scratch[i] = offsetsMs[i] / unitMs;
    }
    out.writeByte(LIST << 4);
    integers.write(scratch, count, out);
  }

  /** Exact size of the HOLES form, or a size no list has if the steps are not multiples. */
  private static int holesBytes(
      int[] offsetsMs, int count, int first, int stepMs, int unitMs, boolean milliseconds) {
    int step = stepMs / unitMs;
    int bytes =
        1 + (stepCode(step, milliseconds) == 0 ? varIntBytes(step) : 0) + varIntBytes(first);
    int present = 1;
    for (int i = 1; i < count; i++) {
      int deltaMs = offsetsMs[i] - offsetsMs[i - 1];
      if (deltaMs == stepMs) {
        present++;
      } else if (deltaMs % stepMs != 0) {
        return Integer.MAX_VALUE;
      } else {
        bytes += varIntBytes(present) + varIntBytes(deltaMs / stepMs - 1);
        present = 1;
      }
    }
    return bytes + varIntBytes(present);
  }

  private static void writeHoles(
      int[] offsetsMs,
      int count,
      int first,
      int stepMs,
      int unitMs,
      boolean milliseconds,
      ByteWriter out) {
    writeTimeByte(HOLES, stepMs / unitMs, milliseconds, out);
    out.writeVarInt(first);
    int present = 1;
    for (int i = 1; i < count; i++) {
      int deltaMs = offsetsMs[i] - offsetsMs[i - 1];
      if (deltaMs == stepMs) {
        present++;
      } else {
        out.writeVarInt(present);
        out.writeVarInt(deltaMs / stepMs - 1);
        present = 1;
      }
    }
    out.writeVarInt(present);
  }

  private static int stepCode(int step, boolean milliseconds) {
    int[] steps = milliseconds ? MILLISECONDS : SECONDS;
    for (int code = 1; code < steps.length; code++) {
      if (steps[code] == step) {
        return code;
      }
    }
    return 0;
  }

  private static int varIntBytes(int value) {
    return Math.max(1, (BitPacking.width(value) + 6) / 7);
  }

  /**
   * Reads {@code count} offsets into {@code offsetsMs[0, count)}.
   *
   * @param bytes the array behind {@code in}
   * @param scratch room for {@code count} values, overwritten
   */
  static void read(
      ByteReader in, byte[] bytes, int count, boolean milliseconds, long[] scratch, int[] offsetsMs)
      throws MalformedCellException {
    int unitMs = milliseconds ? 1 : MS_PER_SECOND;
    int at = in.position();
    int timeByte = in.readByte();
    int encoding = timeByte >>> 4;
    if (encoding > LIST || (encoding == LIST && timeByte != LIST << 4)) {
      throw new MalformedCellException(
          at, "packed cell: unknown time byte: found=0x" + Integer.toHexString(timeByte));
    }
    if (encoding == LIST) {
      IntegerStream.read(in, bytes, count, scratch);
      copyList(scratch, count, unitMs, at, offsetsMs);
      return;
    }
    int step = readStep(in, timeByte & 0x0f, milliseconds, at);
    long first = encoding == REGULAR_FROM_BASE ? 0 : in.readVarInt();
    if (encoding == HOLES) {
      readHoles(in, count, first, step, unitMs, offsetsMs);
      return;
    }
    checkInHour(first + (count - 1L) * step, unitMs, at);
    int offset = (int) first * unitMs;
    int stepMs = step * unitMs;
    for (int i = 0; i < count; i++) {
      offsetsMs[i] = offset + i * stepMs;
    }
  }

  private static int readStep(ByteReader in, int code, boolean milliseconds, int at)
      throws MalformedCellException {
    int[] steps = milliseconds ? MILLISECONDS : SECONDS;
    if (code >= steps.length) {
      throw new MalformedCellException(
          at, "packed cell: step code must be 0 to " + (steps.length - 1) + ": code=" + code);
    }
    int step = code == 0 ? in.readVarInt() : steps[code];
    if (step < 1 || step >= PointBlock.HOUR_MS) {
      throw new MalformedCellException(
          at, "packed cell: step must be at least 1 and inside the hour: step=" + step);
    }
    return step;
  }

  private static void readHoles(
      ByteReader in, int count, long first, int step, int unitMs, int[] offsetsMs)
      throws MalformedCellException {
    long offset = first;
    int i = 0;
    while (true) {
      int at = in.position();
      int present = in.readVarInt();
      if (present < 1 || present > count - i) {
        throw new MalformedCellException(
            at,
            "packed cell: run of points must be 1 to what is left: run="
                + present
                + ", left="
                + (count - i));
      }
      checkInHour(offset + (present - 1L) * step, unitMs, at);
      for (int end = i + present; i < end; i++, offset += step) {
        offsetsMs[i] = (int) offset * unitMs;
      }
      if (i == count) {
        return;
      }
      at = in.position();
      int absent = in.readVarInt();
      if (absent < 1) {
        throw new MalformedCellException(
            at, "packed cell: hole must not be empty: slots=" + absent);
      }
      offset += (long) absent * step;
      checkInHour(offset, unitMs, at);
    }
  }

  private static void copyList(long[] offsets, int count, int unitMs, int at, int[] offsetsMs)
      throws MalformedCellException {
    long last = -1;
    long end = PointBlock.HOUR_MS / unitMs;
    for (int i = 0; i < count; i++) {
      long offset = offsets[i];
      if (offset <= last || offset >= end) {
        throw new MalformedCellException(
            at,
            "packed cell: offsets must rise inside the hour: index="
                + i
                + ", offset="
                + offset
                + ", last="
                + last);
      }
      last = offset;
      offsetsMs[i] = (int) offset * unitMs;
    }
  }

  private static void checkInHour(long offset, int unitMs, int at) throws MalformedCellException {
    if (offset >= PointBlock.HOUR_MS / unitMs) {
      throw new MalformedCellException(
          at, "packed cell: last offset must lie inside the hour: offset=" + offset);
    }
  }
}
