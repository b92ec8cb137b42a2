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
 * Writes the offsets of a block in the smallest form (format.md section 6). {@link #plan} looks at
 * them once; header and body are then written apart, since statistics lie between. Reusable, one
 * instance a thread.
 */
final class OffsetWriter {
  private static final int MS_PER_SECOND = 1000;
  private static final int JITTER_MIN = 8;
  private static final int SAMPLE = 33;

  private final IntegerWriter integers;
  private final RegularOffsets regular = new RegularOffsets();
  private final int[] sample = new int[SAMPLE];
  private long[] scratch = new long[0];
  private long[] slots = new long[0];
  private long[] distances = new long[0];
  private ByteWriter body = new ByteWriter(0);
  private ByteWriter trial = new ByteWriter(0);

  private int count;
  private boolean milliseconds;
  private int encoding;
  private int step;
  private int first;

  OffsetWriter(IntegerWriter integers) {
    this.integers = integers;
  }

  /** Whether the unit of the block looked at last is the millisecond. */
  boolean milliseconds() {
    return milliseconds;
  }

  /** Whether the header has first and last offset without statistics. */
  boolean regular() {
    return encoding <= REGULAR;
  }

  /** Looks at the offsets of a block of at least one point. */
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
    milliseconds = !wholeSeconds(offsetsMs, points);
    planIrregular(offsetsMs, unitMs(milliseconds));
  }

  private static boolean wholeSeconds(int[] offsetsMs, int points) {
    for (int i = 0; i < points; i++) {
      if (offsetsMs[i] % MS_PER_SECOND != 0) {
        return false;
      }
    }
    return true;
  }

  private void planIrregular(int[] offsetsMs, int unitMs) {
    scratch = Scratch.longs(scratch, count);
    for (int i = 0; i < count; i++) {
      scratch[i] = offsetsMs[i] / unitMs;
    }
    encoding = LIST;
    step = 0;
    first = 0;
    integers.write(scratch, count, body);
    int bytes = body.length();
    int least = Integer.MAX_VALUE;
    for (int i = 1; i < count; i++) {
      least = Math.min(least, (int) (scratch[i] - scratch[i - 1]));
    }
    trial.reset();
    int holesFirst = (int) scratch[0];
    if (writeHoles(scratch, least) && headBytes(least, holesFirst) + trial.length() <= bytes) {
      bytes = keepTrial(HOLES, least, holesFirst);
    }
    if (count >= JITTER_MIN && 4 * bytes > count) {
      planJitter(bytes);
    }
  }

  private int keepTrial(int newEncoding, int newStep, int newFirst) {
    ByteWriter kept = trial;
    trial = body;
    body = kept;
    encoding = newEncoding;
    step = newStep;
    first = newFirst;
    return headBytes(step, first) + body.length();
  }

  /** Bytes that step and first take in the header. */
  private int headBytes(int someStep, int someFirst) {
    return BitPacking.varBytes(someFirst)
        + (stepCode(someStep, milliseconds) == 0 ? BitPacking.varBytes(someStep) : 0);
  }

  /** Appends the holes to trial; false if the offsets are no multiples of the step apart. */
  private boolean writeHoles(long[] offsets, int slot) {
    int holes = 0;
    for (int i = 1; i < count; i++) {
      int delta = (int) (offsets[i] - offsets[i - 1]);
      if (delta != slot) {
        if (delta % slot != 0) {
          return false;
        }
        holes++;
      }
    }
    trial.writeVarInt(holes);
    int present = 1;
    for (int i = 1; i < count; i++) {
      int delta = (int) (offsets[i] - offsets[i - 1]);
      if (delta == slot) {
        present++;
      } else {
        trial.writeVarInt(present);
        trial.writeVarInt(delta / slot - 1);
        present = 1;
      }
    }
    return true;
  }

  private void planJitter(int bytes) {
    int slot = usualStep();
    if (slot < 2) {
      return;
    }
    int phase = (int) (scratch[0] % slot);
    // Grids: multiples of the step, rounded to and down to; the first point's own, rounded to.
    long nearest = jitterRange(slot, slot / 2);
    long below = jitterRange(slot, 0);
    long own = jitterRange(slot, slot / 2 - phase);
    long best = Math.min(nearest, Math.min(below, own));
    if (best == Long.MAX_VALUE) {
      return;
    }
    if (best == nearest) {
      writeJitter(slot, slot / 2, 0, bytes);
    } else if (best == below) {
      writeJitter(slot, 0, 0, bytes);
    } else {
      writeJitter(slot, slot / 2 - phase, phase, bytes);
    }
  }

  /** Spread of the distances from the slots, or the largest long if two points share a slot. */
  private long jitterRange(int slot, int shift) {
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    long last = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      long number = Math.floorDiv(scratch[i] + shift, (long) slot);
      if (number <= last) {
        return Long.MAX_VALUE;
      }
      last = number;
      long distance = scratch[i] - number * slot;
      low = Math.min(low, distance);
      high = Math.max(high, distance);
    }
    return high - low;
  }

  private void writeJitter(int slot, int shift, int phase, int bytes) {
    slots = Scratch.longs(slots, count);
    distances = Scratch.longs(distances, count);
    for (int i = 0; i < count; i++) {
      long number = Math.floorDiv(scratch[i] + shift, (long) slot);
      slots[i] = number * slot + phase;
      distances[i] = scratch[i] - slots[i];
    }
    trial.reset();
    writeHoles(slots, slot);
    integers.write(distances, count, trial);
    int gridFirst = (int) slots[0];
    if (headBytes(slot, gridFirst) + trial.length() < bytes) {
      keepTrial(JITTER, slot, gridFirst);
    }
  }

  /** The known step nearest to the middle of some distances, 0 if none is near. */
  private int usualStep() {
    int samples = Math.min(SAMPLE, count - 1);
    for (int i = 0; i < samples; i++) {
      int at = (int) ((long) i * (count - 1) / samples);
      sample[i] = (int) (scratch[at + 1] - scratch[at]);
    }
    Arrays.sort(sample, 0, samples);
    int middle = sample[samples / 2];
    int best = 0;
    for (int code = 1; code < 16; code++) {
      int seconds = PackedCellDescriptor.stepOf(code, false);
      int some = milliseconds ? PackedCellDescriptor.stepOf(code, true) : seconds;
      best = nearer(some, best, middle);
      if (milliseconds) {
        best = nearer(seconds * MS_PER_SECOND, best, middle);
      }
    }
    return Math.abs(best - middle) * 4L <= middle ? best : 0;
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

  /** Appends what follows the header. */
  void writeBody(ByteWriter out) {
    out.writeBytes(body.array(), 0, body.length());
  }
}
