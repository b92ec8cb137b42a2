package io.packhorse.schema.packed;

import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The kinds of data that sizes are held to: uniform numbers, a thermometer printed whole, in
 * hundredths and in full, a percentage, walks with even steps, few distinct doubles, and uneven
 * times. Seeded by name and hour; the same blocks in every run and on every JDK.
 */
final class Shapes {
  /** All names, in the order of reports. */
  static final List<String> ALL =
      List.of(
          "walk50",
          "w2",
          "a_u100",
          "a_u10k",
          "a_u1m",
          "a_u64",
          "a_mixw",
          "b_iot",
          "b_anom",
          "b_d2",
          "b_raw",
          "c_tsbs",
          "c_fp2",
          "c_raw",
          "e_jit5ms",
          "e_unif1s",
          "e_expjit",
          "e_gaps_s",
          "levels16",
          "levels1000");

  private static final int HOUR_POINTS = 3600;
  private static final int WARM_STEPS = 20_000;

  private final String name;
  private final SplittableRandom random;
  private double spare = Double.NaN;

  private Shapes(String name, long seed) {
    this.name = name;
    this.random = new SplittableRandom(seed);
  }

  /** So many hours of a shape cut into blocks of this many points, evenly spaced over the hour. */
  static List<PointBlock> blocks(String name, int points, int hours) {
    List<PointBlock> blocks = new ArrayList<>();
    for (int hour = 0; hour < hours; hour++) {
      long seed = (long) name.hashCode() << 32 | hour;
      Shapes shape = new Shapes(name, seed);
      long[] bits = shape.values();
      int[] times = new int[HOUR_POINTS];
      int count = new Shapes(name, ~seed).times(times);
      boolean even = !name.startsWith("e_");
      int size = Math.min(points, count);
      for (int from = 0; from + size <= count; from += size) {
        PointBlock block = new PointBlock(size);
        for (int i = 0; i < size; i++) {
          int offset = even ? i * (PointBlock.HOUR_MS / points) : times[from + i];
          block.add(offset, bits[from + i], shape.areDoubles());
        }
        blocks.add(block);
      }
    }
    return blocks;
  }

  private boolean areDoubles() {
    return switch (name) {
      case "walk50", "a_u100", "a_u10k", "a_u1m", "a_u64", "a_mixw", "b_iot", "b_anom", "c_tsbs" ->
          false;
      default -> true;
    };
  }

  private long[] values() {
    long[] bits = new long[HOUR_POINTS];
    double value =
        switch (name) {
          case "walk50" -> 0;
          case "w2" -> 200;
          case "c_tsbs", "c_fp2", "c_raw" -> 100 * random.nextDouble();
          default -> 21.5;
        };
    double[] levels = new double[name.equals("levels16") ? 16 : 1000];
    for (int i = 0; i < levels.length; i++) {
      levels[i] = 100 * random.nextDouble();
    }
    for (int i = value == 21.5 ? -WARM_STEPS : 0; i < HOUR_POINTS; i++) {
      value = step(value);
      if (i >= 0) {
        bits[i] = printed(value, levels);
      }
    }
    return bits;
  }

  private double step(double value) {
    return switch (name) {
      case "walk50" -> value + random.nextInt(101) - 50;
      case "w2" -> value + random.nextInt(21) - 10;
      case "b_anom" -> {
        double next = value + 1 + 5 * gaussian();
        yield next < -99 || next >= 100 ? -99 : next;
      }
      case "c_tsbs", "c_fp2", "c_raw" -> Math.max(0, Math.min(100, value + gaussian()));
      case "a_u100", "a_u10k", "a_u1m", "a_u64", "a_mixw", "levels16", "levels1000" -> 0;
      default -> {
        double next = value + 0.05 * gaussian();
        yield next < 19 || next >= 35 ? 19 : next;
      }
    };
  }

  private long printed(double value, double[] levels) {
    return switch (name) {
      case "walk50", "b_iot", "b_anom", "c_tsbs" -> (long) value;
      case "w2" -> Double.doubleToRawLongBits(value / 10.0);
      case "a_u100" -> random.nextInt(100);
      case "a_u10k" -> random.nextInt(10_000);
      case "a_u1m" -> random.nextInt(1_000_000);
      case "a_u64" -> random.nextLong();
      case "a_mixw" -> random.nextLong() >> random.nextInt(64);
      case "c_fp2" -> Double.doubleToRawLongBits((long) (value * 100) / 100.0);
      case "b_raw", "c_raw" -> Double.doubleToRawLongBits(value);
      case "levels16", "levels1000" ->
          Double.doubleToRawLongBits(levels[random.nextInt(levels.length)]);
      default -> Double.doubleToRawLongBits(Math.round(value * 100) / 100.0);
    };
  }

  /** Times of their own for the shapes of uneven times; one a second for the others. */
  private int times(int[] times) {
    int count = 0;
    int last = -1;
    for (int second = 0; second < HOUR_POINTS; second++) {
      if (name.equals("e_gaps_s")) {
        if (random.nextInt(100) == 0) {
          second += random.nextInt(6);
          continue;
        }
      } else if (name.startsWith("e_") && random.nextInt(300) == 0) {
        second += 1 + random.nextInt(60);
      }
      long time =
          second * 1000L
              + switch (name) {
                case "e_jit5ms" -> Math.round(5 * gaussian());
                case "e_unif1s" -> random.nextInt(1000);
                case "e_expjit" -> (long) (-3 * StrictMath.log(1 - random.nextDouble()));
                default -> 0;
              };
      boolean repeated = name.startsWith("e_") && random.nextInt(200) == 0;
      if (time > last && time < PointBlock.HOUR_MS && !repeated) {
        last = (int) time;
        times[count++] = last;
      }
    }
    return count;
  }

  /** Normal, mean 0, deviation 1, by the polar method in strict arithmetic. */
  private double gaussian() {
    if (!Double.isNaN(spare)) {
      double kept = spare;
      spare = Double.NaN;
      return kept;
    }
    double x;
    double y;
    double square;
    do {
      x = 2 * random.nextDouble() - 1;
      y = 2 * random.nextDouble() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double scale = Math.sqrt(-2 * StrictMath.log(square) / square);
    spare = y * scale;
    return x * scale;
  }
}
