package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.varBytes;
import static io.packhorse.schema.packed.BitPacking.width;
import static io.packhorse.schema.packed.BitPacking.zigzag;

import io.packhorse.schema.bytes.ByteWriter;

/**
 * The values of a run, or their differences of first or second order, and what the forms without a
 * table of their own cost for them: constant, fields, radix words, mini-blocks, steps.
 *
 * <p>Reusable, one instance a thread.
 */
final class Residuals {
  /** Blocks that tell whether it is worth looking at all. */
  private static final int SAMPLED_BLOCKS = 3;

  /** Pairs of neighbours that tell whether it is worth counting how many residuals are not 0. */
  private static final int SAMPLED_PAIRS = 32;

  /** Residuals of a block after which a new least or greatest one is rare. */
  private static final int OFTEN_PASSED = 24;

  private static final int STRETCHES = 3;
  private static final int STRETCH = 64;

  /** Fewer values are looked at wholly. */
  private static final int SCATTERED_MIN = 1024;

  /** Wider ones may not sum to a long. */
  private static final int SCATTERED_WIDTH_MAX = 48;

  private final MiniBlocks miniBlocks;
  private final Steps steps = new Steps();
  private long[] own = new long[0];
  private long[] blockLeast = new long[0];
  private long[] blockGreatest = new long[0];
  private byte[] blockForm = new byte[0];

  private long[] r = own;
  private int count;
  private long least;
  private long greatest;
  private long sum;

  /** Whether least and greatest of all mini-blocks were found when the residuals were taken. */
  private boolean blocksKnown;

  private int form;

  Residuals(boolean compact) {
    this.miniBlocks = new MiniBlocks(compact);
  }

  /** The residuals, valid up to {@link #count}. */
  long[] array() {
    return r;
  }

  int count() {
    return count;
  }

  long least() {
    return least;
  }

  long greatest() {
    return greatest;
  }

  /** Sum of values, modulo 2^64. */
  long sum() {
    return sum;
  }

  /** Residuals other than 0, or all if so many are that it makes no difference. */
  int changes() {
    // Pairs of neighbours: a step every few residuals cannot hit them all.
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

  /** 1 if the residual is not 0: no branch. */
  private int change(int i) {
    return (int) ((r[i] | -r[i]) >>> 63);
  }

  /**
   * Takes {@code values[0, n)} themselves, and gives their differences to another; the array must
   * stay as it is until the write.
   */
  void ofValues(long[] values, int n, Residuals differences) {
    r = values;
    count = n;
    blocksKnown = false;
    differences.take(n - 1);
    least = values[0];
    greatest = least;
    sum = least;
    int from = 1;
    while (from < n && takeBlock(values, from, Math.min(n, from + MiniBlocks.SIZE), differences)) {
      from += MiniBlocks.SIZE;
    }
    if (from < n) {
      takeWide(values, from, n, differences);
    }
  }

  /** Takes {@code values[0, n)} alone; as above. */
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
      // Seldom passed.
      if (value < low) {
        low = value;
      }
      if (value > high) {
        high = value;
      }
    }
    least = low;
    greatest = high;
    sum = total;
  }

  /**
   * Whether steps from value to value take more bits than distances from the mean, an eighth of a
   * bit and more: no difference of order 1 or 2 is worth a look then. Three stretches tell.
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
    least = Long.MAX_VALUE;
    greatest = Long.MIN_VALUE;
    blocksKnown = true;
  }

  /** Takes values from a multiple of the blocks' size on; not if one of their steps is no int. */
  private boolean takeBlock(long[] values, int from, int to, Residuals differences) {
    long[] steps = differences.own;
    long previous = values[from - 1];
    long low = least;
    long high = greatest;
    long total = sum;
    // Least and greatest of ints take no branch, which in a block would often go wrong.
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
    least = low;
    greatest = high;
    sum = total;
    int block = (from - 1) / MiniBlocks.SIZE;
    differences.blockLeast[block] = lowStep;
    differences.blockGreatest[block] = highStep;
    differences.least = Math.min(differences.least, lowStep);
    differences.greatest = Math.max(differences.greatest, highStep);
    return true;
  }

  private static boolean ints(long[] values, int from, int to) {
    long above = 0;
    for (int i = from; i < to; i++) {
      above |= values[i] - Integer.MIN_VALUE;
    }
    return above >>> Integer.SIZE == 0;
  }

  /** Takes values that seldom need their blocks: only the run's least and greatest steps. */
  private void takeWide(long[] values, int from, int to, Residuals differences) {
    differences.blocksKnown = false;
    long[] steps = differences.own;
    long previous = values[from - 1];
    long low = least;
    long high = greatest;
    long lowStep = differences.least;
    long highStep = differences.greatest;
    long total = sum;
    for (int i = from; i < to; i++) {
      long value = values[i];
      long step = value - previous;
      previous = value;
      steps[i - 1] = step;
      total += value;
      // Seldom passed.
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
    least = low;
    greatest = high;
    sum = total;
    differences.least = lowStep;
    differences.greatest = highStep;
  }

  /** Bits of a field above the least. */
  private int fieldWidth() {
    return width(greatest - least);
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
    blockLeast = Scratch.longs(blockLeast, blocks);
    blockGreatest = Scratch.longs(blockGreatest, blocks);
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
    least = low;
    greatest = high;
  }

  /** Bytes of the cheapest form if below {@code bound}, or at least bound; remembers the form. */
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

  /** Bytes of the cheapest form that is the same all over; remembers the form. */
  int simpleCost() {
    if (least == greatest) {
      form = IntegerRun.CONSTANT;
      return varBytes(zigzag(least));
    }
    int leastBytes = varBytes(zigzag(least));
    long range = greatest - least;
    int best = leastBytes + 1 + BitPacking.bytes(count, fieldWidth());
    form = IntegerRun.FIELDS;
    if (Long.compareUnsigned(range, RadixWords.RADIX_MAX) < 0 && range > 1) {
      int radix = (int) range + 1;
      int cost = leastBytes + varBytes(radix) + RadixWords.bytes(radix, count);
      if (cost < best) {
        best = cost;
        form = IntegerRun.RADIX;
      }
    }
    return best;
  }

  /** Bytes as mini-blocks; at least the bound if the first, a middle and the last look so. */
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
    int bytes = miniBlocks.cost(r, from, to, blockLeast[block], blockGreatest[block]);
    blockForm[block] = (byte) miniBlocks.form();
    return bytes;
  }

  private void findRange(int block, int from, int to) {
    if (to - from == count) {
      blockLeast[block] = least;
      blockGreatest[block] = greatest;
      return;
    }
    if (least >= Integer.MIN_VALUE && greatest <= Integer.MAX_VALUE) {
      findIntRange(block, from, to);
      return;
    }
    long low = r[from];
    long high = low;
    // Without a branch as long as it would often go wrong.
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
    blockLeast[block] = low;
    blockGreatest[block] = high;
  }

  /**
   * Least and greatest of ints take no branch, which in a block would often go wrong. Each waits
   * for the one before: those of the two halves do not.
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
    blockLeast[block] = Math.min(low, otherLow);
    blockGreatest[block] = Math.max(high, otherHigh);
  }

  /** A residual that two of three samples share, or the middle one. */
  private long common() {
    long a = r[count >> 2];
    long b = r[count >> 1];
    long c = r[count - 1 - (count >> 2)];
    return a == c ? a : b;
  }

  /** Whether at least five of six of some of the residuals are the common one. */
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
      case IntegerRun.CONSTANT -> out.writeZigZagLong(least);
      case IntegerRun.FIELDS -> {
        int width = fieldWidth();
        out.writeZigZagLong(least);
        out.writeByte(width);
        BitPacking.pack(r, 0, count, least, width, out);
      }
      case IntegerRun.RADIX -> {
        int radix = (int) (greatest - least) + 1;
        out.writeZigZagLong(least);
        out.writeVarInt(radix);
        RadixWords.pack(r, 0, count, least, radix, out);
      }
      case IntegerRun.BLOCKS -> {
        int block = 0;
        for (int from = 0; from < count; from += MiniBlocks.SIZE, block++) {
          int to = Math.min(count, from + MiniBlocks.SIZE);
          MiniBlocks.write(
              r, from, to, blockLeast[block], blockGreatest[block], blockForm[block] & 0xff, out);
        }
      }
      default -> steps.write(r, out);
    }
  }
}
