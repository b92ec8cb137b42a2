package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.unzigzag;
import static io.packhorse.schema.packed.BitPacking.zigzag;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;

/**
 * Residuals by how often they occur: a range coder (rANS) with a static table of frequencies, two
 * states in turns (format.md section 7.6). Residuals go into classes, single numbers near the
 * centre and four to an octave farther out, whose low bits are stored as they are; so one scheme
 * serves a walk of cents and the low bits of doubles.
 *
 * <p>Reusable, one instance a thread.
 */
final class EntropyCode {
  static final int CLASSES = 268;

  /** Classes of one number each. */
  private static final int DIRECT = 32;

  private static final int DIRECT_WIDTH = 5;

  private static final int TOTAL_BITS = 12;
  private static final int TOTAL = 1 << TOTAL_BITS;

  /** States stay in [STATE_MIN, 2^32); both end at STATE_MIN, which is checked. */
  private static final long STATE_MIN = 1 << 16;

  /** Weight codes are quarter octaves: 1 is the weight 4, 48 the weight 14,336. */
  private static final int WEIGHT_CODE_MAX = 48;

  private final int[] counts = new int[CLASSES];
  private final int[] frequency = new int[CLASSES];
  private final int[] start = new int[CLASSES];
  private final long[] codes = new long[CLASSES];

  /**
   * For each of the 4,096 slots: class in bits 0-8, offset in its class from 9, frequency from 32.
   */
  private long[] slots = new long[0];

  private final BitSink sink = new BitSink();
  private final BitSource source = new BitSource();
  private short[] classes = new short[0];
  private short[] words = new short[0];

  private static int classOf(long unsigned) {
    if (unsigned >= 0 && unsigned < DIRECT) {
      return (int) unsigned;
    }
    int octave = BitPacking.width(unsigned) - 1;
    return DIRECT + (octave - DIRECT_WIDTH) * 4 + ((int) (unsigned >>> (octave - 2)) & 3);
  }

  private static int lowBits(int classNumber) {
    return classNumber < DIRECT ? 0 : ((classNumber - DIRECT) >> 2) + DIRECT_WIDTH - 2;
  }

  private static long least(int classNumber) {
    return classNumber < DIRECT ? classNumber : (4L | (classNumber & 3)) << lowBits(classNumber);
  }

  /** Weight of a code: 0, then 4, 5, 6, 7, 8, 10, 12, 14, 16, ... */
  private static int weight(long code) {
    return code == 0 ? 0 : (4 + (((int) code - 1) & 3)) << (((int) code - 1) >> 2);
  }

  private static int codeOf(long weight) {
    int code = 1;
    while (code < WEIGHT_CODE_MAX && weight(code) + weight(code + 1) <= 2 * weight) {
      code++;
    }
    return code;
  }

  /** Appends {@code r[0, count)}; the table through {@code table}. */
  void write(long[] r, int count, IntegerWriter table, ByteWriter out) {
    classes = Scratch.shorts(classes, count);
    words = Scratch.shorts(words, count);
    long centre = centre(r, count);
    Arrays.fill(counts, 0);
    for (int i = 0; i < count; i++) {
      int classNumber = classOf(zigzag(r[i] - centre));
      classes[i] = (short) classNumber;
      counts[classNumber]++;
    }
    int first = 0;
    while (counts[first] == 0) {
      first++;
    }
    int last = CLASSES - 1;
    while (counts[last] == 0) {
      last--;
    }
    for (int i = first; i <= last; i++) {
      codes[i - first] =
          counts[i] == 0 ? 0 : codeOf(Math.max(1, counts[i] * 14336L / Math.max(3600, count)));
    }
    out.writeZigZagLong(centre);
    out.writeVarInt(first);
    out.writeVarInt(last - first + 1);
    table.write(codes, last - first + 1, out);
    spread(first, last - first + 1);
    writeStates(count, out);
    sink.start(out);
    for (int i = 0; i < count; i++) {
      int low = lowBits(classes[i]);
      if (low > 0) {
        sink.put(zigzag(r[i] - centre) & ((1L << low) - 1), low);
      }
    }
    sink.finish();
  }

  /** The middle of a few residuals, 0 if that is as good. */
  private static long centre(long[] r, int count) {
    long a = r[count >> 2];
    long b = r[count >> 1];
    long c = r[(count >> 1) + (count >> 2)];
    long middle = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    long spread = Math.max(a, Math.max(b, c)) - Math.min(a, Math.min(b, c));
    return Math.abs(middle) <= Math.abs(spread) * 2 ? 0 : middle;
  }

  private void writeStates(int count, ByteWriter out) {
    long even = STATE_MIN;
    long odd = STATE_MIN;
    int at = 0;
    for (int i = count - 1; i >= 0; i--) {
      int classNumber = classes[i];
      long f = frequency[classNumber];
      long state = (i & 1) == 0 ? even : odd;
      if (state >= f << (32 - TOTAL_BITS)) {
        words[at++] = (short) state;
        state >>>= 16;
      }
      int quotient = Integer.divideUnsigned((int) state, (int) f);
      long rest = state - quotient * f;
      state = ((long) quotient << TOTAL_BITS) + rest + start[classNumber];
      if ((i & 1) == 0) {
        even = state;
      } else {
        odd = state;
      }
    }
    out.writeIntLE((int) even);
    out.writeIntLE((int) odd);
    while (at > 0) {
      short word = words[--at];
      out.writeByte(word & 0xff);
      out.writeByte((word >> 8) & 0xff);
    }
  }

  /** Frequencies that sum to 4,096 from the weight codes; false if the codes allow none. */
  private boolean spread(int first, int used) {
    Arrays.fill(frequency, 0);
    long sum = 0;
    int heaviest = 0;
    for (int i = 0; i < used; i++) {
      sum += weight(codes[i]);
      heaviest = codes[i] > codes[heaviest] ? i : heaviest;
    }
    if (sum == 0) {
      return false;
    }
    int total = 0;
    for (int i = 0; i < used; i++) {
      int weight = weight(codes[i]);
      if (weight != 0) {
        frequency[first + i] = Math.max(1, (int) ((long) weight * TOTAL / sum));
        total += frequency[first + i];
      }
    }
    frequency[first + heaviest] += TOTAL - total;
    int at = 0;
    for (int i = 0; i < CLASSES; i++) {
      start[i] = at;
      at += frequency[i];
    }
    return frequency[first + heaviest] > 0;
  }

  /** Reads {@code count} residuals into {@code r[from, ...)}. */
  void read(ByteReader in, byte[] bytes, long[] r, int from, int count, IntegerReader table)
      throws MalformedCellException {
    long centre = in.readZigZagLong();
    int at = in.position();
    int first = in.readVarInt();
    int used = in.readVarInt();
    if (used < 1 || used > CLASSES - first) {
      throw new MalformedCellException(
          at, "packed cell: classes must be 1 to 268: first=" + first + ", count=" + used);
    }
    table.read(in, bytes, used, codes);
    for (int i = 0; i < used; i++) {
      if (codes[i] < 0 || codes[i] > WEIGHT_CODE_MAX) {
        throw new MalformedCellException(
            at, "packed cell: weight code must be 0 to 48: code=" + codes[i]);
      }
    }
    if (!spread(first, used)) {
      throw new MalformedCellException(at, "packed cell: weights leave no frequencies");
    }
    fillSlots();
    readStates(in, bytes, r, from, count);
    source.start(in, bytes);
    for (int i = from; i < from + count; i++) {
      int classNumber = (int) r[i];
      int low = lowBits(classNumber);
      long unsigned = least(classNumber) + (low == 0 ? 0 : source.take(low));
      r[i] = centre + unzigzag(unsigned);
    }
    source.finish(in);
  }

  private void fillSlots() {
    if (slots.length == 0) {
      slots = new long[TOTAL];
    }
    for (int i = 0; i < CLASSES; i++) {
      long entry = (long) frequency[i] << 32 | i;
      for (int offset = 0; offset < frequency[i]; offset++) {
        slots[start[i] + offset] = entry | (long) offset << 9;
      }
    }
  }

  private void readStates(ByteReader in, byte[] bytes, long[] r, int from, int count)
      throws MalformedCellException {
    int at = in.position();
    long even = in.readIntLE() & 0xffff_ffffL;
    long odd = in.readIntLE() & 0xffff_ffffL;
    if (even < STATE_MIN || odd < STATE_MIN) {
      throw new MalformedCellException(at, "packed cell: coder state must be at least 65536");
    }
    int next = in.position();
    int last = next + in.remaining();
    int end = from + count;
    for (int i = from; i < end; i++) {
      long slot = slots[(int) even & (TOTAL - 1)];
      r[i] = slot & 0x1ff;
      long state = (slot >>> 32) * (even >>> TOTAL_BITS) + ((slot >>> 9) & 0xfff);
      if (state < STATE_MIN) {
        if (last - next < 2) {
          throw new MalformedCellException(
              next, "packed cell: coder words end too early: residual=" + (i - from));
        }
        state = state << 16 | (BitPacking.load(bytes, next) & 0xffff);
        next += 2;
      }
      even = odd;
      odd = state;
    }
    if (even != STATE_MIN || odd != STATE_MIN) {
      throw new MalformedCellException(at, "packed cell: coder states must end at 65536");
    }
    in.skip(next - in.position());
  }
}
