package io.packhorse.schema.packed;

import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;
import java.math.BigInteger;

/**
 * The document docs/format.md as a program: written from it alone, for agreement and not for speed.
 * It shares nothing with the codec but the block that points go into.
 */
final class ReferenceDecoder {
  /** What the document says readers reject. */
  static final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1;

    Rejected(String why) {
      super(why);
    }
  }

  private static final int MOST = 65_536;
  private static final int HOUR_MS = 3_600_000;
  private static final int[] STEPS_S = {
    0, 1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1200, 1800
  };
  private static final int[] STEPS_MS = {
    0, 1, 2, 5, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500, 1000, 2000
  };

  private final byte[] cell;
  private int end;
  private int at;
  private long bit;

  private ReferenceDecoder(byte[] cell) {
    this.cell = cell;
    this.end = cell.length;
  }

  /** The points of a cell, or {@link Rejected}. */
  static PointBlock decode(byte[] cell) {
    return new ReferenceDecoder(cell).cell();
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new Rejected(otherwise);
    }
  }

  // Section 3: conventions.

  private int oneByte() {
    check(at < end, "cut");
    return cell[at++] & 0xff;
  }

  private long varlong() {
    long value = 0;
    for (int i = 0; i < 10; i++) {
      int next = oneByte();
      check(i < 9 || next <= 1, "varint above 64 bits");
      value |= (next & 0x7fL) << (7 * i);
      if (next < 0x80) {
        check(next != 0 || i == 0, "varint not as short as possible");
        return value;
      }
    }
    throw new Rejected("varint too long");
  }

  private int varint() {
    int from = at;
    long value = varlong();
    check(at - from <= 5 && value >= 0 && value < 1L << 31, "varint out of range");
    return (int) value;
  }

  private long zigzag() {
    return unfold(varlong());
  }

  private static long unfold(long folded) {
    return (folded & 1) == 0 ? folded >>> 1 : ~(folded >>> 1);
  }

  private long littleEndian(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) oneByte() << (8 * i);
    }
    return value;
  }

  private void startBits() {
    bit = 8L * at;
  }

  private long bits(int width) {
    long value = 0;
    for (int i = 0; i < width; i++, bit++) {
      check(bit < 8L * end, "bits cut");
      value |= (long) ((cell[(int) (bit >> 3)] >> (bit & 7)) & 1) << i;
    }
    return value;
  }

  private void endBits() {
    while ((bit & 7) != 0) {
      check(bits(1) == 0, "padding");
    }
    at = (int) (bit >> 3);
  }

  private long[] fields(int n, int width) {
    startBits();
    long[] values = new long[n];
    for (int i = 0; i < n; i++) {
      values[i] = bits(width);
    }
    endBits();
    return values;
  }

  private long golomb(int order) {
    int zeros = 0;
    while (bits(1) == 0) {
      zeros++;
      check(zeros + order <= 62, "golomb number too long");
    }
    check(zeros + order <= 62, "golomb number too long");
    return (1L << (zeros + order)) + bits(zeros + order) - (1L << order);
  }

  // Section 4: the cell.

  private PointBlock cell() {
    int mark = oneByte();
    check(mark == 0xA1 || (mark >= 0xC0 && mark <= 0xC6), "first byte");
    int flags = mark == 0xA1 ? oneByte() : mark - 0xC0;
    if (flags >= 0x80 || flags >> 5 == 3 || (flags & 0xFB) == 0x13) {
      return plain(flags);
    }
    int kind = flags & 3;
    check(flags >> 5 == 0 && kind < 3, "flags");
    boolean ms = (flags & 4) != 0;
    int unitMs = ms ? 1 : 1000;
    int hour = HOUR_MS / unitMs;
    int time = oneByte();
    int encoding = time >> 4;
    check(encoding <= 5 && (encoding != 5 || (time & 15) == 0), "time byte");
    int count = 0;
    if (encoding != 0) {
      count = varint();
      check(count >= 1 && count <= MOST, "count");
    }
    int step = 0;
    if (encoding != 5) {
      step = (time & 15) == 0 ? varint() : (ms ? STEPS_MS : STEPS_S)[time & 15];
      check(step >= 1 && step < HOUR_MS, "step");
    }
    if (encoding == 0) {
      count = (hour + step - 1) / step;
      check(count <= MOST, "full hour too full");
    }
    long first = encoding >= 2 && encoding <= 4 ? varint() : 0;
    check(first < hour, "first");
    check(encoding > 2 || first + (count - 1L) * step < hour, "last");
    long[] range = null;
    if ((flags & 8) != 0) {
      if (encoding > 2) {
        long from = varint();
        range = new long[] {from, from + varint()};
        check(range[1] < hour, "range");
      }
      statistics(kind, count);
      int sum = crc(at) & 0xffff;
      check(littleEndian(2) == sum, "check");
    }
    if ((flags & 16) != 0) {
      checksum();
    }
    long[] offsets = offsets(encoding, count, step, first, hour);
    check(range == null || (offsets[0] == range[0] && offsets[count - 1] == range[1]), "range");
    long[] kinds = new long[count];
    long[] values = new long[count];
    if (kind == 2) {
      kinds = run(count, 0);
      int doubles = 0;
      for (long k : kinds) {
        check(k == 0 || k == 1, "kind of a point");
        doubles += (int) k;
      }
      check(doubles > 0 && doubles < count, "one kind only");
      long[] longs = run(count - doubles, 0);
      long[] bits = doubles(doubles);
      for (int i = 0, l = 0, d = 0; i < count; i++) {
        values[i] = kinds[i] == 0 ? longs[l++] : bits[d++];
      }
    } else {
      values = kind == 0 ? run(count, 0) : doubles(count);
    }
    check(at == end, "bytes left over");
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      block.add((int) offsets[i] * unitMs, values[i], kind == 1 || kinds[i] == 1);
    }
    return block;
  }

  /** Section 10, bit by bit. */
  private int crc(int length) {
    int crc = -1;
    for (int i = 0; i < length; i++) {
      crc ^= cell[i] & 0xff;
      for (int k = 0; k < 8; k++) {
        crc = (crc >>> 1) ^ ((crc & 1) == 0 ? 0 : Integer.reverse(0x1EDC6F41));
      }
    }
    return ~crc;
  }

  private void checksum() {
    check(end - 4 >= at, "checksum missing");
    int here = at;
    at = end - 4;
    long found = littleEndian(4);
    at = here;
    end -= 4;
    check((int) found == crc(end), "checksum");
  }

  // Section 5: statistics, read and not used.

  private void statistics(int kind, int count) {
    if (kind == 0) {
      zigzag();
      zigzag();
      varlong();
      varlong();
      zigzag();
      return;
    }
    check(varint() < count, "missing");
    int form = oneByte();
    if (form == 255) {
      littleEndian(8);
      littleEndian(8);
      littleEndian(8);
      littleEndian(8);
    } else {
      check(form <= 15, "form of statistics");
      long q = zigzag();
      mantissa(q);
      mantissa(q + zigzag());
      mantissa(q - zigzag());
      mantissa(q + zigzag());
    }
    littleEndian(8);
  }

  private static long mantissa(long q) {
    check(q >= -(1L << 51) && q < 1L << 51, "mantissa");
    return q;
  }

  // Section 6: offsets.

  private long[] offsets(int encoding, int count, int step, long first, int hour) {
    long[] offsets = new long[count];
    if (encoding <= 2) {
      for (int i = 0; i < count; i++) {
        offsets[i] = first + (long) i * step;
      }
      return offsets;
    }
    if (encoding == 5) {
      offsets = run(count, 0);
    } else {
      int holes = varint();
      check(holes < count, "holes");
      long slot = first;
      int i = 0;
      for (int hole = 0; hole <= holes; hole++) {
        int present = hole < holes ? varint() : count - i;
        int absent = hole < holes ? varint() : 0;
        check(hole == holes || (present >= 1 && present < count - i && absent >= 1), "slots");
        for (int k = 0; k < present; k++, slot += step) {
          check(slot < (encoding == 3 ? hour : 2L * hour), "slot outside");
          offsets[i++] = slot;
        }
        slot += (long) absent * step;
      }
      if (encoding == 4) {
        long[] distances = run(count, 0);
        for (i = 0; i < count; i++) {
          offsets[i] += distances[i];
        }
      }
    }
    for (int i = 0; i < count; i++) {
      check(offsets[i] >= 0 && offsets[i] < hour, "offset outside");
      check(i == 0 || offsets[i] > offsets[i - 1], "offsets must rise");
    }
    return offsets;
  }

  // Section 7: integers.

  private long[] run(int n, int depth) {
    int tag = oneByte();
    check(tag < 32, "tag");
    int order = tag & 3;
    int coder = tag >> 2;
    if (order == 3) {
      check(depth == 0, "nested");
      return switch (coder) {
        case 0 -> dictionary(n);
        case 1 -> runs(n);
        case 2 -> lengths(n);
        default -> throw new Rejected("coder of values");
      };
    }
    check(order < n, "order");
    long first = order > 0 ? zigzag() : 0;
    long slope = order > 1 ? zigzag() : 0;
    int m = n - order;
    long[] residuals =
        switch (coder) {
          case 0 -> repeat(zigzag(), m);
          case 1 -> {
            long min = zigzag();
            yield above(min, fields(m, width()));
          }
          case 2 -> {
            long min = zigzag();
            yield above(min, words(m, radix()));
          }
          case 3 -> blocks(m);
          case 4 -> steps(m);
          default -> throw new Rejected("coder");
        };
    if (order == 0) {
      return residuals;
    }
    long[] values = new long[n];
    values[0] = first;
    if (order == 2) {
      values[1] = first + slope;
    }
    for (int i = order; i < n; i++) {
      values[i] =
          order == 1
              ? values[i - 1] + residuals[i - 1]
              : 2 * values[i - 1] - values[i - 2] + residuals[i - 2];
    }
    return values;
  }

  private static long[] repeat(long value, int n) {
    long[] values = new long[n];
    java.util.Arrays.fill(values, value);
    return values;
  }

  private static long[] above(long min, long[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] += min;
    }
    return values;
  }

  private int width() {
    int width = oneByte();
    check(width <= 64, "width");
    return width;
  }

  private int radix() {
    int radix = varint();
    check(radix >= 3 && radix <= 1_048_576, "radix");
    return radix;
  }

  private static int wordWidth(BigInteger power) {
    int width = 0;
    while (BigInteger.ONE.shiftLeft(width).subtract(power).compareTo(power.shiftRight(10)) <= 0) {
      width++;
    }
    return width;
  }

  private long[] words(int n, int radix) {
    BigInteger r = BigInteger.valueOf(radix);
    int k = 0;
    int w = 0;
    for (int some = 1; some <= 51; some++) {
      int width = wordWidth(r.pow(some));
      if (width <= 51 && width + r.bitLength() <= 62 && (k == 0 || width * k < w * some)) {
        k = some;
        w = width;
      }
    }
    long[] values = new long[n];
    startBits();
    for (int i = 0; i < n; i += k) {
      int numbers = Math.min(k, n - i);
      int width = numbers == k ? w : wordWidth(r.pow(numbers));
      BigInteger x = BigInteger.valueOf(bits(width));
      for (int j = 0; j < numbers; j++) {
        BigInteger p = x.multiply(r);
        values[i + j] = p.shiftRight(width).longValueExact();
        x = p.mod(BigInteger.ONE.shiftLeft(width));
      }
    }
    endBits();
    return values;
  }

  private long[] blocks(int m) {
    long[] residuals = new long[m];
    for (int from = 0; from < m; from += 128) {
      int size = Math.min(128, m - from);
      System.arraycopy(block(size), 0, residuals, from, size);
    }
    return residuals;
  }

  private long[] block(int m) {
    int form = oneByte();
    if (form == 65) {
      long min = zigzag();
      return above(min, words(m, radix()));
    }
    if (form == 66) {
      long min = zigzag();
      return above(min, fields(m, width()));
    }
    check(form <= 64 || (form >= 128 && form <= 191), "block byte");
    int width = form & 127;
    long[] folded = fields(m, width);
    if (form >= 128) {
      int patches = oneByte();
      check(patches >= 1 && patches <= 32 && patches <= m, "outliers");
      int[] places = new int[patches];
      for (int i = 0; i < patches; i++) {
        places[i] = oneByte();
        check(places[i] < m && (i == 0 || places[i] > places[i - 1]), "place of an outlier");
      }
      for (int place : places) {
        long high = varlong();
        check(high != 0 && (width == 0 || high >>> (64 - width) == 0), "outlier");
        folded[place] |= high << width;
      }
    }
    for (int i = 0; i < m; i++) {
      folded[i] = unfold(folded[i]);
    }
    return folded;
  }

  private long[] steps(int m) {
    int form = oneByte();
    long common = (form & 128) != 0 ? zigzag() : 0;
    int v = (form >> 3) & 15;
    int steps = varint();
    check(steps >= 1 && steps <= m, "steps");
    long[] residuals = repeat(common, m);
    startBits();
    long place = -1;
    for (int i = 0; i < steps; i++) {
      long gap = golomb(form & 7);
      check(gap < m - place - 1, "step outside");
      place += gap + 1;
      long d = v == 0 ? (bits(1) == 0 ? 1 : -1) : unfold(golomb(4 * (v - 1)) + 1);
      residuals[(int) place] = common + d;
    }
    endBits();
    return residuals;
  }

  private int parts(int n) {
    int parts = varint();
    check(parts >= 1 && parts <= n, "parts");
    return parts;
  }

  private long[] dictionary(int n) {
    long[] entries = run(parts(n), 1);
    long[] values = run(n, 1);
    for (int i = 0; i < n; i++) {
      check(values[i] >= 0 && values[i] < entries.length, "id");
      values[i] = entries[(int) values[i]];
    }
    return values;
  }

  private long[] runs(int n) {
    long[] each = run(parts(n), 1);
    long[] lengths = run(each.length, 1);
    long[] values = new long[n];
    int filled = 0;
    for (int i = 0; i < each.length; i++) {
      check(lengths[i] >= 0 && lengths[i] < n - filled, "length of a run");
      for (long k = 0; k <= lengths[i]; k++) {
        values[filled++] = each[i];
      }
    }
    check(filled == n, "runs too short");
    return values;
  }

  private long[] lengths(int n) {
    long[] values = fields(n, 3);
    for (int i = 0; i < n; i++) {
      int bytes = (int) values[i] + 1;
      values[i] = signed(littleEndian(bytes), bytes);
    }
    return values;
  }

  private static long signed(long value, int bytes) {
    return value << (64 - 8 * bytes) >> (64 - 8 * bytes);
  }

  // Section 8: doubles.

  private long[] doubles(int n) {
    int tag = oneByte();
    int form = tag & 15;
    int e = tag >> 4;
    check(form <= 6 && (form < 4 || e == 0), "tag of doubles");
    int s = form >= 5 ? oneByte() : 0;
    check(form < 5 || (s >= 1 && s <= 63), "low bits");
    long[] values = run(n, 0);
    if (form < 4) {
      double power = Double.parseDouble("1e" + e);
      for (int i = 0; i < n; i++) {
        double value = mantissa(values[i]) / power;
        values[i] = Double.doubleToRawLongBits(form < 2 ? value : (double) (float) value);
      }
      if (form % 2 == 1) {
        others(values);
      }
      return values;
    }
    long[] low = form == 6 ? fields(n, s) : new long[n];
    for (int i = 0; i < n; i++) {
      long ones = form == 5 && values[i] < 0 ? (1L << s) - 1 : low[i];
      long ordered = (values[i] << s) | ones;
      values[i] = ordered < 0 ? ordered ^ Long.MAX_VALUE : ordered;
    }
    return values;
  }

  private void others(long[] values) {
    int others = varint();
    check(others >= 1 && others <= values.length, "others");
    long[] places = run(others, 0);
    for (int i = 0; i < others; i++) {
      check(places[i] >= 0 && places[i] < values.length, "place of another");
      check(i == 0 || places[i] > places[i - 1], "places must rise");
      values[(int) places[i]] = littleEndian(8);
    }
  }

  // Section 9: the plain form.

  private PointBlock plain(int flags) {
    boolean small = flags >= 0x80;
    boolean checked = flags < 0x20;
    int count;
    int spillBits = checked ? 0 : small ? 2 : 4;
    int spill = small ? flags & 3 : checked ? 0 : (flags >> 1) & 15;
    boolean ms = (flags & (small || checked ? 4 : 1)) != 0;
    if (small) {
      int m = (flags >> 3) & 15;
      check(m != 2 && m != 3, "flags");
      count = m < 2 ? m + 1 : m - 1;
    } else {
      count = varint();
      check(count >= 1 && count <= MOST, "count");
    }
    if (checked) {
      checksum();
    }
    long base = small && ms ? 43_200 : 21_600;
    int[] widths = small && ms ? new int[] {16, 31, 47, 62} : new int[] {15, 29, 44, 58};
    int[] codes = new int[count];
    int[] offsets = new int[count];
    startBits();
    long second = 0;
    for (int from = 0; from < count; from += 4) {
      int size = Math.min(4, count - from);
      int left = from == 0 ? spillBits : 0;
      long number = (bits(widths[size - 1] - left) << left) | (from == 0 ? spill : 0);
      for (int i = from; i < from + size; i++, number /= base) {
        codes[i] = (int) ((number % base) / 3600);
        second += (number % base) % 3600;
        check(second < 3600, "second outside");
        offsets[i] = (int) second * 1000;
      }
      check(number == 0, "digits above the base");
    }
    if (ms) {
      long next = small ? 0 : golomb(5);
      for (int i = 0; i < count; i++) {
        if (small ? codes[i] >= 6 : next == i) {
          long part = bits(10);
          check(part >= 1 && part <= 999, "milliseconds");
          offsets[i] += (int) part;
          long gap = small ? 0 : golomb(5);
          check(gap < count - i, "parts beyond the count");
          next = i + gap + 1;
        }
      }
      check(small || next == count, "parts beyond the count");
    }
    endBits();
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      check(i == 0 || offsets[i] > offsets[i - 1], "offsets must rise");
      int kind = codes[i] % 6;
      int bytes = new int[] {1, 2, 4, 8, 4, 8}[kind];
      long value = signed(littleEndian(bytes), bytes);
      block.add(offsets[i], kind == 4 ? FloatBits.widen((int) value) : value, kind >= 4);
    }
    check(at == end, "bytes left over");
    return block;
  }
}
