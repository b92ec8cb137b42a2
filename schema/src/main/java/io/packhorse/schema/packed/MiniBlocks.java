package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.bytes;
import static io.packhorse.schema.packed.BitPacking.varBytes;
import static io.packhorse.schema.packed.BitPacking.width;
import static io.packhorse.schema.packed.BitPacking.zigzag;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;

/**
 * Residuals in blocks of 128, each in its own form (format.md section 7.2): zigzag fields, zigzag
 * fields with outliers, fields above a minimum, or radix words.
 */
final class MiniBlocks {
  /** Residuals per block, fewer in the last; 64, 128 and 256 differ by at most 1.5 % in size. */
  static final int SIZE = 128;

  /** Block bytes 0 to 64 are the width of zigzag fields. */
  private static final int RADIX = 65;

  private static final int FRAME = 66;

  /** Zigzag fields with outliers: this plus the width, 0 to 63. */
  private static final int PATCHED = 128;

  private static final int PATCHES_MAX = 32;

  /** Above this radix the fraction of a bit that radix words save is not worth the trial. */
  private static final int BLOCK_RADIX_MAX = 1024;

  /**
   * Radix words take three times as long to read as fields: they must save more than {@code size >>
   * 4} bytes.
   */
  private static final int RADIX_PAYS_SHIFT = 4;

  private static final long TOP_BYTE_ONE = 1L << 56;

  /** Width of the zigzag form of a residual of one byte. */
  private static final int BYTE_WIDTH = Byte.SIZE;

  /**
   * By the low byte of such a residual: a 1 in byte {@code width - 1} of the word, or 0 for width
   * 0.
   */
  private static final long[] WIDTH_ONE = new long[1 << BYTE_WIDTH];

  static {
    for (int residual = Byte.MIN_VALUE; residual <= Byte.MAX_VALUE; residual++) {
      int width = width(zigzag(residual));
      WIDTH_ONE[residual & 0xff] = width == 0 ? 0 : 1L << ((width - 1) << 3);
    }
  }

  /** Number of residuals by the width of their zigzag form. */
  private final int[] byWidth = new int[65];

  private int form;

  /** Size in bytes of {@code r[from, to)}, with its min and max; keeps the form it is of. */
  int cost(long[] r, int from, int to, long min, long max) {
    int count = to - from;
    int width = width(zigzag(min) | zigzag(max));
    int best = 1 + bytes(count, width);
    form = width;
    long range = max - min;
    int minBytes = varBytes(zigzag(min));
    int frame = 2 + minBytes + bytes(count, width(range));
    if (frame < best) {
      best = frame;
      form = FRAME;
    }
    if (width > 1 && fewAreWide(r, from, to, width)) {
      best = patchedCost(r, from, to, width, best);
    }
    if (range > 1 && range < BLOCK_RADIX_MAX) {
      int radix = (int) range + 1;
      int cost = 1 + minBytes + varBytes(radix) + RadixWords.bytes(radix, count);
      if (cost + (best >> RADIX_PAYS_SHIFT) < best) {
        best = cost;
        form = RADIX;
      }
    }
    return best;
  }

  /** Whether at most one in 16 of the sampled residuals needs the full width. */
  private static boolean fewAreWide(long[] r, int from, int to, int width) {
    int step = Math.max(1, (to - from) >>> 4);
    int wide = 0;
    int seen = 0;
    for (int i = from; i < to; i += step, seen++) {
      wide += zigzag(r[i]) >>> (width - 1) != 0 ? 1 : 0;
    }
    return wide * 16 <= seen;
  }

  private int patchedCost(long[] r, int from, int to, int widest, int bestSoFar) {
    int lowest = countWidths(r, from, to, widest);
    int best = bestSoFar;
    int patches = 0;
    int highBytes = 0;
    int count = to - from;
    for (int width = widest - 1; width >= lowest; width--) {
      patches += byWidth[width + 1];
      if (patches > PATCHES_MAX) {
        break;
      }
      // Outliers that had 0, 7, 14, ... bits above the fields now need another varint byte.
      for (int wide = width + 1; wide <= widest; wide += 7) {
        highBytes += byWidth[wide];
      }
      int cost = 2 + patches + highBytes + bytes(count, width);
      if (cost < best) {
        best = cost;
        form = PATCHED + width;
      }
    }
    return best;
  }

  /**
   * Counts residuals by width, down to the width that would have more than {@link #PATCHES_MAX}
   * outliers.
   *
   * @return smallest width counted
   */
  private int countWidths(long[] r, int from, int to, int widest) {
    // The counts of the eight largest widths are bytes of one register: no stores that depend on
    // each other.
    if (widest <= BYTE_WIDTH) {
      long counts = 0;
      for (int i = from; i < to; i++) {
        counts += WIDTH_ONE[(int) r[i] & 0xff];
      }
      takeCounts(counts, 1, widest);
      return 0;
    }
    int lowest = widest - Long.BYTES + 1;
    long floor = 1L << (lowest - 1);
    long counts = 0;
    for (int i = from; i < to; i++) {
      // The shift is modulo 64: one byte lower for each further leading zero.
      counts += TOP_BYTE_ONE >>> (Long.numberOfLeadingZeros(zigzag(r[i]) | floor) << 3);
    }
    // Move the count of the lowest width to the lowest byte.
    counts = Long.rotateLeft(counts, (1 - lowest) << 3);
    if (to - from - (int) (counts & 0xff) <= PATCHES_MAX) {
      java.util.Arrays.fill(byWidth, 0);
      for (int i = from; i < to; i++) {
        byWidth[width(zigzag(r[i]))]++;
      }
      return 0;
    }
    takeCounts(counts, lowest, widest);
    return lowest;
  }

  /** Unpacks the byte counts of the widths from {@code lowest} on. */
  private void takeCounts(long counts, int lowest, int widest) {
    long left = counts;
    for (int width = lowest; width <= widest; width++) {
      byWidth[width] = (int) left & 0xff;
      left >>>= 8;
    }
  }

  /** Block byte of the last {@link #cost}. */
  int form() {
    return form;
  }

  /** Appends the block in a form that {@link #cost} found for it. */
  static void write(long[] r, int from, int to, long min, long max, int form, ByteWriter out) {
    out.writeByte(form);
    if (form == RADIX) {
      int radix = (int) (max - min) + 1;
      out.writeZigZagLong(min);
      out.writeVarInt(radix);
      RadixWords.pack(r, from, to, min, radix, out);
    } else if (form == FRAME) {
      int width = width(max - min);
      out.writeZigZagLong(min);
      out.writeByte(width);
      BitPacking.pack(r, from, to, min, width, out);
    } else if (form >= PATCHED) {
      writePatched(r, from, to, form - PATCHED, out);
    } else {
      BitPacking.packZigzag(r, from, to, form, out);
    }
  }

  private static void writePatched(long[] r, int from, int to, int width, ByteWriter out) {
    BitPacking.packZigzag(r, from, to, width, out);
    out.ensureRoom(1 + SIZE);
    byte[] bytes = out.array();
    int first = out.length() + 1;
    int next = first;
    // Each index is stored, and kept if it is that of an outlier: no branch to mispredict.
    long max = (1L << width) - 1;
    long shift = (max + 1) >>> 1;
    for (int i = from; i < to; i++) {
      long field = r[i] + shift;
      bytes[next] = (byte) (i - from);
      next += (int) ((field | (max - field)) >>> 63);
    }
    bytes[first - 1] = (byte) (next - first);
    out.advance(next - first + 1);
    for (int at = first; at < next; at++) {
      out.writeVarLong(zigzag(r[from + (out.array()[at] & 0xff)]) >>> width);
    }
  }

  /** Reads {@code count} residuals into {@code r[from, ...)}. */
  static void read(ByteReader in, byte[] bytes, long[] r, int from, int count)
      throws MalformedCellException {
    int end = from + count;
    for (int at = from; at < end; at += SIZE) {
      int size = Math.min(SIZE, end - at);
      readBlock(in, bytes, r, at, size);
    }
  }

  /** As {@link #read}, but writes running sums, starting from {@code value}. */
  static void readSums(ByteReader in, byte[] bytes, long[] r, int from, int count, long value)
      throws MalformedCellException {
    int end = from + count;
    long sum = value;
    for (int at = from; at < end; at += SIZE) {
      int size = Math.min(SIZE, end - at);
      if (bytes[in.position()] == RADIX) {
        in.skip(1);
        long min = in.readZigZagLong();
        sum = RadixWords.unpackSums(in, bytes, size, min, readRadix(in), sum, r, at);
      } else {
        readBlock(in, bytes, r, at, size);
        sum = sum(r, at, at + size, sum);
      }
    }
  }

  /** Describes a block byte. */
  static String form(int form) {
    return form <= 64
        ? "zigzag fields of " + form + " bits"
        : form == RADIX
            ? "radix words above a minimum"
            : form == FRAME
                ? "fields above a minimum"
                : "zigzag fields of " + (form - PATCHED) + " bits and outliers";
  }

  private static long sum(long[] r, int from, int to, long before) {
    long sum = before;
    for (int i = from; i < to; i++) {
      sum += r[i];
      r[i] = sum;
    }
    return sum;
  }

  private static void readBlock(ByteReader in, byte[] bytes, long[] r, int from, int count)
      throws MalformedCellException {
    int at = in.position();
    int form = in.readByte();
    if (form <= 64) {
      BitPacking.unpackZigzag(in, bytes, count, form, r, from);
    } else if (form == RADIX) {
      long min = in.readZigZagLong();
      RadixWords.unpack(in, bytes, count, readRadix(in), r, from);
      BitPacking.add(r, from, from + count, min);
    } else if (form == FRAME) {
      long min = in.readZigZagLong();
      BitPacking.unpack(in, bytes, count, min, readWidth(in), r, from);
    } else if (form >= PATCHED && form < PATCHED + 64) {
      readPatched(in, bytes, r, from, count, form - PATCHED);
    } else {
      throw new MalformedCellException(at, "packed cell: unknown block byte: found=" + form);
    }
  }

  private static void readPatched(
      ByteReader in, byte[] bytes, long[] r, int from, int count, int width)
      throws MalformedCellException {
    BitPacking.unpackZigzag(in, bytes, count, width, r, from);
    int at = in.position();
    int patches = in.readByte();
    if (patches < 1 || patches > PATCHES_MAX || patches > count) {
      throw new MalformedCellException(
          at, "packed cell: outliers must be 1 to " + PATCHES_MAX + ": count=" + patches);
    }
    int positionsAt = in.position();
    in.skip(patches);
    int last = -1;
    for (int i = 0; i < patches; i++) {
      int position = bytes[positionsAt + i] & 0xff;
      if (position <= last || position >= count) {
        throw new MalformedCellException(
            positionsAt + i,
            "packed cell: outliers must rise inside the block: position=" + position);
      }
      at = in.position();
      long high = in.readVarLong();
      if (high == 0 || width(high) > 64 - width) {
        throw new MalformedCellException(
            at, "packed cell: outlier must be above 0 and fit 64 bits: high=" + high);
      }
      long low = zigzag(r[from + position]);
      r[from + position] = BitPacking.unzigzag(low | high << width);
      last = position;
    }
  }

  /** A radix as a varint. */
  static int readRadix(ByteReader in) throws MalformedCellException {
    int at = in.position();
    int radix = in.readVarInt();
    if (radix < RadixWords.RADIX_MIN || radix > RadixWords.RADIX_MAX) {
      throw new MalformedCellException(
          at, "packed cell: radix must be 3 to 1048576: radix=" + radix);
    }
    return radix;
  }

  /** A field width as a byte. */
  static int readWidth(ByteReader in) throws MalformedCellException {
    int at = in.position();
    int width = in.readByte();
    if (width > 64) {
      throw new MalformedCellException(
          at, "packed cell: field width must be 0 to 64: width=" + width);
    }
    return width;
  }
}
