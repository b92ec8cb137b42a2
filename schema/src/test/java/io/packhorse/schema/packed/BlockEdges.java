package io.packhorse.schema.packed;

import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Small blocks near the places where the encoder changes its mind: counts, ranges and shares one
 * below, at and one above where another form begins to pay. Seeded, the same in every run.
 */
final class BlockEdges {
  /** What the values are, at even times. */
  static final List<String> VALUES =
      List.of(
          "uniform",
          "walk",
          "curve",
          "outliers",
          "blocks",
          "steps",
          "runs",
          "cycle",
          "levels",
          "lengths",
          "bell",
          "slope",
          "decimals",
          "decimals and others",
          "floats",
          "floats and others",
          "split",
          "bits",
          "special",
          "kinds");

  /** What the times are. */
  static final List<String> TIMES =
      List.of("regular", "holes", "jitter", "late", "drift", "parts", "list", "wild");

  private static final int[] COUNTS = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 24, 31, 32, 33, 46, 47, 48, 49, 50, 62,
    63, 64, 65, 66, 80, 100, 126, 127, 128, 129, 130, 160, 200, 254, 255, 256, 257, 258, 259, 300,
    384, 385, 400, 511, 512, 513, 514, 600, 640, 641, 1023, 1024, 1025, 1026, 1200
  };

  private final SplittableRandom random;
  private final int count;

  private BlockEdges(long seed) {
    random = new SplittableRandom(seed);
    count = COUNTS[random.nextInt(random.nextInt(4) == 0 ? COUNTS.length : 40)];
  }

  /** So many blocks of a kind of {@link #VALUES} or {@link #TIMES}. */
  static Stream<PointBlock> blocks(String kind, int blocks) {
    return LongStream.range(0, blocks)
        .mapToObj(i -> new BlockEdges(((long) kind.hashCode() << 32) + i).block(kind));
  }

  private PointBlock block(String kind) {
    return TIMES.contains(kind) ? timed(kind) : valued(kind);
  }

  private PointBlock valued(String kind) {
    long[] values =
        switch (kind) {
          case "uniform" -> uniform(count, edge(62));
          case "walk" -> sums(uniform(count, edge(40)));
          case "curve" -> sums(sums(uniform(count, edge(30))));
          case "outliers" -> outliers();
          case "blocks" -> blocks();
          case "steps" -> steps();
          case "runs" -> runs();
          case "cycle" -> cycle(edge(62));
          case "levels" -> levels();
          case "lengths" -> lengths();
          case "bell" -> bell();
          case "slope" -> slope();
          case "decimals" -> decimals(0, false);
          case "decimals and others" -> decimals(near(count >> 4), false);
          case "floats" -> decimals(0, true);
          case "floats and others" -> decimals(near(count >> 4), true);
          case "split" -> split();
          case "bits" -> bits();
          case "special" -> special();
          default -> wild();
        };
    boolean doubles = VALUES.indexOf(kind) >= VALUES.indexOf("decimals");
    boolean mixed = kind.equals("kinds");
    int share = 2 + random.nextInt(20);
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      block.add(1000 * i, values[i], mixed ? random.nextInt(share) == 0 : doubles);
    }
    return block;
  }

  /** A number near a power of 2, near where radix words end, or small. */
  private long edge(int bits) {
    return switch (random.nextInt(5)) {
      case 0 -> 1 + random.nextInt(12);
      case 1 -> 1020 + random.nextInt(8);
      case 2 -> (1 << 20) - 2 + random.nextInt(5);
      case 3 -> 1 + random.nextInt(1 << random.nextInt(20));
      default -> Math.max(1, (1L << random.nextInt(bits)) - 1 + random.nextInt(3));
    };
  }

  private int near(int wanted) {
    return Math.max(0, wanted - 1 + random.nextInt(3));
  }

  private long[] uniform(int n, long range) {
    long low =
        switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> -range / 2;
          case 2 -> random.nextInt(300) - 150;
          default -> random.nextLong() >> (2 + random.nextInt(60));
        };
    long[] values = new long[n];
    for (int i = 0; i < n; i++) {
      values[i] = low + random.nextLong(range);
    }
    values[random.nextInt(n)] = low;
    values[random.nextInt(n)] = low + range - 1;
    return values;
  }

  private static long[] sums(long[] values) {
    for (int i = 1; i < values.length; i++) {
      values[i] += values[i - 1];
    }
    return values;
  }

  private long[] outliers() {
    long[] values = uniform(count, 1L << random.nextInt(20));
    int share = 2 + random.nextInt(40);
    int wide = 1 + random.nextInt(60);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(share) == 0) {
        values[i] = random.nextLong() >> (64 - wide);
      }
    }
    return random.nextBoolean() ? values : sums(values);
  }

  /** Another range in each block of 128, of the values or their differences. */
  private long[] blocks() {
    long[] values = new long[count];
    int ones = random.nextInt(12);
    for (int from = 0; from < count; from += MiniBlocks.SIZE) {
      int size = Math.min(MiniBlocks.SIZE, count - from);
      boolean sparse = random.nextInt(4) == 0;
      long[] block = sparse ? new long[size] : uniform(size, edge(30));
      for (int i = 0; sparse && i < ones; i++) {
        block[random.nextInt(size)] = -1;
      }
      System.arraycopy(block, 0, values, from, size);
    }
    return random.nextBoolean() ? values : sums(values);
  }

  private long[] steps() {
    long[] values = new long[count];
    long common = random.nextInt(3) == 0 ? edge(50) : 0;
    long size = random.nextInt(3) == 0 ? 1 : edge(random.nextInt(4) == 0 ? 62 : 20);
    int share = 3 + random.nextInt(random.nextBoolean() ? 8 : 200);
    for (int i = 0; i < count; i++) {
      long step = size == 1 ? 1 : 1 + random.nextLong(size);
      values[i] = common + (random.nextInt(share) == 0 ? random.nextBoolean() ? step : -step : 0);
    }
    return random.nextInt(4) == 0 ? values : sums(values);
  }

  /** About a third as many runs as values. */
  private long[] runs() {
    long[] values = new long[count];
    int runs = Math.max(1, near(count / (2 + random.nextInt(5))));
    long range = edge(62);
    for (int i = 0; i < runs; i++) {
      values[i * count / runs] = 1 + random.nextLong(range);
    }
    for (int i = 1; i < count; i++) {
      values[i] = values[i] == 0 ? values[i - 1] : values[i];
    }
    return values;
  }

  /** The same few in turns: about half as many distinct values as values, or few. */
  private long[] cycle(long range) {
    int distinct = Math.max(1, random.nextBoolean() ? near(count / 2) : random.nextInt(20));
    long[] some = uniform(distinct, range);
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = some[i % distinct];
    }
    return values;
  }

  private long[] levels() {
    long[] some = uniform(1 + random.nextInt(Math.max(1, count)), edge(62));
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = some[random.nextInt(some.length)];
    }
    return values;
  }

  private long[] lengths() {
    long[] values = new long[count];
    int most = 30 + random.nextInt(35);
    for (int i = 0; i < count; i++) {
      values[i] = random.nextLong() >> (64 - 1 - random.nextInt(most));
    }
    return values;
  }

  /** Near a centre, far from 0 or not. */
  private long[] bell() {
    long[] values = new long[count];
    int wide = random.nextInt(40);
    long centre = random.nextBoolean() ? 0 : random.nextLong() >> (2 + random.nextInt(60));
    for (int i = 0; i < count; i++) {
      long sum = 0;
      for (int k = 0; k < 4; k++) {
        sum += random.nextLong() >> (64 - 2 - wide);
      }
      values[i] = centre + sum;
    }
    return random.nextBoolean() ? values : sums(values);
  }

  /** A line or a parabola and some noise. */
  private long[] slope() {
    long[] values = uniform(count, edge(20));
    long step = edge(40);
    long bend = random.nextBoolean() ? 0 : edge(10);
    for (int i = 0; i < count; i++) {
      values[i] += step * i + bend * i * i;
    }
    return values;
  }

  private long[] decimals(int others, boolean floats) {
    long[] values = random.nextBoolean() ? uniform(count, edge(52)) : sums(uniform(count, edge(9)));
    int exponent = random.nextInt(17);
    double power = Math.pow(10, exponent);
    for (int i = 0; i < count; i++) {
      double value = values[i] / power;
      values[i] = floats ? FloatBits.widen(Float.floatToRawIntBits((float) value)) : bitsOf(value);
    }
    for (int i = 0; i < Math.min(others, count); i++) {
      values[random.nextInt(count)] = floats ? FloatBits.widen(random.nextInt()) : other();
    }
    return values;
  }

  private long other() {
    return switch (random.nextInt(5)) {
      case 0 -> bitsOf(-0.0);
      case 1 -> bitsOf(Double.NaN);
      case 2 -> bitsOf(Double.NEGATIVE_INFINITY);
      case 3 -> bitsOf(random.nextDouble());
      default -> random.nextLong();
    };
  }

  /** Numbers close together whose low bits are noise. */
  private long[] split() {
    long[] values = new long[count];
    int noise = 36 + random.nextInt(20);
    double centre = random.nextBoolean() ? 21.5 : -1000 * random.nextDouble();
    for (int i = 0; i < count; i++) {
      values[i] = bitsOf(centre) ^ (random.nextLong() >>> (64 - noise));
    }
    return values;
  }

  /** Numbers with so many zero bits at their end, and of so many values. */
  private long[] bits() {
    long[] values = new long[count];
    int zeros = random.nextInt(64);
    int wide = random.nextInt(64);
    for (int i = 0; i < count; i++) {
      values[i] = random.nextLong() >> wide << zeros;
    }
    return values;
  }

  /** Both zeros, infinities and NaN among ordinary numbers. */
  private long[] special() {
    long[] values = new long[count];
    int share = 1 + random.nextInt(40);
    for (int i = 0; i < count; i++) {
      values[i] = random.nextInt(share) == 0 ? other() : bitsOf(random.nextInt(5));
    }
    return values;
  }

  private long[] wild() {
    long[] values = new long[count];
    int wide = random.nextInt(64);
    boolean decimal = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      values[i] =
          decimal && random.nextBoolean()
              ? bitsOf(random.nextInt(1000) / 10.0)
              : random.nextLong() >> wide;
    }
    return values;
  }

  private static long bitsOf(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private PointBlock timed(String kind) {
    PointBlock block = new PointBlock(count);
    int unitMs = random.nextBoolean() ? 1000 : random.nextInt(4) == 0 ? 1 : 100;
    int roomMs = PointBlock.HOUR_MS / count;
    int step = Math.max(1, Math.min(roomMs, unitMs * (1 + random.nextInt(12))));
    step = random.nextInt(5) == 0 ? roomMs : step;
    int start = random.nextInt(3) == 0 ? 0 : random.nextInt(2 * step + 1);
    int wide = random.nextInt(step + 1);
    int share = 2 + random.nextInt(30);
    int last = -1;
    int slot = 0;
    for (int i = 0; i < count; i++) {
      int even = start + slot * step;
      slot += kind.equals("holes") && random.nextInt(share) == 0 ? 1 + random.nextInt(5) : 1;
      int offset =
          switch (kind) {
            case "regular", "holes" -> even;
            case "jitter" -> even + random.nextInt(wide + 1) - wide / 2;
            case "late" -> even + random.nextInt(1 + step / 4);
            case "drift" ->
                even + step / 5 * (i < count / 2 ? 1 : 2) + random.nextInt(1 + step / 5);
            case "parts" -> even / 1000 * 1000 + (random.nextInt(share) == 0 ? wide % 1000 : 0);
            case "wild" ->
                last / 1000 * 1000
                    + 1000
                    + random.nextInt(1 + roomMs / 1000) * 1000
                    + (random.nextInt(share) == 0 ? random.nextInt(1000) : 0);
            default -> last + 1 + random.nextInt(roomMs);
          };
      if (step % 1000 == 0 && share % 3 == 0) {
        offset = offset / 1000 * 1000;
      }
      offset = Math.max(offset, last + 1);
      offset = i == 0 ? Math.min(offset, PointBlock.HOUR_MS - 1) : offset;
      if (offset >= PointBlock.HOUR_MS) {
        break;
      }
      last = offset;
      if (kind.equals("parts") || kind.equals("wild")) {
        boolean isDouble = random.nextBoolean();
        block.add(last, random.nextLong() >> (8 * random.nextInt(8)), isDouble);
      } else {
        block.addLong(last, 7);
      }
    }
    return block;
  }
}
