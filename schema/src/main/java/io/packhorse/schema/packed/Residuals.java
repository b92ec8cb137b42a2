package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.varBytes;
import static io.packhorse.schema.packed.BitPacking.width;
import static io.packhorse.schema.packed.BitPacking.zigzag;

import io.packhorse.schema.bytes.ByteWriter;

/**
 * The residuals of a run (its values, or their differences of order 1 or 2) and their size in each
 * form: constant, fields, radix words, mini-blocks, steps.
 *
 * <p>Reusable, one instance per thread.
 */
final class Residuals {
  /** Blocks costed to predict the size of all. */
  private static final int SAMPLED_BLOCKS = 3;

  /** Pairs of neighbours sampled to predict how many residuals are not 0. */
  private static final int SAMPLED_PAIRS = 32;

  /** Residuals of a block after which a new min or max is rare. */
  private static final int OFTEN_PASSED = 24;

  private static final int STRETCHES = 3;
  private static final int STRETCH = 64;

  /** Runs of fewer values are never called scattered. */
  private static final int SCATTERED_MIN = 1024;

  /** Sums of 64 values of this width fit in a long. */
  private static final int SCATTERED_WIDTH_MAX = 48;

  private final MiniBlocks miniBlocks = new MiniBlocks();
  private final Steps steps = new Steps();
  private long[] own = new long[0];
  private long[] blockMin = new long[0];
  private long[] blockMax = new long[0];
  private byte[] blockForm = new byte[0];

  private long[] r = own;
  private int count;
  private long min;
  private long max;
  private long sum;

  /** Whether min and max of all mini-blocks were computed along with the residuals. */
  private boolean blocksKnown;

  private int form;

  /** The residuals, valid up to {@link #count}. */
  long[] array() {
    return r;
  }

  int count() {
    return count;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }

  /** Sum of the values, modulo 2^64; undefined for differences. */
  long sum() {
    return sum;
  }

  /**
   * Number of residuals other than 0; {@link #count} if more than half of a sample of 32 pairs are,
   * since runs are only tried below {@code count / 3}.
   */
  int changes() {
    // Pairs of neighbours, so that a change at every n-th residual cannot hit the whole sample.
    int seen = 0;
    int changed = 0;
    int step = Math.max(2, count / SAMPLED_PAIRS);
    for (int i = 0; i + 1 < count && step > 2; i += step, seen += 2) {
      changed += change(i) + change(i + 1);
    }
    if (2 * changed > seen) {
      return count;
    }
    int changes = 0;
    for (int i = 0; i < count; i++) {
      changes += change(i);
    }
    return changes;
  }

  /** 1 if the residual is not 0, else 0, without a branch. */
  private int change(int i) {
    return (int) ((r[i] | -r[i]) >>> 63);
  }

  /**
   * Makes {@code values[0, n)} the residuals, and their differences those of another. The array
   * must not change until the residuals are written.
   */
  void ofValues(long[] values, int n, Residuals differences) {
    r = values;
    count = n;
    blocksKnown = false;
    differences.take(n - 1);
    min = values[0];
    max = min;
    sum = min;
    int from = 1;
    while (from < n && takeBlock(values, from, Math.min(n, from + MiniBlocks.SIZE), differences)) {
      from += MiniBlocks.SIZE;
    }
    if (from < n) {
      takeWide(values, from, n, differences);
    }
  }

  /** Makes {@code values[0, n)} the residuals, without differences; otherwise as above. */
  void ofValues(long[] values, int n) {
    r = values;
    count = n;
    blocksKnown = false;
    long low = values[0];
    long high = low;
    long total = 0;
    for (int i = 0; i < n; i++) {
      long value = values[i];
      total += value;
      // Rarely taken.
      if (value < low) {
        low = value;
      }
      if (value > high) {
        high = value;
      }
    }
    min = low;
    max = high;
    sum = total;
  }

  /**
   * Whether differences of order 1 take more bits than the values do, so that none of order 1 or 2
   * are worth computing. True if, over three stretches of 64 values at the start, middle and end,
   * {@code mean(bits(z(step)) - bits(z(value - mean of its stretch))) > 1/8} and more than half of
   * the steps are not 0. bits(z(x)) is the width of the zigzag form.
   */
  static boolean scattered(long[] values, int n) {
    if (n < SCATTERED_MIN) {
      return false;
    }
    int more = 0;
    int changes = 0;
    for (int stretch = 0; stretch < STRETCHES; stretch++) {
      int from = (n - STRETCH) / (STRETCHES - 1) * stretch;
      long first = values[from];
      long total = 0;
      long wide = 0;
      for (int i = from + 1; i < from + STRETCH; i++) {
        long value = values[i] - first;
        total += value;
        wide |= value ^ (value >> 63);
      }
      if (width(wide) > SCATTERED_WIDTH_MAX) {
        return false;
      }
      long mean = first + total / STRETCH;
      for (int i = from + 1; i < from + STRETCH; i++) {
        long step = values[i] - values[i - 1];
        more += width(zigzag(step)) - width(zigzag(values[i] - mean));
        changes += (int) ((step | -step) >>> 63);
      }
    }
    return 8 * more > STRETCHES * STRETCH && 2 * changes > STRETCHES * STRETCH;
  }

  private void take(int n) {
    room(n);
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
    blocksKnown = true;
  }

  /**
   * Takes the values of one mini-block and the min and max of their differences.
   *
   * @return false, and nothing is taken, if a difference does not fit in an int
   */
  private boolean takeBlock(long[] values, int from, int to, Residuals differences) {
    long[] steps = differences.own;
    long previous = values[from - 1];
    long low = min;
    long high = max;
    long total = sum;
    // Math.min and max of ints compile without a branch, which would often be mispredicted here.
    int lowStep = Integer.MAX_VALUE;
    int highStep = Integer.MIN_VALUE;
    for (int i = from; i < to; i++) {
      long value = values[i];
      long step = value - previous;
      previous = value;
      steps[i - 1] = step;
      total += value;
      lowStep = Math.min(lowStep, (int) step);
      highStep = Math.max(highStep, (int) step);
      if (value < low) {
        low = value;
      }
      if (value > high) {
        high = value;
      }
    }
    boolean near = Long.compareUnsigned(high - low, Integer.MAX_VALUE) <= 0;
    if (!near && !ints(steps, from - 1, to - 1)) {
      return false;
    }
    min = low;
    max = high;
    sum = total;
    int block = (from - 1) / MiniBlocks.SIZE;
    differences.blockMin[block] = lowStep;
    differences.blockMax[block] = highStep;
    differences.min = Math.min(differences.min, lowStep);
    differences.max = Math.max(differences.max, highStep);
    return true;
  }

  private static boolean ints(long[] values, int from, int to) {
    long above = 0;
    for (int i = from; i < to; i++) {
      above |= values[i] - Integer.MIN_VALUE;
    }
    return above >>> Integer.SIZE == 0;
  }

  /**
   * Takes values with wide differences, which rarely become mini-blocks: no min and max of each.
   */
  private void takeWide(long[] values, int from, int to, Residuals differences) {
    differences.blocksKnown = false;
    long[] steps = differences.own;
    long previous = values[from - 1];
    long low = min;
    long high = max;
    long lowStep = differences.min;
    long highStep = differences.max;
    long total = sum;
    for (int i = from; i < to; i++) {
      long value = values[i];
      long step = value - previous;
      previous = value;
      steps[i - 1] = step;
      total += value;
      // Rarely taken.
      if (value < low) {
        low = value;
      }
      if (value > high) {
        high = value;
      }
      if (step < lowStep) {
        lowStep = step;
      }
      if (step > highStep) {
        highStep = step;
      }
    }
    min = low;
    max = high;
    sum = total;
    differences.min = lowStep;
    differences.max = highStep;
  }

  /** Width of a field above the minimum. */
  private int fieldWidth() {
    return width(max - min);
  }

  private long[] room(int n) {
    count = n;
    own = Scratch.longs(own, n);
    r = own;
    blockRoom();
    return own;
  }

  private void blockRoom() {
    int blocks = blocks();
    blockMin = Scratch.longs(blockMin, blocks);
    blockMax = Scratch.longs(blockMax, blocks);
    blockForm = Scratch.bytes(blockForm, blocks);
  }

  private int blocks() {
    return (count + MiniBlocks.SIZE - 1) / MiniBlocks.SIZE;
  }

  /** Takes the differences of {@code values[0, n)}, n at least 2. */
  void ofDifferences(long[] values, int n) {
    long[] to = room(n - 1);
    blocksKnown = false;
    long previous = values[0];
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 1; i < n; i++) {
      long value = values[i];
      long residual = value - previous;
      previous = value;
      to[i - 1] = residual;
      low = Math.min(low, residual);
      high = Math.max(high, residual);
    }
    min = low;
    max = high;
  }

  /** Size of the smallest form, exact if below {@code bound}; keeps the form. */
  int cost(int bound) {
    int best = simpleCost();
    if (form == IntegerRun.CONSTANT) {
      return best;
    }
    long common = common();
    int few = mostly(common) ? steps.cost(r, count, common) : Integer.MAX_VALUE;
    int most = Math.min(best, few == Integer.MAX_VALUE ? few : few + 1);
    int blocks = blocksCost(Math.min(most, bound));
    if (blocks < most) {
      best = blocks;
      form = IntegerRun.BLOCKS;
    } else if (few < best) {
      best = few;
      form = IntegerRun.STEPS;
    }
    return best;
  }

  /** Size of the smallest of constant, fields and radix words; keeps the form. */
  int simpleCost() {
    if (min == max) {
      form = IntegerRun.CONSTANT;
      return varBytes(zigzag(min));
    }
    int minBytes = varBytes(zigzag(min));
    long range = max - min;
    int best = minBytes + 1 + BitPacking.bytes(count, fieldWidth());
    form = IntegerRun.FIELDS;
    if (Long.compareUnsigned(range, RadixWords.RADIX_MAX) < 0 && range > 1) {
      int radix = (int) range + 1;
      int cost = minBytes + varBytes(radix) + RadixWords.bytes(radix, count);
      if (cost < best) {
        best = cost;
        form = IntegerRun.RADIX;
      }
    }
    return best;
  }

  /**
   * Size as mini-blocks; the largest int if not below the bound, by three sampled blocks or all.
   */
  private int blocksCost(int bound) {
    blockRoom();
    int blocks = blocks();
    if (blocks > SAMPLED_BLOCKS) {
      int whole = count / MiniBlocks.SIZE;
      long sampled = (long) blockCost(0) + blockCost(whole / 2) + blockCost(whole - 1);
      if (sampled * count > (long) SAMPLED_BLOCKS * MiniBlocks.SIZE * (bound + (count >> 8))) {
        return Integer.MAX_VALUE;
      }
    }
    int bytes = 0;
    for (int block = 0; block < blocks && bytes < bound; block++) {
      bytes += blockCost(block);
    }
    return bytes < bound ? bytes : Integer.MAX_VALUE;
  }

  private int blockCost(int block) {
    int from = block * MiniBlocks.SIZE;
    int to = Math.min(count, from + MiniBlocks.SIZE);
    if (!blocksKnown) {
      findRange(block, from, to);
    }
    int bytes = miniBlocks.cost(r, from, to, blockMin[block], blockMax[block]);
    blockForm[block] = (byte) miniBlocks.form();
    return bytes;
  }

  private void findRange(int block, int from, int to) {
    if (to - from == count) {
      blockMin[block] = min;
      blockMax[block] = max;
      return;
    }
    if (min >= Integer.MIN_VALUE && max <= Integer.MAX_VALUE) {
      findIntRange(block, from, to);
      return;
    }
    long low = r[from];
    long high = low;
    // Without a branch while it would often be mispredicted.
    int seldom = Math.min(to, from + OFTEN_PASSED);
    int i = from + 1;
    for (; i < seldom; i++) {
      low = Math.min(low, r[i]);
      high = Math.max(high, r[i]);
    }
    for (; i < to; i++) {
      long residual = r[i];
      if (residual < low) {
        low = residual;
      }
      if (residual > high) {
        high = residual;
      }
    }
    blockMin[block] = low;
    blockMax[block] = high;
  }

  /**
   * Math.min and max of ints compile without a branch, which would often be mispredicted. Two
   * chains of them, one for each half, run in parallel.
   */
  private void findIntRange(int block, int from, int to) {
    long[] values = r;
    int half = (to - from) >> 1;
    int low = (int) values[to - 1];
    int high = low;
    int otherLow = low;
    int otherHigh = low;
    for (int i = from; i < from + half; i++) {
      int value = (int) values[i];
      int other = (int) values[i + half];
      low = Math.min(low, value);
      high = Math.max(high, value);
      otherLow = Math.min(otherLow, other);
      otherHigh = Math.max(otherHigh, other);
    }
    blockMin[block] = Math.min(low, otherLow);
    blockMax[block] = Math.max(high, otherHigh);
  }

  /**
   * A guess at the most common residual: one that two of three samples share, or the middle one.
   */
  private long common() {
    long a = r[count >> 2];
    long b = r[count >> 1];
    long c = r[count - 1 - (count >> 2)];
    return a == c ? a : b;
  }

  /** Whether at least 5/6 of a sample of 64 to 127 residuals equal {@code common}. */
  private boolean mostly(long common) {
    int step = Math.max(1, count >> 6);
    int seen = 0;
    int same = 0;
    for (int i = 0; i < count; i += step, seen++) {
      same += r[i] == common ? 1 : 0;
    }
    return same * 6 >= seen * 5;
  }

  /** The form of the last {@link #cost}: a coder number of {@link IntegerRun}. */
  int form() {
    return form;
  }

  /** Appends the residuals in the form of the last {@link #cost}. */
  void write(ByteWriter out) {
    switch (form) {
      case IntegerRun.CONSTANT -> out.writeZigZagLong(min);
      case IntegerRun.FIELDS -> {
        int width = fieldWidth();
        out.writeZigZagLong(min);
        out.writeByte(width);
        BitPacking.pack(r, 0, count, min, width, out);
      }
      case IntegerRun.RADIX -> {
        int radix = (int) (max - min) + 1;
        out.writeZigZagLong(min);
        out.writeVarInt(radix);
        RadixWords.pack(r, 0, count, min, radix, out);
      }
      case IntegerRun.BLOCKS -> {
        int block = 0;
        for (int from = 0; from < count; from += MiniBlocks.SIZE, block++) {
          int to = Math.min(count, from + MiniBlocks.SIZE);
          MiniBlocks.write(
              r, from, to, blockMin[block], blockMax[block], blockForm[block] & 0xff, out);
        }
      }
      default -> steps.write(r, out);
    }
  }
}
