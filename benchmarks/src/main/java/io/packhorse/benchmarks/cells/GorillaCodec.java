package io.packhorse.benchmarks.cells;

import io.packhorse.schema.cell.PointBlock;

/**
 * Gorilla, from the paper (Pelkonen et al., VLDB 2015, section 4.1): delta of delta of the times
 * and XOR of the values, point by point in one string of bits.
 *
 * <p>Times are in seconds where all are whole ones, else in milliseconds, and count from the hour:
 * the paper's 64 bits of block time are left out, as the row key has them. The first delta takes 14
 * bits, as in the paper, or 22 of milliseconds. A delta of delta of 2,048 and more takes 32 bits;
 * its smaller classes are the paper's. A block begins with 2 bits for unit and kind and 17 for the
 * count.
 *
 * <p>Integers are stored as the doubles of equal value where all of a block are below 2^53, which
 * suits XOR better, else by their bits.
 */
final class GorillaCodec implements CellCodec<byte[]> {
  private static final int COUNT_BITS = 17;
  private static final int FIRST_SECONDS_BITS = 14;
  private static final int FIRST_MILLIS_BITS = 22;

  /** Leading zeros are told in five bits. */
  private static final int LEADING_MAX = 31;

  private static final long DOUBLE_MAX = 1L << 53;

  private final BitString sink = new BitString();
  private final BitScan scan = new BitScan();

  @Override
  public String system() {
    return "gorilla";
  }

  @Override
  public byte[] encode(PointBlock block) {
    int count = block.count();
    int[] offsets = block.offsetsMs();
    long[] bits = block.values();
    int unitMs = wholeSeconds(offsets, count) ? 1000 : 1;
    boolean asDoubles = block.doubles() == 0 && areExactDoubles(bits, count);
    sink.reset();
    sink.write(unitMs == 1 ? 1 : 0, 1);
    sink.write(asDoubles ? 1 : 0, 1);
    sink.write(count, COUNT_BITS);

    int time = offsets[0] / unitMs;
    long value = asDoubles ? Double.doubleToRawLongBits((double) bits[0]) : bits[0];
    sink.write(time, unitMs == 1 ? FIRST_MILLIS_BITS : FIRST_SECONDS_BITS);
    sink.write(value, Long.SIZE);
    int delta = time;
    int leading = Long.SIZE;
    int trailing = 0;
    for (int i = 1; i < count; i++) {
      int nextTime = offsets[i] / unitMs;
      int nextDelta = nextTime - time;
      writeTime(nextDelta - delta);
      time = nextTime;
      delta = nextDelta;

      long next = asDoubles ? Double.doubleToRawLongBits((double) bits[i]) : bits[i];
      long xor = next ^ value;
      value = next;
      if (xor == 0) {
        sink.write(0, 1);
        continue;
      }
      int xorLeading = Math.min(LEADING_MAX, Long.numberOfLeadingZeros(xor));
      int xorTrailing = Long.numberOfTrailingZeros(xor);
      if (xorLeading >= leading && xorTrailing >= trailing) {
        sink.write(0b10, 2);
      } else {
        leading = xorLeading;
        trailing = xorTrailing;
        int width = Long.SIZE - leading - trailing;
        // A width of 64 is written as 0: there is no width 0.
        sink.write(0b11L << 11 | leading << 6 | (width & 63), 13);
      }
      sink.write(xor >>> trailing, Long.SIZE - leading - trailing);
    }
    return sink.toByteArray();
  }

  private void writeTime(int change) {
    if (change == 0) {
      sink.write(0, 1);
    } else if (change >= -63 && change <= 64) {
      sink.write(0b10L << 7 | (change + 63), 9);
    } else if (change >= -255 && change <= 256) {
      sink.write(0b110L << 9 | (change + 255), 12);
    } else if (change >= -2047 && change <= 2048) {
      sink.write(0b1110L << 12 | (change + 2047), 16);
    } else {
      sink.write(0b1111, 4);
      sink.write(change, Integer.SIZE);
    }
  }

  private int readTime() {
    int ones = Long.numberOfLeadingZeros(~scan.peek());
    return switch (ones) {
      case 0 -> {
        scan.skip(1);
        yield 0;
      }
      case 1 -> {
        scan.skip(2);
        yield (int) scan.read(7) - 63;
      }
      case 2 -> {
        scan.skip(3);
        yield (int) scan.read(9) - 255;
      }
      case 3 -> {
        scan.skip(4);
        yield (int) scan.read(12) - 2047;
      }
      default -> {
        scan.skip(4);
        yield (int) scan.readSigned(Integer.SIZE);
      }
    };
  }

  @Override
  public void decode(byte[] stored, PointBlock into) {
    scan.reset(stored);
    int unitMs = scan.read(1) == 1 ? 1 : 1000;
    boolean asDoubles = scan.read(1) == 1;
    int count = (int) scan.read(COUNT_BITS);
    into.ensureCapacity(count);
    int[] offsets = into.offsetsMs();
    long[] bits = into.values();
    int time = (int) scan.read(unitMs == 1 ? FIRST_MILLIS_BITS : FIRST_SECONDS_BITS);
    long value = scan.read(Long.SIZE);
    int delta = time;
    int width = 0;
    int trailing = 0;
    offsets[0] = time * unitMs;
    bits[0] = asDoubles ? (long) Double.longBitsToDouble(value) : value;
    for (int i = 1; i < count; i++) {
      delta += readTime();
      time += delta;
      offsets[i] = time * unitMs;

      long control = scan.peek() >>> 62;
      if (control < 2) {
        scan.skip(1);
      } else {
        scan.skip(2);
        if (control == 3) {
          int leading = (int) scan.read(5);
          width = ((int) scan.read(6) - 1 & 63) + 1;
          trailing = Long.SIZE - leading - width;
        }
        value ^= scan.read(width) << trailing;
      }
      bits[i] = asDoubles ? (long) Double.longBitsToDouble(value) : value;
    }
    into.filled(count);
  }

  static boolean wholeSeconds(int[] offsetsMs, int count) {
    for (int i = 0; i < count; i++) {
      if (offsetsMs[i] % 1000 != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean areExactDoubles(long[] values, int count) {
    for (int i = 0; i < count; i++) {
      if (values[i] >= DOUBLE_MAX || values[i] <= -DOUBLE_MAX) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long bytes(byte[] stored) {
    return stored.length;
  }
}
