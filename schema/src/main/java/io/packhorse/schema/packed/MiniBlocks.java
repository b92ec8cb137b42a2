package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.bytes;
import static io.packhorse.schema.packed.BitPacking.varBytes;
import static io.packhorse.schema.packed.BitPacking.width;
import static io.packhorse.schema.packed.BitPacking.zigzag;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;

/**
 * Residuals in blocks of 128 whose form changes from block to block (format.md section 7.4): zigzag
 * fields, zigzag fields with outliers beside them, fields above a least value, radix words.
 */
final class MiniBlocks {
  /** Residuals per block, fewer in the last; 64, 128 and 256 differ by at most 1.5 % in size. */
  static final int SIZE = 128;

  /** Block bytes 0 to 64 are the width of zigzag fields. */
  private static final int RADIX = 65;

  private static final int FRAME = 66;

  /** Plus the width, 0 to 63. */
  private static final int PATCHED = 128;

  private static final int PATCHES_MAX = 32;

  /** Radix words save at most a bit a number: above this too little to look. */
  private static final int BLOCK_RADIX_MAX = 1024;

  /** Radix words take three times as long as fields: in fast mode they save a sixteenth or more. */
  private static final int RADIX_PAYS_SHIFT = 4;

  private static final long TOP_BYTE_ONE = 1L << 56;

  /** Widest zigzag form of a residual of one byte. */
  private static final int BYTE_WIDTH = Byte.SIZE;

  /**
   * By the low byte of such a residual: a one in the byte of its width, the lowest being that of
   * width 1; none for 0.
   */
  private static final long[] WIDTH_ONE = new long[1 << BYTE_WIDTH];

  static {
    for (int residual = Byte.MIN_VALUE; residual <= Byte.MAX_VALUE; residual++) {
      int width = width(zigzag(residual));
      WIDTH_ONE[residual & 0xff] = width == 0 ? 0 : 1L << ((width - 1) << 3);
    }
  }

  /** Bits of the outliers above the fields. */
  private final int[] byWidth = new int[65];

  private final boolean compact;
  private int form;

  /**
   * Costs blocks.
   *
   * @param compact whether every byte counts, however long reading takes
   */
  MiniBlocks(boolean compact) {
    this.compact = compact;
  }

  /** Bytes of {@code r[from, to)}, whose least and greatest are given; remembers the form. */
  int cost(long[] r, int from, int to, long least, long greatest) {
    int count = to - from;
    int width = width(zigzag(least) | zigzag(greatest));
    int best = 1 + bytes(count, width);
    form = width;
    long range = greatest - least;
    int leastBytes = varBytes(zigzag(least));
    int frame = 2 + leastBytes + bytes(count, width(range));
    if (frame < best) {
      best = frame;
      form = FRAME;
    }
    if (width > 1 && fewAreWide(r, from, to, width)) {
      best = patchedCost(r, from, to, width, best);
    }
    if (range > 1 && range < BLOCK_RADIX_MAX) {
      int radix = (int) range + 1;
      int cost = 1 + leastBytes + varBytes(radix) + RadixWords.bytes(radix, count);
      if (cost + (compact ? 0 : best >> RADIX_PAYS_SHIFT) < best) {
        best = cost;
        form = RADIX;
      }
    }
    return best;
  }

  /** Whether at most one in sixteen of some of the residuals needs the last bit of the width. */
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
      // Those that had 0, 7, 14 ... bits above the fields now take a byte more.
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
   * Counts residuals by width, as far down as fields with at most {@link #PATCHES_MAX} outliers go.
   *
   * @return least width counted
   */
  private int countWidths(long[] r, int from, int to, int widest) {
    // A byte of one word each for the greatest widths: equal ones in a row do not wait for memory.
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
      // A shift counts modulo 64: a byte further down for each leading zero more.
      counts += TOP_BYTE_ONE >>> (Long.numberOfLeadingZeros(zigzag(r[i]) | floor) << 3);
    }
    // The lowest width to the lowest byte.
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

  /** A byte each to the widths from the lowest on. */
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
  static void write(
      long[] r, int from, int to, long least, long greatest, int form, ByteWriter out) {
    out.writeByte(form);
    if (form == RADIX) {
      int radix = (int) (greatest - least) + 1;
      out.writeZigZagLong(least);
      out.writeVarInt(radix);
      RadixWords.pack(r, from, to, least, radix, out);
    } else if (form == FRAME) {
      int width = width(greatest - least);
      out.writeZigZagLong(least);
      out.writeByte(width);
      BitPacking.pack(r, from, to, least, width, out);
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
    // Each place is stored, and stays if it is one of an outlier: no branch that may go wrong.
    long greatest = (1L << width) - 1;
    long shift = (greatest + 1) >>> 1;
    for (int i = from; i < to; i++) {
      long field = r[i] + shift;
      bytes[next] = (byte) (i - from);
      next += (int) ((field | (greatest - field)) >>> 63);
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

  /** As {@link #read}, each being the step from the one before: sums from {@code value}. */
  static void readSums(ByteReader in, byte[] bytes, long[] r, int from, int count, long value)
      throws MalformedCellException {
    int end = from + count;
    long sum = value;
    for (int at = from; at < end; at += SIZE) {
      int size = Math.min(SIZE, end - at);
      if (bytes[in.position()] == RADIX) {
        in.skip(1);
        long least = in.readZigZagLong();
        sum = RadixWords.unpackSums(in, bytes, size, least, readRadix(in), sum, r, at);
      } else {
        readBlock(in, bytes, r, at, size);
        sum = sum(r, at, at + size, sum);
      }
    }
  }

  /** A block byte in words. */
  static String form(int form) {
    return form <= 64
        ? "zigzag fields of " + form + " bits"
        : form == RADIX
            ? "radix above a least value"
            : form == FRAME
                ? "fields above a least value"
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
      long least = in.readZigZagLong();
      RadixWords.unpack(in, bytes, count, readRadix(in), r, from);
      BitPacking.add(r, from, from + count, least);
    } else if (form == FRAME) {
      long least = in.readZigZagLong();
      BitPacking.unpack(in, bytes, count, least, readWidth(in), r, from);
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
