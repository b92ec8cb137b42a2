package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_BYTES;
import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_FROM_POINTS;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_PLAIN_SHORT;
import static io.packhorse.schema.packed.PackedCellDescriptor.PLAIN_LONG;
import static io.packhorse.schema.packed.PackedCellDescriptor.VERSION_1;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;

/**
 * Points one by one, for blocks of a few points or of nothing in common (format.md section 9): 14.5
 * bits of time and kind a point where OpenTSDB's compacted column has 16, so that no cell is larger
 * than that column. Reusable, one instance a thread.
 */
final class PlainForm {
  static final int SHORT_MILLISECONDS = 0x10;
  static final int LONG_MILLISECONDS = 0x01;

  private static final int SHORT_MAX = 16;
  private static final int SHORT_SPILL = 2;
  private static final int SHORT_SPILL_SHIFT = 5;
  private static final int LONG_SPILL = 4;
  private static final int LONG_SPILL_SHIFT = 1;

  private static final int SECONDS = 3600;
  private static final int MS_PER_SECOND = 1000;
  private static final int MS_BITS = 10;
  private static final int GROUP = 4;

  /** Kinds of value by code: integers of 1, 2, 4, 8 bytes, float, double. */
  private static final int KINDS = 6;

  private static final int FLOAT = 4;
  private static final int DOUBLE = 5;

  /** Bits of a group of so many digits below 6 * 3600, and below 12 * 3600. */
  private static final int[] BITS = {0, 15, 29, 44, 58};

  private static final int[] BITS_MS = {0, 16, 31, 47, 62};

  private final BitSink sink = new BitSink();
  private final BitSource source = new BitSource();
  private byte[] codes = new byte[0];
  private boolean milliseconds;

  /** A bound that the size of no block in this form falls below. */
  static int leastBytes(int count) {
    return 2 + ((count * 58 / 4) >>> 3) + count;
  }

  /** Bytes of the block in this form; remembers the kinds of its values. */
  int cost(PointBlock block) {
    int count = block.count();
    if (codes.length < count) {
      codes = new byte[count];
    }
    int[] offsets = block.offsetsMs();
    int odd = 0;
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      int code = codeOf(block.values()[i], block.isDouble()[i]);
      bytes += length(code);
      if (offsets[i] % MS_PER_SECOND != 0) {
        code += KINDS;
        odd++;
      }
      codes[i] = (byte) code;
    }
    milliseconds = odd > 0;
    int[] groups = milliseconds ? BITS_MS : BITS;
    int bits = count / GROUP * groups[GROUP] + groups[count % GROUP] + odd * MS_BITS;
    boolean small = count <= SHORT_MAX;
    return 2
        + (small ? 0 : BitPacking.varBytes(count))
        + ((bits - (small ? SHORT_SPILL : LONG_SPILL) + 7) >>> 3)
        + bytes
        + (count >= CHECKSUM_FROM_POINTS ? CHECKSUM_BYTES : 0);
  }

  private static int codeOf(long bits, boolean isDouble) {
    if (isDouble) {
      return FloatBits.fits(bits) ? FLOAT : DOUBLE;
    }
    return bits == (byte) bits ? 0 : bits == (short) bits ? 1 : bits == (int) bits ? 2 : 3;
  }

  /** Bytes of a value of this code, of either time. */
  private static int length(int code) {
    int kind = code % KINDS;
    return kind == FLOAT ? 4 : kind == DOUBLE ? 8 : 1 << kind;
  }

  /** Appends the block of the last {@link #cost}, all but the checksum. */
  void write(PointBlock block, ByteWriter out) {
    int count = block.count();
    int[] offsets = block.offsetsMs();
    int[] groups = milliseconds ? BITS_MS : BITS;
    long base = milliseconds ? 2L * KINDS * SECONDS : (long) KINDS * SECONDS;
    boolean small = count <= SHORT_MAX;
    int spill = small ? SHORT_SPILL : LONG_SPILL;
    out.writeByte(VERSION_1);
    int flagsAt = out.length();
    out.writeByte(
        small
            ? FLAG_PLAIN_SHORT | (milliseconds ? SHORT_MILLISECONDS : 0) | (count - 1)
            : PLAIN_LONG | (milliseconds ? LONG_MILLISECONDS : 0));
    if (!small) {
      out.writeVarInt(count);
    }
    sink.start(out);
    for (int from = 0; from < count; from += GROUP) {
      int size = Math.min(GROUP, count - from);
      long number = 0;
      for (int i = from + size - 1; i >= from; i--) {
        int gap = offsets[i] / MS_PER_SECOND - (i == 0 ? 0 : offsets[i - 1] / MS_PER_SECOND);
        number = number * base + (long) codes[i] * SECONDS + gap;
      }
      int width = groups[size];
      if (from == 0) {
        int low = (int) number & ((1 << spill) - 1);
        out.array()[flagsAt] |= (byte) (low << (small ? SHORT_SPILL_SHIFT : LONG_SPILL_SHIFT));
        number >>>= spill;
        width -= spill;
      }
      sink.put(number, width);
    }
    if (milliseconds) {
      for (int i = 0; i < count; i++) {
        if (codes[i] >= KINDS) {
          sink.put(offsets[i] % MS_PER_SECOND, MS_BITS);
        }
      }
    }
    sink.finish();
    for (int i = 0; i < count; i++) {
      long bits = block.values()[i];
      writeLow(codes[i] % KINDS == FLOAT ? FloatBits.narrow(bits) : bits, length(codes[i]), out);
    }
  }

  private static void writeLow(long bits, int length, ByteWriter out) {
    out.ensureRoom(Long.BYTES);
    BitPacking.store(out.array(), out.length(), bits);
    out.advance(length);
  }

  /** Reads the points of a cell whose header was read; the block has room. */
  void read(ByteReader in, byte[] bytes, HeaderScan header, PointBlock into)
      throws MalformedCellException {
    int count = header.count;
    milliseconds = header.milliseconds;
    boolean small = (header.flags & FLAG_PLAIN_SHORT) != 0;
    int spill = small ? SHORT_SPILL : LONG_SPILL;
    int low =
        (header.flags >>> (small ? SHORT_SPILL_SHIFT : LONG_SPILL_SHIFT)) & ((1 << spill) - 1);
    if (codes.length < count) {
      codes = new byte[count];
    }
    int[] offsets = into.offsetsMs();
    int at = in.position();
    source.start(in, bytes);
    readGroups(header, spill, low, offsets, at);
    int last = -1;
    for (int i = 0; i < count; i++) {
      if (codes[i] >= KINDS) {
        int part = (int) source.take(MS_BITS);
        if (part == 0 || part >= MS_PER_SECOND) {
          throw new MalformedCellException(
              at, "packed cell: milliseconds must be 1 to 999: index=" + i + ", found=" + part);
        }
        offsets[i] += part;
        codes[i] = (byte) (codes[i] - KINDS);
      }
      if (offsets[i] <= last) {
        throw new MalformedCellException(
            at, "packed cell: offsets must rise inside the hour: index=" + i);
      }
      last = offsets[i];
    }
    source.finish(in);
    readValues(in, bytes, count, into);
  }

  private void readGroups(HeaderScan header, int spill, int low, int[] offsets, int at)
      throws MalformedCellException {
    int count = header.count;
    int[] groups = milliseconds ? BITS_MS : BITS;
    long base = milliseconds ? 2L * KINDS * SECONDS : (long) KINDS * SECONDS;
    int second = 0;
    for (int from = 0; from < count; from += GROUP) {
      int size = Math.min(GROUP, count - from);
      long number =
          from == 0 ? source.take(groups[size] - spill) << spill | low : source.take(groups[size]);
      for (int i = from; i < from + size; i++) {
        int digit = (int) (number % base);
        number /= base;
        codes[i] = (byte) (digit / SECONDS);
        second += digit % SECONDS;
        if (second >= SECONDS) {
          throw new MalformedCellException(
              at, "packed cell: offsets must rise inside the hour: index=" + i);
        }
        offsets[i] = second * MS_PER_SECOND;
      }
      if (number != 0) {
        throw new MalformedCellException(
            at, "packed cell: digits must fit the base: index=" + from);
      }
    }
  }

  private void readValues(ByteReader in, byte[] bytes, int count, PointBlock into)
      throws MalformedCellException {
    long[] values = into.values();
    boolean[] isDouble = into.isDouble();
    int doubles = 0;
    for (int i = 0; i < count; i++) {
      int code = codes[i];
      int length = length(code);
      int at = in.position();
      in.skip(length);
      int unused = 64 - 8 * length;
      long bits = BitPacking.load(bytes, at) << unused >> unused;
      isDouble[i] = code >= FLOAT;
      doubles += code >= FLOAT ? 1 : 0;
      values[i] = code == FLOAT ? FloatBits.widen((int) bits) : bits;
    }
    into.filledInOrder(count, doubles);
  }
}
