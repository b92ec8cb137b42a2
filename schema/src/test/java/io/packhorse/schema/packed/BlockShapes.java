package io.packhorse.schema.packed;

import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Seeded blocks of every kind a series can have, for round trips and damage. */
final class BlockShapes {
  private BlockShapes() {}

  /** A block and what it is, for messages. */
  record Shape(String name, PointBlock block) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A handful of each; the same seed gives the same blocks. */
  static List<Shape> all(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Shape> shapes = new ArrayList<>();
    for (String times : TIMES) {
      for (String values : VALUES) {
        int count = 1 + random.nextInt(random.nextInt(3) == 0 ? 700 : 40);
        shapes.add(
            new Shape(times + " " + values + " n=" + count, block(times, values, count, random)));
      }
    }
    shapes.add(new Shape("full hour of walk", block("1s", "walk", 3600, random)));
    shapes.add(new Shape("full hour of decimals", block("1s", "decimal", 3600, random)));
    shapes.add(new Shape("one point", block("random", "any64", 1, random)));
    shapes.add(
        new Shape("largest cell", block("ms", "walk", PackedCellEncoder.MAX_POINTS, random)));
    return shapes;
  }

  private static final String[] TIMES = {
    "1s", "60s", "7s", "100ms", "holes", "jitter", "random", "late", "oddMs"
  };

  private static final String[] VALUES = {
    "walk",
    "constant",
    "counter",
    "any64",
    "width",
    "decimal",
    "float",
    "raw",
    "special",
    "mixed",
    "steps",
    "jumps",
    "levels",
    "outliers",
    "bell",
    "floatDecimal",
    "gaps",
    "wild",
    "curve"
  };

  static PointBlock block(String times, String values, int wanted, SplittableRandom random) {
    PointBlock block = new PointBlock(wanted);
    int offset = times.equals("holes") || times.equals("random") ? random.nextInt(900) * 1000 : 0;
    long walk = random.nextInt(200_001) - 100_000L;
    long level = random.nextLong();
    for (int i = 0; i < wanted && offset < PointBlock.HOUR_MS; i++) {
      walk += random.nextInt(101) - 50;
      switch (values) {
        case "walk" -> block.addLong(offset, walk);
        case "constant" -> block.addLong(offset, 42);
        case "counter" -> block.addLong(offset, i * 1_000_003L);
        case "any64" -> block.addLong(offset, random.nextLong());
        case "width" -> block.addLong(offset, random.nextLong() >> random.nextInt(64));
        case "decimal" -> block.addDouble(offset, Double.doubleToRawLongBits(walk / 100.0));
        case "float" ->
            block.addDouble(offset, FloatBits.widen(Float.floatToRawIntBits(walk / 7f)));
        case "raw" -> block.addDouble(offset, Double.doubleToRawLongBits(random.nextDouble()));
        case "special" -> block.addDouble(offset, SPECIAL[random.nextInt(SPECIAL.length)]);
        case "steps" -> {
          level += random.nextInt(20) == 0 ? random.nextInt(3) - 1 : 0;
          block.addLong(offset, level);
        }
        case "jumps" -> {
          level = random.nextInt(12) == 0 ? random.nextLong() >> 20 : level;
          block.addLong(offset, level);
        }
        case "levels" ->
            block.addDouble(
                offset, new SplittableRandom(level + random.nextInt(9)).nextLong() >>> 2);
        case "outliers" ->
            block.addLong(offset, random.nextInt(30) == 0 ? random.nextLong() >> 30 : walk & 63);
        case "bell" ->
            block.addLong(offset, Long.bitCount(random.nextLong()) + (level >> 40) + 3L * i);
        case "floatDecimal" ->
            block.addDouble(offset, FloatBits.widen(Float.floatToRawIntBits(walk / 10f)));
        case "gaps" ->
            block.addDouble(
                offset,
                random.nextInt(25) == 0
                    ? SPECIAL[random.nextInt(SPECIAL.length)]
                    : Double.doubleToRawLongBits(walk / 1000.0));
        case "wild" ->
            block.add(
                offset,
                random.nextInt(3) == 0
                    ? FloatBits.widen((int) random.nextLong())
                    : random.nextLong() >> (8 * random.nextInt(8)),
                random.nextBoolean());
        case "curve" -> block.addLong(offset, level + (long) i * i * 7 + random.nextInt(3));
        default ->
            block.add(
                offset,
                random.nextBoolean() ? walk : Double.doubleToRawLongBits(walk / 10.0),
                random.nextInt(3) == 0);
      }
      offset +=
          switch (times) {
            case "1s" -> 1000;
            case "60s" -> 60_000;
            case "7s" -> 7000;
            case "ms" -> 1;
            case "100ms" -> 100;
            case "holes" -> random.nextInt(10) == 0 ? 5000 : 1000;
            case "jitter" -> 995 + random.nextInt(11);
            case "late" -> (i + 1) * 2000 + random.nextInt(40) - offset;
            case "oddMs" -> 1000 * (1 + random.nextInt(200)) + (i == 3 ? 7 : 0);
            default -> 1 + random.nextInt(20_000);
          };
    }
    return block;
  }

  private static final long[] SPECIAL = {
    Double.doubleToRawLongBits(-0.0),
    Double.doubleToRawLongBits(0.0),
    Double.doubleToRawLongBits(Double.MIN_VALUE),
    Double.doubleToRawLongBits(-Double.MIN_NORMAL),
    Double.doubleToRawLongBits(Double.MAX_VALUE),
    Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
    Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
    0x7ff8_0000_0000_0000L,
    0x7ff0_0000_0000_0001L,
    0xfff8_dead_beef_0001L,
    FloatBits.widen(0x7fa0_0001),
    Double.doubleToRawLongBits(0x1p53 + 2),
    Double.doubleToRawLongBits(1e300),
  };
}
