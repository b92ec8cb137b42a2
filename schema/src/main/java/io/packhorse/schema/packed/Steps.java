package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.unzigzag;
import static io.packhorse.schema.packed.BitPacking.varBytes;
import static io.packhorse.schema.packed.BitPacking.zigzag;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;

/**
 * Residuals that are nearly all equal, as those of a step function: the common one, then for each
 * other one its distance from the one before and its value (format.md section 7.3). Distances of 1
 * and of 1,000 are both frequent, so both are exponential Golomb numbers.
 *
 * <p>Reusable, one instance per thread.
 */
final class Steps {
  private static final int GAP_ORDER_MASK = 0x07;
  private static final int VALUE_SHIFT = 3;
  private static final int VALUE_MASK = 0x0f;

  /** Flag: a common residual other than 0 follows. */
  private static final int FLAG_COMMON = 0x80;

  /** Value form: all values are 1 or -1, one bit each. */
  private static final int UNIT_STEPS = 0;

  private final BitSink sink = new BitSink();
  private final BitSource source = new BitSource();

  /** Indexes of the residuals that differ from the common one. */
  private int[] places = new int[0];

  private long common;
  private int events;
  private int gapOrder;
  private int valueForm;

  /** Size of {@code r[0, count)} with this common residual; keeps the parameters. */
  int cost(long[] r, int count, long commonResidual) {
    common = commonResidual;
    findPlaces(r, count);
    long orderBits0 = 0;
    long gapBits1 = 0;
    long gapBits2 = 0;
    long gapBits4 = 0;
    boolean units = true;
    long magnitudes = 0;
    int last = -1;
    for (int event = 0; event < events; event++) {
      int place = places[event];
      long residual = r[place] - common;
      long gap = place - last - 1L;
      last = place;
      orderBits0 += BitSink.golombBits(gap, 0);
      gapBits1 += BitSink.golombBits(gap, 1);
      gapBits2 += BitSink.golombBits(gap, 2);
      gapBits4 += BitSink.golombBits(gap, 4);
      units &= residual == 1 || residual == -1;
      if (BitPacking.width(zigzag(residual) - 1) > 60) {
        return Integer.MAX_VALUE;
      }
      magnitudes += BitPacking.width(zigzag(residual) - 1);
    }
    long bits = orderBits0;
    gapOrder = 0;
    if (gapBits1 < bits) {
      bits = gapBits1;
      gapOrder = 1;
    }
    if (gapBits2 < bits) {
      bits = gapBits2;
      gapOrder = 2;
    }
    if (gapBits4 < bits) {
      bits = gapBits4;
      gapOrder = 4;
    }
    if (units) {
      valueForm = UNIT_STEPS;
      bits += events;
    } else {
      bits += valueBits(r, (int) (magnitudes / events));
    }
    return 1
        + (common == 0 ? 0 : varBytes(zigzag(common)))
        + varBytes(events)
        + (int) ((bits + 7) >>> 3);
  }

  private void findPlaces(long[] r, int count) {
    places = Scratch.ints(places, count);
    int next = 0;
    // Each index is stored, and kept if the residual differs: no branch to mispredict.
    for (int i = 0; i < count; i++) {
      long residual = r[i] - common;
      places[next] = i;
      next += (int) ((residual | -residual) >>> 63);
    }
    events = next;
  }

  /** Chooses the Golomb order of the values, 0, 4, 8, ... 56; returns their size in bits. */
  private long valueBits(long[] r, int meanWidth) {
    int order = Math.min(14, meanWidth >> 2) << 2;
    valueForm = 1 + (order >> 2);
    long bits = 0;
    for (int event = 0; event < events; event++) {
      bits += BitSink.golombBits(zigzag(r[places[event]] - common) - 1, order);
    }
    return bits;
  }

  /** Appends the residuals of the last {@link #cost}. */
  void write(long[] r, ByteWriter out) {
    out.writeByte(gapOrder | valueForm << VALUE_SHIFT | (common == 0 ? 0 : FLAG_COMMON));
    if (common != 0) {
      out.writeZigZagLong(common);
    }
    out.writeVarInt(events);
    sink.start(out);
    int last = -1;
    for (int event = 0; event < events; event++) {
      int place = places[event];
      long residual = r[place] - common;
      sink.putGolomb(place - last - 1L, gapOrder);
      last = place;
      if (valueForm == UNIT_STEPS) {
        sink.put(residual >>> 63, 1);
      } else {
        sink.putGolomb(zigzag(residual) - 1, (valueForm - 1) << 2);
      }
    }
    sink.finish();
  }

  /** Reads {@code count} residuals into {@code r[from, ...)}. */
  void read(ByteReader in, byte[] bytes, long[] r, int from, int count)
      throws MalformedCellException {
    int at = in.position();
    int parameters = in.readByte();
    int gaps = parameters & GAP_ORDER_MASK;
    int values = (parameters >> VALUE_SHIFT) & VALUE_MASK;
    long base = (parameters & FLAG_COMMON) == 0 ? 0 : in.readZigZagLong();
    int left = in.readVarInt();
    if (left < 1 || left > count) {
      throw new MalformedCellException(
          at, "packed cell: number of steps must be 1 to that of the residuals: steps=" + left);
    }
    Arrays.fill(r, from, from + count, base);
    source.start(in, bytes);
    long position = -1;
    for (; left > 0; left--) {
      long gap = source.golomb(gaps);
      // Compared before adding: the sum may overflow.
      if (gap >= count - position - 1) {
        throw new MalformedCellException(
            at, "packed cell: steps must lie inside the run: gap=" + gap + ", after=" + position);
      }
      position += gap + 1;
      long value =
          values == UNIT_STEPS
              ? 1 - (source.take(1) << 1)
              : unzigzag(source.golomb((values - 1) << 2) + 1);
      r[from + (int) position] = base + value;
    }
    source.finish(in);
  }
}
