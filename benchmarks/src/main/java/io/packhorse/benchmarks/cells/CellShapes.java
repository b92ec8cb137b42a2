package io.packhorse.benchmarks.cells;

import java.util.Arrays;
import java.util.List;

/**
 * The data shapes of the cells benchmark.
 *
 * <p>{@code a_*} are without memory: the least a codec may hope for is their entropy. {@code b_*}
 * are a thermometer's walk, printed as a whole number, in hundredths and in full; {@code b_anom} is
 * the same program's broken sensor. {@code c_*} are a percentage, drawn likewise and cut off where
 * the first ones round. {@code e_*} are the walk in hundredths with times that are not even. The
 * rest are walks with even steps, and a few distinct values in random order.
 */
final class CellShapes {
  /** Steps of a walk before its first point, so that its start is forgotten. */
  private static final int WARM_STEPS = 20_000;

  private static final int SECOND_MS = 1000;
  private static final int HOUR_SECONDS = 3600;

  private CellShapes() {}

  /** All of them, in the order of the report. */
  static List<CellShape> all() {
    return List.of(
        CellShape.longs("walk50", CellShapes::walk50),
        CellShape.doubles("w2", CellShapes::tenths),
        CellShape.longs("a_u100", uniform(100)),
        CellShape.longs("a_u10k", uniform(10_000)),
        CellShape.longs("a_u1m", uniform(1_000_000)),
        CellShape.longs("a_u64", (draws, bits) -> Arrays.setAll(bits, i -> draws.bits())),
        CellShape.longs(
            "a_mixw", (draws, bits) -> Arrays.setAll(bits, i -> draws.bits() >> draws.below(64))),
        CellShape.longs("b_iot", walk(CellShapes::thermometer, value -> (long) value)),
        CellShape.longs("b_anom", walk(CellShapes::brokenSensor, value -> (long) value)),
        CellShape.doubles("b_d2", walk(CellShapes::thermometer, CellShapes::hundredths)),
        CellShape.doubles("b_raw", walk(CellShapes::thermometer, Double::doubleToRawLongBits)),
        CellShape.longs("c_tsbs", percentage(value -> (long) value)),
        CellShape.doubles(
            "c_fp2", percentage(value -> Double.doubleToRawLongBits((long) (value * 100) / 100.0))),
        CellShape.doubles("c_raw", percentage(Double::doubleToRawLongBits)),
        timed("e_jit5ms", true, draws -> Math.round(5 * draws.gaussian())),
        timed("e_unif1s", true, draws -> draws.below(SECOND_MS)),
        timed("e_expjit", true, draws -> (long) draws.exponential(3)),
        new CellShape(
            "e_gaps_s",
            true,
            walk(CellShapes::thermometer, CellShapes::hundredths),
            CellShapes::losses),
        CellShape.doubles("levels16", levels(16)),
        CellShape.doubles("levels1000", levels(1000)));
  }

  private interface Step {
    double next(double value, Draws draws);
  }

  private interface Printed {
    long bits(double value);
  }

  private interface Delay {
    long millis(Draws draws);
  }

  private static HourValues uniform(int bound) {
    return (draws, bits) -> Arrays.setAll(bits, i -> draws.below(bound));
  }

  /** Integer steps uniform in -50 to 50. */
  private static void walk50(Draws draws, long[] bits) {
    long value = 0;
    for (int i = 0; i < bits.length; i++) {
      value += draws.below(101) - 50;
      bits[i] = value;
    }
  }

  /** Steps uniform in -1.0 to 1.0 by 0.1. */
  private static void tenths(Draws draws, long[] bits) {
    long value = 200;
    for (int i = 0; i < bits.length; i++) {
      value += draws.below(21) - 10;
      bits[i] = Double.doubleToRawLongBits(value / 10.0);
    }
  }

  private static HourValues walk(Step step, Printed printed) {
    return (draws, bits) -> {
      double value = 21.5;
      for (int i = 0; i < WARM_STEPS; i++) {
        value = step.next(value, draws);
      }
      for (int i = 0; i < bits.length; i++) {
        value = step.next(value, draws);
        bits[i] = printed.bits(value);
      }
    };
  }

  /** Falls back to 19 at either end, as the program that it imitates does. */
  private static double thermometer(double value, Draws draws) {
    double next = value + 0.05 * draws.gaussian();
    return next < 19 || next >= 35 ? 19 : next;
  }

  private static double brokenSensor(double value, Draws draws) {
    double next = value + 1 + 5 * draws.gaussian();
    return next < -99 || next >= 100 ? -99 : next;
  }

  private static long hundredths(double value) {
    return Double.doubleToRawLongBits(Math.round(value * 100) / 100.0);
  }

  /** Starts anywhere in 0 to 100 and stays there; not warmed up. */
  private static HourValues percentage(Printed printed) {
    return (draws, bits) -> {
      double value = 100 * draws.uniform();
      for (int i = 0; i < bits.length; i++) {
        value = Math.max(0, Math.min(100, value + draws.gaussian()));
        bits[i] = printed.bits(value);
      }
    };
  }

  /**
   * So many doubles of full precision in 0 to 100, drawn once an hour; then one of them a point.
   */
  private static HourValues levels(int count) {
    return (draws, bits) -> {
      long[] levels = new long[count];
      Arrays.setAll(levels, i -> Double.doubleToRawLongBits(100 * draws.uniform()));
      Arrays.setAll(bits, i -> levels[draws.below(count)]);
    };
  }

  /**
   * One point a second, late by a random delay; one in 300 is followed by a gap of 1 to 60 s, one
   * in 200 has the time of the one before, of which the later stays.
   */
  private static CellShape timed(String id, boolean areDoubles, Delay delay) {
    HourOffsets offsets =
        (draws, times) -> {
          int count = 0;
          int last = -1;
          for (int second = 0; second < HOUR_SECONDS; second++) {
            if (draws.chance(1 / 300.0)) {
              second += 1 + draws.below(60);
            }
            long time = (long) second * SECOND_MS + delay.millis(draws);
            boolean repeated = draws.chance(1 / 200.0);
            if (time > last && time < HOUR_SECONDS * SECOND_MS && !repeated) {
              last = (int) time;
              times[count++] = last;
            }
          }
          return count;
        };
    return new CellShape(
        id, areDoubles, walk(CellShapes::thermometer, CellShapes::hundredths), offsets);
  }

  /** One point a second; one in a hundred begins a loss of 1 to 6. */
  private static int losses(Draws draws, int[] times) {
    int count = 0;
    for (int second = 0; second < HOUR_SECONDS; second++) {
      if (draws.chance(0.01)) {
        second += draws.below(6);
      } else {
        times[count++] = second * SECOND_MS;
      }
    }
    return count;
  }
}
