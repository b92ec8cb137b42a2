package io.packhorse.benchmarks.cells;

import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of data: 64 hours of up to 3,600 points, each hour of a series of its own. Seeded by name
 * and hour, so the blocks are the same in every run.
 *
 * @param id as in the report
 * @param areDoubles kind of all values
 * @param offsets when the points are; null for evenly spaced ones
 */
record CellShape(String id, boolean areDoubles, HourValues values, @Nullable HourOffsets offsets) {
  /** Hours of a shape; 230,400 points. */
  static final int HOURS = 64;

  /** Points of a full hour. */
  static final int HOUR_POINTS = 3600;

  /** An evenly spaced shape of integers. */
  static CellShape longs(String id, HourValues values) {
    return new CellShape(id, false, values, null);
  }

  /** An evenly spaced shape of doubles. */
  static CellShape doubles(String id, HourValues values) {
    return new CellShape(id, true, values, null);
  }

  /**
   * All points in blocks of this many: evenly spaced over the hour, or where the shape has times of
   * its own, as many neighbours of one hour. An hour of 3,600 with losses is one smaller block.
   *
   * @param points per block, 1 to 3,600
   */
  List<PointBlock> blocks(int points) {
    List<PointBlock> blocks = new ArrayList<>();
    long[] bits = new long[HOUR_POINTS];
    int[] times = new int[HOUR_POINTS];
    for (int hour = 0; hour < HOURS; hour++) {
      long seed = (long) id.hashCode() << 32 | hour;
      values.fill(new Draws(seed), bits);
      if (offsets == null) {
        addRegular(bits, HOUR_POINTS, areDoubles, points, blocks);
      } else {
        int count = offsets.fill(new Draws(~seed), times);
        addTimed(bits, times, count, points, blocks);
      }
    }
    return blocks;
  }

  /** Cuts the first {@code count} values into whole blocks of evenly spaced points. */
  static void addRegular(
      long[] bits, int count, boolean areDoubles, int points, List<PointBlock> to) {
    int stepMs = PointBlock.HOUR_MS / points;
    for (int from = 0; from + points <= count; from += points) {
      PointBlock block = new PointBlock(points);
      for (int i = 0; i < points; i++) {
        block.add(i * stepMs, bits[from + i], areDoubles);
      }
      to.add(block);
    }
  }

  private void addTimed(long[] bits, int[] times, int count, int points, List<PointBlock> to) {
    int size = Math.min(points, count);
    for (int from = 0; from + size <= count; from += size) {
      PointBlock block = new PointBlock(size);
      for (int i = from; i < from + size; i++) {
        block.add(times[i], bits[i], areDoubles);
      }
      to.add(block);
    }
  }

  @Override
  public String toString() {
    return id;
  }
}
