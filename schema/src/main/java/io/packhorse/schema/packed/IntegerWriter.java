package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.varBytes;
import static io.packhorse.schema.packed.BitPacking.width;
import static io.packhorse.schema.packed.BitPacking.zigzag;
import static io.packhorse.schema.packed.IntegerRun.OF_VALUES;
import static io.packhorse.schema.packed.IntegerRun.tag;

import io.packhorse.schema.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes runs of integers in the smallest form (format.md section 7). The sizes of the forms of
 * residuals are computed, those of differences only if the values do not scatter ({@link
 * Residuals#scattered}). Dictionaries and runs are written to a buffer and kept if shorter.
 *
 * <p>Reusable, one instance per thread.
 */
final class IntegerWriter {
  private static final int DICTIONARY_MIN = 4;

  /** From this count on, the estimated number of distinct values is reliable. */
  private static final int DICTIONARY_SURE = 512;

  private final Residuals[] orders = {new Residuals(), new Residuals(), new Residuals()};
  private final Dictionary dictionary = new Dictionary();
  private final ByteLengths byteLengths = new ByteLengths();

  /** Writer of nested runs; null in that writer itself, since runs nest one level deep. */
  private final @Nullable IntegerWriter nested;

  private ByteWriter trial = new ByteWriter(0);
  private ByteWriter kept = new ByteWriter(0);
  private long[] scratch = new long[0];
  private int minBytes;

  /** Whether the values of the run scatter, so that no differences are considered. */
  private boolean scattered;

  /** A writer for the runs of a cell. */
  IntegerWriter() {
    this(new IntegerWriter(null));
  }

  private IntegerWriter(@Nullable IntegerWriter nested) {
    this.nested = nested;
  }

  /** Appends {@code values[0, count)}; count at least 1. The values are only read. */
  void write(long[] values, int count, ByteWriter out) {
    if (count == 1) {
      // Of one value no form is shorter than a constant.
      out.writeByte(tag(0, IntegerRun.CONSTANT));
      out.writeZigZagLong(values[0]);
      minBytes = 1;
      return;
    }
    scan(values, count);
    writeScanned(values, count, out);
  }

  /** Scans the values; the next run written must be {@link #writeScanned} of the same. */
  Residuals scan(long[] values, int count) {
    scattered = Residuals.scattered(values, count);
    if (scattered) {
      orders[0].ofValues(values, count);
    } else {
      orders[0].ofValues(values, count, orders[1]);
    }
    return orders[0];
  }

  /** As {@link #write} after {@link #scan}. */
  void writeScanned(long[] values, int count, ByteWriter out) {
    Residuals plain = orders[0];
    Residuals first = orders[1];
    int order = 0;
    int best = plain.simpleCost();
    minBytes = count;
    int lengths = Integer.MAX_VALUE;
    if (nested != null && width(plain.max() - plain.min()) > 32) {
      minBytes = byteLengths.scan(values, count);
      lengths = ByteLengths.codeBytes(count) + minBytes;
    }
    if (scattered) {
      best = plain.cost(Math.min(best, lengths) + 1);
    } else if (plain.form() != IntegerRun.CONSTANT) {
      int firstBytes = varBytes(zigzag(values[0]));
      // The size of another form as the bound: most runs are then done without costing all blocks.
      int bound = Math.min(best, lengths);
      int firstCost = firstBytes + first.cost(bound);
      best = plain.cost(Math.min(bound, firstCost) + 1);
      if (firstCost < best) {
        best = firstCost;
        order = 1;
      }
      if (first.form() != IntegerRun.CONSTANT && bends(first)) {
        Residuals second = orders[2];
        second.ofDifferences(first.array(), first.count());
        int slopeBytes = firstBytes + varBytes(zigzag(first.array()[0]));
        int cost = slopeBytes + second.cost(best);
        if (cost < best) {
          best = cost;
          order = 2;
        }
      }
    }
    if (nested != null && 8L * best > count) {
      kept.reset();
      int bytes = tryTables(values, count, best, lengths, nested);
      if (kept.length() > 0) {
        out.writeBytes(kept.array(), 0, kept.length());
        return;
      }
      if (bytes <= best) {
        out.writeByte(tag(OF_VALUES, IntegerRun.LENGTHS));
        byteLengths.write(values, count, out);
        return;
      }
    }
    out.writeByte(tag(order, orders[order].form()));
    writeLeading(values, order, out);
    orders[order].write(out);
  }

  /** Lower bound of the size of the last run's values if each had bytes of its own. */
  int minBytes() {
    return minBytes;
  }

  private static void writeLeading(long[] values, int order, ByteWriter out) {
    if (order > 0) {
      out.writeZigZagLong(values[0]);
    }
    if (order > 1) {
      out.writeZigZagLong(values[1] - values[0]);
    }
  }

  /**
   * Whether second differences are probably narrower than first ones: in a sample of up to 64,
   * {@code width(max |second difference|) < width(max - min of the first differences)}.
   */
  private static boolean bends(Residuals first) {
    long[] r = first.array();
    int step = Math.max(1, first.count() >> 5);
    long widest = 0;
    long low = r[0];
    long high = low;
    for (int i = 1; i < first.count(); i += step) {
      widest |= zigzag(r[i] - r[i - 1]);
      low = Math.min(low, r[i]);
      high = Math.max(high, r[i]);
    }
    return width(widest) < width(high - low);
  }

  /**
   * Tries the coders of values.
   *
   * @return size of the shortest form, which is in {@link #kept}; if that is empty, the shortest is
   *     the lengths if the size is at most {@code best}, or the form of size {@code best}
   */
  private int tryTables(long[] values, int count, int best, int lengths, IntegerWriter parts) {
    int bytes = best + 1;
    int changes = scattered ? count : orders[1].changes();
    if (changes < count / 3) {
      bytes = tryRuns(values, count, changes + 1, bytes, parts);
    }
    if (count >= DICTIONARY_MIN && dictionaryPays(values, count, bytes)) {
      bytes = tryDictionary(values, count, bytes, parts);
    }
    if (lengths < bytes - 1) {
      kept.reset();
      bytes = lengths + 1;
    }
    return bytes;
  }

  /** Whether a dictionary may be shorter than {@code bytes}, from as small a sample as possible. */
  private boolean dictionaryPays(long[] values, int count, int bytes) {
    long min = orders[0].min();
    long max = orders[0].max();
    int entries = dictionary.estimate(values, count, min, max);
    if (dictionaryBytes(entries, count) >= bytes) {
      return false;
    }
    int closer = dictionary.closerEstimate(values, count, min, max, entries);
    return dictionaryBytes(closer, count) < bytes;
  }

  /**
   * A low estimate of the size of a dictionary: ids as radix words plus a bit per entry. Below 512
   * values the number of entries is a rough guess: ids one bit narrower, and no entries.
   */
  private static int dictionaryBytes(int entries, int count) {
    if (entries == Integer.MAX_VALUE) {
      return entries;
    }
    if (count < DICTIONARY_SURE) {
      return ((width(entries) - 1) * count) >>> 3;
    }
    return RadixWords.bytes(Math.max(RadixWords.RADIX_MIN, entries), count) + (entries >>> 3);
  }

  private int keepShorter(int bytes) {
    return trial.length() < bytes ? keep() : bytes;
  }

  private int keep() {
    ByteWriter shorter = trial;
    trial = kept;
    kept = shorter;
    return kept.length();
  }

  private int tryRuns(long[] values, int count, int runs, int bytes, IntegerWriter parts) {
    scratch = Scratch.longs(scratch, runs);
    trial.reset();
    trial.writeByte(tag(OF_VALUES, IntegerRun.RUNS));
    trial.writeVarInt(runs);
    int run = 0;
    scratch[run++] = values[0];
    for (int i = 1; i < count; i++) {
      if (values[i] != values[i - 1]) {
        scratch[run++] = values[i];
      }
    }
    parts.write(scratch, runs, trial);
    run = 0;
    int start = 0;
    for (int i = 1; i < count; i++) {
      if (values[i] != values[i - 1]) {
        scratch[run++] = i - start - 1L;
        start = i;
      }
    }
    scratch[run] = count - start - 1L;
    parts.write(scratch, runs, trial);
    return keepShorter(bytes);
  }

  private int tryDictionary(long[] values, int count, int bytes, IntegerWriter parts) {
    int entries = dictionary.build(values, count, orders[0].min(), orders[0].max());
    if (entries == 0) {
      return bytes;
    }
    scratch = Scratch.longs(scratch, count);
    trial.reset();
    trial.writeByte(tag(OF_VALUES, IntegerRun.DICTIONARY));
    trial.writeVarInt(entries);
    parts.write(dictionary.sorted(), entries, trial);
    dictionary.ids(values, count, scratch);
    parts.write(scratch, count, trial);
    return keepShorter(bytes);
  }
}
