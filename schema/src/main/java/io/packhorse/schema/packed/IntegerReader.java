package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.IntegerRun.BLOCKS;
import static io.packhorse.schema.packed.IntegerRun.CODER_SHIFT;
import static io.packhorse.schema.packed.IntegerRun.CONSTANT;
import static io.packhorse.schema.packed.IntegerRun.DICTIONARY;
import static io.packhorse.schema.packed.IntegerRun.FIELDS;
import static io.packhorse.schema.packed.IntegerRun.LENGTHS;
import static io.packhorse.schema.packed.IntegerRun.OF_VALUES;
import static io.packhorse.schema.packed.IntegerRun.ORDER_MASK;
import static io.packhorse.schema.packed.IntegerRun.RADIX;
import static io.packhorse.schema.packed.IntegerRun.RUNS;
import static io.packhorse.schema.packed.IntegerRun.STEPS;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs of integers of known count (format.md section 7). Time and memory are proportional to
 * the count, which the caller has bounded, whatever the bytes.
 *
 * <p>Reusable, one instance per thread.
 */
final class IntegerReader {
  private static final int SUMMED_RADIX = RADIX << CODER_SHIFT | 1;
  private static final int SUMMED_BLOCKS = BLOCKS << CODER_SHIFT | 1;

  /** Reader of nested runs; null in that reader itself, since runs nest one level deep. */
  private final @Nullable IntegerReader nested;

  private final Steps steps = new Steps();
  private long[] parts = new long[0];

  /** A reader for the runs of a cell. */
  IntegerReader() {
    this(new IntegerReader(null));
  }

  private IntegerReader(@Nullable IntegerReader nested) {
    this.nested = nested;
  }

  /**
   * Reads {@code count} values into {@code values[0, count)}.
   *
   * @param bytes the array behind {@code in}, with {@link BitPacking#SLACK} bytes after its end
   */
  void read(ByteReader in, byte[] bytes, int count, long[] values) throws MalformedCellException {
    // The most common runs are summed as they are read. This is separate because inside the general
    // method below it takes a third longer.
    int tag = bytes[in.position()];
    if ((tag == SUMMED_RADIX || tag == SUMMED_BLOCKS) && count > 1) {
      in.skip(1);
      long first = in.readZigZagLong();
      values[0] = first;
      if (tag == SUMMED_BLOCKS) {
        MiniBlocks.readSums(in, bytes, values, 1, count - 1, first);
      } else {
        long min = in.readZigZagLong();
        int radix = MiniBlocks.readRadix(in);
        RadixWords.unpackSums(in, bytes, count - 1, min, radix, first, values, 1);
      }
      return;
    }
    sum(values, count, readDifferences(in, bytes, count, values));
  }

  /**
   * As {@link #read}, but leaves the summing of differences to the caller.
   *
   * @return order of the differences in {@code values[0, count)}, to be given to {@link #sum}: 0, 1
   *     or 2
   */
  int readDifferences(ByteReader in, byte[] bytes, int count, long[] values)
      throws MalformedCellException {
    int at = in.position();
    int tag = in.readByte();
    int order = tag & ORDER_MASK;
    int coder = tag >>> CODER_SHIFT;
    if (order == OF_VALUES) {
      readValues(in, bytes, count, values, coder, at);
      return 0;
    }
    if (count <= order) {
      throw new MalformedCellException(
          at, "packed cell: order must be below the count: order=" + order + ", count=" + count);
    }
    for (int i = 0; i < order; i++) {
      values[i] = in.readZigZagLong();
    }
    int residuals = count - order;
    switch (coder) {
      case CONSTANT -> Arrays.fill(values, order, count, in.readZigZagLong());
      case FIELDS -> {
        long min = in.readZigZagLong();
        int width = MiniBlocks.readWidth(in);
        BitPacking.unpack(in, bytes, residuals, min, width, values, order);
      }
      case RADIX -> {
        long min = in.readZigZagLong();
        int radix = MiniBlocks.readRadix(in);
        RadixWords.unpack(in, bytes, residuals, radix, values, order);
        BitPacking.add(values, order, count, min);
      }
      case BLOCKS -> MiniBlocks.read(in, bytes, values, order, residuals);
      case STEPS -> steps.read(in, bytes, values, order, residuals);
      default ->
          throw new MalformedCellException(
              at, "packed cell: unknown integer encoding: found=0x" + Integer.toHexString(tag));
    }
    return order;
  }

  /** Replaces the differences of {@link #readDifferences} by the values. */
  static void sum(long[] values, int count, int order) {
    switch (order) {
      case 1 -> sum(values, count);
      case 2 -> sumTwice(values, count);
      default -> {
        // Order 0: these are the values.
      }
    }
  }

  private static void sum(long[] values, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value += values[i];
      values[i] = value;
    }
  }

  private static void sumTwice(long[] values, int count) {
    long value = values[0];
    long step = 0;
    for (int i = 1; i < count; i++) {
      step += values[i];
      value += step;
      values[i] = value;
    }
  }

  private void readValues(ByteReader in, byte[] bytes, int count, long[] values, int coder, int at)
      throws MalformedCellException {
    if (nested == null) {
      throw new MalformedCellException(
          at, "packed cell: a nested run must not be of order 3: coder=" + coder);
    }
    switch (coder) {
      case DICTIONARY -> readDictionary(in, bytes, count, values, nested);
      case RUNS -> readRuns(in, bytes, count, values, nested);
      case LENGTHS -> ByteLengths.read(in, bytes, count, values);
      default ->
          throw new MalformedCellException(at, "packed cell: unknown value coder: coder=" + coder);
    }
  }

  private void readDictionary(
      ByteReader in, byte[] bytes, int count, long[] values, IntegerReader reader)
      throws MalformedCellException {
    int entries = readPartCount(in, count);
    reader.read(in, bytes, entries, parts);
    int idsAt = in.position();
    reader.read(in, bytes, count, values);
    long[] dictionary = parts;
    for (int i = 0; i < count; i++) {
      long id = values[i];
      if (id < 0 || id >= entries) {
        throw new MalformedCellException(
            idsAt, "packed cell: id must be below the dictionary's size: id=" + id);
      }
      values[i] = dictionary[(int) id];
    }
  }

  private void readRuns(ByteReader in, byte[] bytes, int count, long[] values, IntegerReader reader)
      throws MalformedCellException {
    int runs = readPartCount(in, count);
    reader.read(in, bytes, runs, parts);
    int lengthsAt = in.position();
    reader.read(in, bytes, runs, values);
    long total = 0;
    for (int i = 0; i < runs; i++) {
      long length = values[i];
      if (length < 0 || length >= count) {
        throw new MalformedCellException(
            lengthsAt,
            "packed cell: lengths of runs must sum to the count: run=" + i + ", length=" + length);
      }
      total += length + 1;
    }
    if (total != count) {
      throw new MalformedCellException(
          lengthsAt, "packed cell: lengths of runs must sum to the count: sum=" + total);
    }
    // From the last run backwards, so that no length is overwritten before it is used.
    int end = count;
    for (int i = runs - 1; i >= 0; i--) {
      int from = end - (int) values[i] - 1;
      Arrays.fill(values, from, end, parts[i]);
      end = from;
    }
  }

  private int readPartCount(ByteReader in, int count) throws MalformedCellException {
    int at = in.position();
    int entries = in.readVarInt();
    if (entries < 1 || entries > count) {
      throw new MalformedCellException(
          at, "packed cell: number of entries or runs must be 1 to the count: found=" + entries);
    }
    parts = Scratch.longs(parts, entries);
    return entries;
  }
}
