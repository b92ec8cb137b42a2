package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.BitPacking.varBytes;
import static io.packhorse.schema.packed.BitPacking.width;
import static io.packhorse.schema.packed.BitPacking.zigzag;
import static io.packhorse.schema.packed.IntegerRun.LEVEL_CELL;
import static io.packhorse.schema.packed.IntegerRun.LEVEL_TABLE;
import static io.packhorse.schema.packed.IntegerRun.OF_VALUES;
import static io.packhorse.schema.packed.IntegerRun.tag;

import io.packhorse.schema.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes runs of integers in the smallest form (format.md section 7). Forms without a table are
 * costed exactly, of differences too unless, in fast mode, the values scatter ({@link
 * Residuals#scattered}); those with one are written aside and kept if they turn out shorter. In
 * fast mode mini-blocks are radix words only where these save enough to be worth reading.
 *
 * <p>Reusable, one instance a thread.
 */
final class IntegerWriter {
  /** Fewer values never pay for a table of frequencies or a DEFLATE stream. */
  private static final int ENTROPY_MIN = 48;

  private static final int DICTIONARY_MIN = 4;

  /** So many values tell how many distinct ones there are. */
  private static final int DICTIONARY_SURE = 512;

  /** Values of fewer bits come out shorter by their frequencies than by what repeats. */
  private static final int DEFLATE_BITS_MIN = 12;

  private final int level;
  private final boolean compact;
  private final Residuals[] orders;
  private final Dictionary dictionary = new Dictionary();
  private final ByteLengths byteLengths = new ByteLengths();
  private final EntropyCode entropy;
  private final Deflated deflated = new Deflated();
  private final @Nullable IntegerWriter inner;
  private ByteWriter trial = new ByteWriter(0);
  private ByteWriter kept = new ByteWriter(0);
  private final int[] costs = new int[3];
  private long[] scratch = new long[0];
  private int leastBytes;

  /** Whether the run's differences are not looked at: its values scatter. */
  private boolean scattered;

  /** A writer for the runs of a cell. */
  IntegerWriter(Effort effort) {
    this(effort == Effort.COMPACT, LEVEL_CELL);
  }

  private IntegerWriter(boolean compact, int level) {
    this.level = level;
    this.compact = compact;
    this.orders =
        new Residuals[] {new Residuals(compact), new Residuals(compact), new Residuals(compact)};
    this.inner = level == LEVEL_TABLE ? null : new IntegerWriter(compact, level + 1);
    this.entropy = new EntropyCode();
  }

  /** Appends {@code values[0, count)}; count at least 1. The values are only read. */
  void write(long[] values, int count, ByteWriter out) {
    scan(values, count);
    writeScanned(values, count, out);
  }

  /** Looks at the values once; {@link #writeScanned} of the same must follow before other runs. */
  Residuals scan(long[] values, int count) {
    scattered = !compact && Residuals.scattered(values, count);
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
    int scanned = 1;
    leastBytes = count;
    int lengths = Integer.MAX_VALUE;
    if (level == LEVEL_CELL && width(plain.greatest() - plain.least()) > 32) {
      leastBytes = byteLengths.scan(values, count);
      lengths = ByteLengths.codeBytes(count) + leastBytes;
    }
    if (scattered) {
      best = plain.cost(Math.min(best, lengths) + 1);
    } else if (plain.form() != IntegerRun.CONSTANT) {
      scanned = 2;
      int firstBytes = varBytes(zigzag(values[0]));
      // What another form costs spares most values and differences a look at all their blocks.
      int bound = compact ? Integer.MAX_VALUE : Math.min(best, lengths);
      costs[1] = firstBytes + first.cost(bound);
      best = plain.cost(compact ? bound : Math.min(bound, costs[1]) + 1);
      costs[0] = best;
      if (costs[1] < best) {
        best = costs[1];
        order = 1;
      }
      if (first.form() != IntegerRun.CONSTANT && bends(first)) {
        Residuals second = orders[2];
        second.ofDifferences(first.array(), first.count());
        scanned = 3;
        int slopeBytes = firstBytes + varBytes(zigzag(first.array()[0]));
        int cost = slopeBytes + second.cost(best);
        costs[2] = cost;
        if (cost < best) {
          best = cost;
          order = 2;
        }
      }
    }
    if (inner != null && 8L * best > count) {
      kept.reset();
      int bytes = tryTables(values, count, scanned, order, best, lengths, inner);
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

  /** Bytes that the values of the last {@link #writeScanned} take at least if each has its own. */
  int leastBytes() {
    return leastBytes;
  }

  private static void writeLeading(long[] values, int order, ByteWriter out) {
    if (order > 0) {
      out.writeZigZagLong(values[0]);
    }
    if (order > 1) {
      out.writeZigZagLong(values[1] - values[0]);
    }
  }

  /** Whether second differences look narrower than first ones, by some of both. */
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
   * Tries the forms with a table.
   *
   * @return bytes of the shortest form, which is {@link #kept}; if that is empty, it is the lengths
   *     if they take at most {@code best} bytes with their tag, else that of {@code best}
   */
  private int tryTables(
      long[] values,
      int count,
      int scanned,
      int order,
      int best,
      int lengths,
      IntegerWriter parts) {
    Residuals plain = orders[0];
    int bytes = best + 1;
    if (level == LEVEL_CELL) {
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
    }
    if (compact && count >= ENTROPY_MIN) {
      for (int o = 0; o < scanned; o++) {
        if (o == order || costs[o] < best + (best >> 2)) {
          trial.reset();
          trial.writeByte(tag(o, IntegerRun.ENTROPY));
          writeLeading(values, o, trial);
          entropy.write(orders[o].array(), orders[o].count(), parts, trial);
          bytes = keepShorter(bytes);
        }
      }
      if (level == LEVEL_CELL
          && 8L * bytes > (long) DEFLATE_BITS_MIN * count
          && dictionary.repeats(values, count, plain.least(), plain.greatest())) {
        trial.reset();
        trial.writeByte(tag(OF_VALUES, IntegerRun.DEFLATE));
        deflated.write(values, count, plain.least(), plain.greatest(), trial);
        bytes = keepShorter(bytes);
      }
    }
    return bytes;
  }

  /** Whether it may take fewer bytes, by as short a look at the values as tells it. */
  private boolean dictionaryPays(long[] values, int count, int bytes) {
    long least = orders[0].least();
    long greatest = orders[0].greatest();
    int entries = dictionary.estimate(values, count, least, greatest);
    if (dictionaryBytes(entries, count) >= bytes) {
      return false;
    }
    int closer = dictionary.closerEstimate(values, count, least, greatest, entries);
    return dictionaryBytes(closer, count) < bytes;
  }

  /**
   * Bytes that a dictionary will about take, rather too few: ids that are all as frequent, an entry
   * a bit; of few values, whose number of entries is a rough guess, ids of a bit less and no table.
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
    int entries = dictionary.build(values, count, orders[0].least(), orders[0].greatest());
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
