package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;

/**
 * Runs of integers and doubles as in packed cells (format.md sections 7 and 8), for other things
 * that are stored. Reusable, one instance per thread.
 */
public final class NumberRuns {
  private final IntegerWriter integerWriter = new IntegerWriter();
  private final DoubleWriter doubleWriter = new DoubleWriter(integerWriter);
  private final IntegerReader integerReader = new IntegerReader();
  private final DoubleReader doubleReader = new DoubleReader(integerReader);

  /** Appends {@code values[0, count)}, which are only read; count at least 1. */
  public void writeIntegers(long[] values, int count, ByteWriter to) {
    integerWriter.write(values, count, to);
  }

  /** Appends the doubles with raw bits {@code bits[0, count)}; count at least 1. */
  public void writeDoubles(long[] bits, int count, ByteWriter to) {
    doubleWriter.write(bits, count, to);
  }

  /**
   * A copy of bytes that the readers here can read from.
   *
   * @param to index after the last byte
   */
  public static byte[] readable(byte[] bytes, int to) {
    return Arrays.copyOf(bytes, to + BitPacking.SLACK);
  }

  /**
   * Reads {@code count} integers into {@code values[0, count)}.
   *
   * @param bytes the array behind {@code from}, made by {@link #readable}
   */
  public void readIntegers(ByteReader from, byte[] bytes, int count, long[] values)
      throws MalformedCellException {
    if (from.remaining() == 0) {
      throw new MalformedCellException(from.position(), "a run must have a byte or more");
    }
    integerReader.read(from, bytes, count, values);
  }

  /** As {@link #readIntegers} for doubles as raw bits. */
  public void readDoubles(ByteReader from, byte[] bytes, int count, long[] bits)
      throws MalformedCellException {
    doubleReader.read(from, bytes, count, bits);
  }
}
