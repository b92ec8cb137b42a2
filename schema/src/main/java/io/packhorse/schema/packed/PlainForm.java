package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_BYTES;
import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_FROM_POINTS;
import static io.packhorse.schema.packed.PackedCellDescriptor.FLAG_PLAIN_SHORT;
import static io.packhorse.schema.packed.PackedCellDescriptor.PLAIN_CHECKED;
import static io.packhorse.schema.packed.PackedCellDescriptor.PLAIN_LONG;
import static io.packhorse.schema.packed.PackedCellDescriptor.VERSION_1;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;

/**
 * Points stored one by one, for blocks of few points or without any pattern (format.md section 9).
 * Time and kind of a point take 14.5 bits, where OpenTSDB's compacted column takes 16: so no cell
 * is larger than that column. Reusable, one instance per thread.
 */
final class PlainForm {
  static final int LONG_MILLISECONDS = 0x01;

  private static final int SHORT_MAX = 14;
  private static final int SHORT_SPILL = 2;
  private static final int SHORT_COUNT_SHIFT = 3;
  private static final int SHORT_COUNT_MASK = 0x0f;
  private static final int LONG_SPILL = 4;
  private static final int LONG_SPILL_SHIFT = 1;

  /** Golomb order of the gaps between points that are not whole seconds. */
  private static final int PART_ORDER = 5;

  private static final int SECONDS = 3600;
  private static final int MS_PER_SECOND = 1000;
  private static final int MS_BITS = 10;
  private static final int GROUP = 4;

  /** Number of value kinds: integers of 1, 2, 4, 8 bytes, float, double. */
  private static final int KINDS = 6;

  private static final int FLOAT = 4;
  private static final int DOUBLE = 5;

  /** By number of digits: bits of a group in base 6 * 3600, and in base 12 * 3600. */
  private static final int[] BITS = {0, 15, 29, 44, 58};

  private static final int[] BITS_MS = {0, 16, 31, 47, 62};

  private final BitSink sink = new BitSink();
  private final BitSource source = new BitSource();
  private byte[] codes = new byte[0];
  private boolean milliseconds;

  /**
   * A lower bound of the size in this form.
   *
   * @param valueBytes lower bound of the size of the values
   */
  static int minBytes(int count, int valueBytes) {
    return 2 + ((count * 58 / 4) >>> 3) + valueBytes;
  }

  /** Count of a short cell. Codes 2 and 3 are unused: flipping one bit could lead to them. */
  static int shortCount(int flags) throws MalformedCellException {
    int code = (flags >>> SHORT_COUNT_SHIFT) & SHORT_COUNT_MASK;
    if (code == 2 || code == 3) {
      throw new MalformedCellException(
          1, "packed cell: flags are not defined: flags=0x" + Integer.toHexString(flags));
    }
    return code < 2 ? code + 1 : code - 1;
  }

  /** Size of the block in this form; keeps the kinds of its values for {@link #write}. */
  int cost(PointBlock block) {
    int count = block.count();
    codes = Scratch.bytes(codes, count);
    int[] offsets = block.offsetsMs();
    boolean small = count <= SHORT_MAX;
    int partBits = 0;
    int bytes = 0;
    int last = -1;
    milliseconds = false;
    for (int i = 0; i < count; i++) {
      int code = codeOf(block.values()[i], block.isDouble()[i]);
      bytes += length(code);
      if (offsets[i] % MS_PER_SECOND != 0) {
        milliseconds = true;
        partBits += MS_BITS;
        if (small) {
          code += KINDS;
        } else {
          partBits += BitSink.golombBits(i - last - 1L, PART_ORDER);
          last = i;
        }
      }
      codes[i] = (byte) code;
    }
    if (milliseconds && !small) {
      partBits += BitSink.golombBits(count - last - 1L, PART_ORDER);
    }
    boolean checked = count >= CHECKSUM_FROM_POINTS;
    int[] groups = milliseconds && small ? BITS_MS : BITS;
    int bits = count / GROUP * groups[GROUP] + groups[count % GROUP] + partBits;
    int spill = small ? SHORT_SPILL : checked ? 0 : LONG_SPILL;
    return 2
        + (small ? 0 : BitPacking.varBytes(count))
        + ((bits - spill + 7) >>> 3)
        + bytes
        + (checked ? CHECKSUM_BYTES : 0);
  }

  private static int codeOf(long bits, boolean isDouble) {
    if (isDouble) {
      return FloatBits.fits(bits) ? FLOAT : DOUBLE;
    }
    // Adds 1 for each of 7, 15 and 31 bits that the magnitude exceeds, without a branch.
    int width = BitPacking.width(bits ^ (bits >> 63));
    return ((7 - width) >>> 31) + ((15 - width) >>> 31) + ((31 - width) >>> 31);
  }

  /** Bytes of a value of this code, with or without milliseconds. */
  private static int length(int code) {
    int kind = code % KINDS;
    return kind == FLOAT ? 4 : kind == DOUBLE ? 8 : 1 << kind;
  }

  /** Appends the block of the last {@link #cost}, all but the checksum. */
  void write(PointBlock block, ByteWriter out) {
    int count = block.count();
    int[] offsets = block.offsetsMs();
    boolean small = count <= SHORT_MAX;
    boolean checked = count >= CHECKSUM_FROM_POINTS;
    out.writeByte(VERSION_1);
    int flagsAt = out.length();
    if (small) {
      int code = count <= 2 ? count - 1 : count + 1;
      out.writeByte(
          FLAG_PLAIN_SHORT
              | code << SHORT_COUNT_SHIFT
              | (milliseconds ? PackedCellDescriptor.FLAG_MILLISECONDS : 0));
    } else {
      out.writeByte(
          checked
              ? PLAIN_CHECKED | (milliseconds ? PackedCellDescriptor.FLAG_MILLISECONDS : 0)
              : PLAIN_LONG | (milliseconds ? LONG_MILLISECONDS : 0));
      out.writeVarInt(count);
    }
    sink.start(out);
    int spilled = writeGroups(offsets, count, small ? SHORT_SPILL : checked ? 0 : LONG_SPILL);
    if (milliseconds) {
      writeParts(offsets, count, small);
    }
    sink.finish();
    out.array()[flagsAt] |= (byte) (small ? spilled : spilled << LONG_SPILL_SHIFT);
    for (int i = 0; i < count; i++) {
      long bits = block.values()[i];
      writeLow(codes[i] % KINDS == FLOAT ? FloatBits.narrow(bits) : bits, length(codes[i]), out);
    }
  }

  /** Appends the digits of all points; returns the spill bits, which are not appended. */
  private int writeGroups(int[] offsets, int count, int spill) {
    boolean marked = milliseconds && count <= SHORT_MAX;
    int[] groups = marked ? BITS_MS : BITS;
    long base = marked ? 2L * KINDS * SECONDS : (long) KINDS * SECONDS;
    int spilled = 0;
    for (int from = 0; from < count; from += GROUP) {
      int size = Math.min(GROUP, count - from);
      long number = 0;
      for (int i = from + size - 1; i >= from; i--) {
        int gap = offsets[i] / MS_PER_SECOND - (i == 0 ? 0 : offsets[i - 1] / MS_PER_SECOND);
        number = number * base + (long) codes[i] * SECONDS + gap;
      }
      int width = groups[size];
      if (from == 0) {
        spilled = (int) number & ((1 << spill) - 1);
        number >>>= spill;
        width -= spill;
      }
      sink.put(number, width);
    }
    return spilled;
  }

  private void writeParts(int[] offsets, int count, boolean small) {
    int last = -1;
    for (int i = 0; i < count; i++) {
      int part = offsets[i] % MS_PER_SECOND;
      if (part != 0) {
        if (!small) {
          sink.putGolomb(i - last - 1L, PART_ORDER);
          last = i;
        }
        sink.put(part, MS_BITS);
      }
    }
    if (!small) {
      sink.putGolomb(count - last - 1L, PART_ORDER);
    }
  }

  private static void writeLow(long bits, int length, ByteWriter out) {
    out.ensureRoom(Long.BYTES);
    BitPacking.store(out.array(), out.length(), bits);
    out.advance(length);
  }

  /**
   * Reads the points of a cell after its header; the block must have room.
   *
   * @return index of the first byte of the values
   */
  int read(ByteReader in, byte[] bytes, HeaderScan header, PointBlock into)
      throws MalformedCellException {
    int count = header.count;
    milliseconds = header.milliseconds;
    boolean small = (header.flags & FLAG_PLAIN_SHORT) != 0;
    codes = Scratch.bytes(codes, count);
    int[] offsets = into.offsetsMs();
    int at = in.position();
    source.start(in, bytes);
    if (small) {
      readGroups(count, true, SHORT_SPILL, header.flags, offsets, at);
    } else {
      int spill = header.checksum ? 0 : LONG_SPILL;
      readGroups(count, false, spill, header.flags >>> LONG_SPILL_SHIFT, offsets, at);
    }
    if (milliseconds) {
      readParts(count, small, offsets, at);
    }
    int last = -1;
    for (int i = 0; i < count; i++) {
      if (offsets[i] <= last) {
        throw new MalformedCellException(
            at, "packed cell: offsets must rise inside the hour: index=" + i);
      }
      last = offsets[i];
    }
    source.finish(in);
    int valuesAt = in.position();
    readValues(in, bytes, count, into);
    return valuesAt;
  }

  private void readParts(int count, boolean small, int[] offsets, int at)
      throws MalformedCellException {
    if (small) {
      for (int i = 0; i < count; i++) {
        if (codes[i] >= KINDS) {
          codes[i] = (byte) (codes[i] - KINDS);
          offsets[i] += readPart(at);
        }
      }
      return;
    }
    int i = 0;
    long gap = source.golomb(PART_ORDER);
    while (gap < count - i) {
      i += (int) gap;
      offsets[i++] += readPart(at);
      gap = source.golomb(PART_ORDER);
    }
    if (gap != count - i) {
      throw new MalformedCellException(
          at, "packed cell: parts must end with the last point: gap=" + gap + ", after=" + (i - 1));
    }
  }

  private int readPart(int at) throws MalformedCellException {
    int part = (int) source.take(MS_BITS);
    if (part == 0 || part >= MS_PER_SECOND) {
      throw new MalformedCellException(
          at, "packed cell: milliseconds must be 1 to 999: found=" + part);
    }
    return part;
  }

  private void readGroups(int count, boolean small, int spill, int spilled, int[] offsets, int at)
      throws MalformedCellException {
    int[] groups = milliseconds && small ? BITS_MS : BITS;
    long base = milliseconds && small ? 2L * KINDS * SECONDS : (long) KINDS * SECONDS;
    int second = 0;
    for (int from = 0; from < count; from += GROUP) {
      int size = Math.min(GROUP, count - from);
      int low = from == 0 ? spill : 0;
      long number = source.take(groups[size] - low) << low | (spilled & ((1 << low) - 1));
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
