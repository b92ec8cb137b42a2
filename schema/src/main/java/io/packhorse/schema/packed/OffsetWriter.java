package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.FROM_BASE;
import static io.packhorse.schema.packed.PackedCellDescriptor.FULL_HOUR;
import static io.packhorse.schema.packed.PackedCellDescriptor.HOLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.JITTER;
import static io.packhorse.schema.packed.PackedCellDescriptor.LIST;
import static io.packhorse.schema.packed.PackedCellDescriptor.REGULAR;
import static io.packhorse.schema.packed.PackedCellDescriptor.stepCode;
import static io.packhorse.schema.packed.PackedCellDescriptor.unitMs;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;

/**
 * Writes the offsets of a block in the smallest form (format.md section 6). {@link #plan} chooses
 * it; header and body are written separately, since statistics lie between them. Reusable, one
 * instance per thread.
 */
final class OffsetWriter {
  private static final int MS_PER_SECOND = 1000;
  private static final int JITTER_MIN = 8;
  private static final int SAMPLE = 33;
  private static final int SPREAD_SAMPLE = 64;
  private static final int GRIDS = 3;

  /** From this count on, a byte or two saved is not worth trying a list. */
  private static final int LIST_LOSES_FROM = 256;

  private final IntegerWriter integers;
  private final RegularOffsets regular = new RegularOffsets();
  private final int[] sample = new int[SAMPLE];
  private final int[] gridShift = new int[GRIDS];
  private final int[] gridLow = new int[GRIDS];
  private final int[] gridSpread = new int[GRIDS];
  private int[] seconds = new int[0];
  private long[] scratch = new long[0];
  private int[] holeAt = new int[0];
  private int[] absent = new int[0];
  private ByteWriter body = new ByteWriter(0);
  private ByteWriter trial = new ByteWriter(0);

  private int count;
  private boolean milliseconds;
  private int encoding;
  private int step;
  private int first;

  private int samples;

  /** Number of holes found by the last {@link #slots}. */
  private int holes;

  /** Whether a list may be shorter than the jitter form tried last. */
  private boolean listPays;

  OffsetWriter(IntegerWriter integers) {
    this.integers = integers;
  }

  /** Whether the unit of the last block is the millisecond. */
  boolean milliseconds() {
    return milliseconds;
  }

  /** Whether the header has first and last offset even without statistics. */
  boolean regular() {
    return encoding <= REGULAR;
  }

  /** Chooses the form for the offsets of a block of at least one point. */
  void plan(int[] offsetsMs, int points) {
    count = points;
    body.reset();
    int firstMs = offsetsMs[0];
    int stepMs = points == 1 ? MS_PER_SECOND : offsetsMs[1] - firstMs;
    if (offsetsMs[points - 1] - firstMs == (points - 1L) * stepMs
        && regular.match(offsetsMs, points, firstMs, stepMs)) {
      milliseconds = firstMs % MS_PER_SECOND != 0 || stepMs % MS_PER_SECOND != 0;
      int unitMs = unitMs(milliseconds);
      step = stepMs / unitMs;
      first = firstMs / unitMs;
      boolean full = points == (PointBlock.HOUR_MS - 1) / stepMs + 1;
      encoding = first != 0 ? REGULAR : full ? FULL_HOUR : FROM_BASE;
      return;
    }
    planIrregular(offsetsMs);
  }

  private void planIrregular(int[] offsetsMs) {
    scratch = Scratch.longs(scratch, count);
    holeAt = Scratch.ints(holeAt, count);
    absent = Scratch.ints(absent, count);
    encoding = LIST;
    int bytes = Integer.MAX_VALUE;
    takeSample(offsetsMs);
    int min = sample[0];
    // A step smaller than all sampled ones would leave nearly all slots of its size empty.
    if (slots(offsetsMs, min, offsetsMs[0], 0, true)) {
      milliseconds = offsetsMs[0] % MS_PER_SECOND != 0 || min % MS_PER_SECOND != 0;
      int unitMs = unitMs(milliseconds);
      trial.reset();
      writeHoles();
      bytes = keepTrial(HOLES, min / unitMs, offsetsMs[0] / unitMs, bytes);
    } else {
      milliseconds = !wholeSeconds(offsetsMs);
    }
    boolean varied = count >= JITTER_MIN && stepsVary();
    if (varied) {
      bytes = planJitter(inUnits(offsetsMs), bytes);
      if (encoding == JITTER && !listPays) {
        // A list would have the same differences, and larger ones at holes.
        return;
      }
    }
    writeList(offsetsMs);
    bytes = keepTrial(LIST, 0, 0, bytes);
    if (count >= JITTER_MIN && !varied && 4 * bytes > count) {
      planJitter(inUnits(offsetsMs), bytes);
    }
  }

  private void writeList(int[] offsetsMs) {
    if (milliseconds) {
      for (int i = 0; i < count; i++) {
        scratch[i] = offsetsMs[i];
      }
    } else {
      // Division by a constant compiles to a multiplication.
      for (int i = 0; i < count; i++) {
        scratch[i] = offsetsMs[i] / MS_PER_SECOND;
      }
    }
    trial.reset();
    integers.write(scratch, count, trial);
  }

  private boolean wholeSeconds(int[] offsetsMs) {
    for (int i = 0; i < count; i++) {
      if (offsetsMs[i] % MS_PER_SECOND != 0) {
        return false;
      }
    }
    return true;
  }

  private int[] inUnits(int[] offsetsMs) {
    if (milliseconds) {
      return offsetsMs;
    }
    seconds = Scratch.ints(seconds, count);
    for (int i = 0; i < count; i++) {
      seconds[i] = offsetsMs[i] / MS_PER_SECOND;
    }
    return seconds;
  }

  /** Makes trial the body if it is the shortest so far; returns the size of the shortest. */
  private int keepTrial(int newEncoding, int newStep, int newFirst, int shortest) {
    int bytes = trial.length() + (newEncoding == LIST ? 0 : headBytes(newStep, newFirst));
    if (bytes >= shortest) {
      return shortest;
    }
    ByteWriter kept = trial;
    trial = body;
    body = kept;
    encoding = newEncoding;
    step = newStep;
    first = newFirst;
    return bytes;
  }

  /** Size of step and first in the header. */
  private int headBytes(int someStep, int someFirst) {
    return BitPacking.varBytes(someFirst)
        + (stepCode(someStep, milliseconds) == 0 ? BitPacking.varBytes(someStep) : 0);
  }

  /**
   * Assigns the points to slots, the first of which begins at {@code start}. Finds the slots
   * without a point and fills scratch with the distance of each point from its slot's {@code
   * middle}.
   *
   * @param exact whether each point must lie where its slot begins
   * @return false if two points share a slot, or a point is not where it must lie
   */
  private boolean slots(int[] offsets, int slot, int start, long middle, boolean exact) {
    int allowed = exact ? 1 : slot;
    int found = 0;
    int from = start;
    int i = follow(offsets, 0, count, slot, from, allowed, middle, scratch);
    from += i * slot;
    while (i < count) {
      int above = offsets[i] - from;
      if (above < 0 || above % slot >= allowed) {
        return false;
      }
      int skipped = above / slot;
      holeAt[found] = i;
      absent[found++] = skipped;
      from += skipped * slot;
      int next = follow(offsets, i, count, slot, from, allowed, middle, scratch);
      from += (next - i) * slot;
      i = next;
    }
    holes = found;
    return true;
  }

  /**
   * Assigns points to consecutive slots, the first of which begins at {@code start}.
   *
   * @return index of the first point outside its slot, or {@code to}
   */
  private static int follow(
      int[] offsets,
      int first,
      int to,
      int slot,
      int start,
      int allowed,
      long middle,
      long[] distances) {
    int from = start;
    for (int i = first; i < to; i++) {
      int above = offsets[i] - from;
      if (above < 0 || above >= allowed) {
        return i;
      }
      distances[i] = above - middle;
      from += slot;
    }
    return to;
  }

  /** Appends the holes that the last {@link #slots} found to trial. */
  private void writeHoles() {
    trial.writeVarInt(holes);
    int last = 0;
    for (int i = 0; i < holes; i++) {
      trial.writeVarInt(holeAt[i] - last);
      trial.writeVarInt(absent[i]);
      last = holeAt[i];
    }
  }

  /** Samples steps between points, in milliseconds, and sorts them. */
  private void takeSample(int[] offsetsMs) {
    samples = Math.min(SAMPLE, count - 1);
    for (int i = 0; i < samples; i++) {
      int at = (int) ((long) i * (count - 1) / samples);
      sample[i] = offsetsMs[at + 1] - offsetsMs[at];
    }
    Arrays.sort(sample, 0, samples);
  }

  /** Whether fewer than five of six sampled steps equal the median one. */
  private boolean stepsVary() {
    int usual = sample[samples / 2];
    int same = 0;
    for (int i = 0; i < samples; i++) {
      same += sample[i] == usual ? 1 : 0;
    }
    return 6 * same < 5 * samples;
  }

  /**
   * Tries jitter with slots of a common step, on up to three grids in the order of the spread, max
   * - min of the positions in the slots, of sampled points.
   *
   * @return size of the shortest form so far
   */
  private int planJitter(int[] offsets, int shortest) {
    int slot = commonStep();
    if (slot < 2) {
      return shortest;
    }
    // Slots at multiples of the step, points rounded or rounded down to them; slots that start at
    // the
    // first point, points rounded to them.
    int half = slot / 2;
    gridShift[0] = half;
    gridShift[1] = 0;
    gridShift[2] = half - offsets[0] % slot;
    takeSpreads(offsets, slot);
    for (int tries = 0; tries < GRIDS; tries++) {
      int best = 0;
      for (int grid = 1; grid < GRIDS; grid++) {
        best = gridSpread[grid] < gridSpread[best] ? grid : best;
      }
      gridSpread[best] = Integer.MAX_VALUE;
      int shift = gridShift[best];
      int start = offsets[0] - Math.floorMod(offsets[0] + shift, slot);
      int middle = shift == 0 ? 0 : half;
      if (slots(offsets, slot, start, middle, false)) {
        trial.reset();
        writeHoles();
        int tagAt = trial.length();
        integers.write(scratch, count, trial);
        int order = trial.array()[tagAt] & IntegerRun.ORDER_MASK;
        boolean ofDifferences = order > 0 && order < IntegerRun.OF_VALUES;
        listPays = ofDifferences || count < LIST_LOSES_FROM || holes > count >> 5;
        return keepTrial(JITTER, slot, start + middle, shortest);
      }
    }
    return shortest;
  }

  /** Measures the spread of sampled points in their slots, for each grid. */
  private void takeSpreads(int[] offsets, int slot) {
    Arrays.fill(gridLow, slot);
    Arrays.fill(gridSpread, 0);
    int some = Math.min(SPREAD_SAMPLE, count);
    for (int i = 0; i < some; i++) {
      int above = offsets[(int) ((long) i * count / some)] % slot;
      for (int grid = 0; grid < GRIDS; grid++) {
        int shifted = above + gridShift[grid];
        shifted += shifted < 0 ? slot : shifted >= slot ? -slot : 0;
        gridLow[grid] = Math.min(gridLow[grid], shifted);
        gridSpread[grid] = Math.max(gridSpread[grid], shifted);
      }
    }
    for (int grid = 0; grid < GRIDS; grid++) {
      gridSpread[grid] -= gridLow[grid];
    }
  }

  /**
   * The step with a code that is nearest to the median sampled step; 0 if off by over a quarter.
   */
  private int commonStep() {
    int distance = sample[samples / 2] / unitMs(milliseconds);
    int best = 0;
    for (int code = 1; code < 16; code++) {
      int seconds = PackedCellDescriptor.stepOf(code, false);
      int some = milliseconds ? PackedCellDescriptor.stepOf(code, true) : seconds;
      best = nearer(some, best, distance);
      if (milliseconds) {
        best = nearer(seconds * MS_PER_SECOND, best, distance);
      }
    }
    return Math.abs(best - distance) * 4L <= distance ? best : 0;
  }

  private static int nearer(int some, int best, int wanted) {
    return Math.abs(some - wanted) < Math.abs(best - wanted) ? some : best;
  }

  /** Appends time byte, count, step and first. */
  void writeHeader(ByteWriter out) {
    int code = encoding == LIST ? 0 : stepCode(step, milliseconds);
    out.writeByte(encoding << 4 | code);
    if (encoding != FULL_HOUR) {
      out.writeVarInt(count);
    }
    if (code == 0 && encoding != LIST) {
      out.writeVarInt(step);
    }
    if (encoding > FROM_BASE && encoding != LIST) {
      out.writeVarInt(first);
    }
  }

  /** Appends the body; nothing for a regular form. */
  void writeBody(ByteWriter out) {
    out.writeBytes(body.array(), 0, body.length());
  }
}
