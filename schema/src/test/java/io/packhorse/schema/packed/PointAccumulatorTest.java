package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Whole blocks and statistics add up as their points do one by one. */
class PointAccumulatorTest {
  private static final double EXACT_END = 0x1p53;

  private static PointBlock longs(long... values) {
    PointBlock block = new PointBlock(values.length);
    for (long value : values) {
      block.addLong(block.count(), value);
    }
    return block;
  }

  private static PointBlock doubles(double... values) {
    PointBlock block = new PointBlock(values.length);
    for (double value : values) {
      block.addDouble(block.count(), Double.doubleToRawLongBits(value));
    }
    return block;
  }

  /** Adds blocks whole, and their points, after some doubles; both must be the same. */
  private static PointAccumulator assertSameAsPoints(double[] before, PointBlock... blocks) {
    PointAccumulator points = new PointAccumulator();
    PointAccumulator whole = new PointAccumulator();
    for (double value : before) {
      points.add(value);
      whole.add(value);
    }
    for (PointBlock block : blocks) {
      whole.add(block, 0, block.count());
      for (int i = 0; i < block.count(); i++) {
        long bits = block.values()[i];
        points.add(block.isDouble()[i] ? Double.longBitsToDouble(bits) : (double) bits);
      }
    }
    assertEquals(points.count(), whole.count());
    assertEquals(points.numbers(), whole.numbers());
    assertEquals(points.first(), whole.first());
    assertEquals(points.last(), whole.last());
    assertEquals(points.min(), whole.min());
    assertEquals(points.max(), whole.max());
    assertEquals(points.sum(), whole.sum());
    return whole;
  }

  @Test
  void countsPointsAndNumbers() {
    PointAccumulator found =
        assertSameAsPoints(new double[] {Double.NaN, 2}, doubles(Double.NaN, -1), longs(4));
    assertEquals(5, found.count());
    assertEquals(3, found.numbers());
    assertEquals(Double.NaN, found.first());
    assertEquals(4, found.last());
    assertEquals(-1, found.min());
    assertEquals(4, found.max());
    assertEquals(5, found.sum());
    found.reset();
    assertEquals(0, found.count());
    assertEquals(0, found.sum());
    assertEquals(Double.NaN, found.min());
  }

  @Test
  void leastAndGreatestGoOnFromWhatWasBefore() {
    assertSameAsPoints(new double[] {3, 9}, longs(5, 7));
    assertSameAsPoints(new double[] {6}, longs(5, 7));
    assertSameAsPoints(new double[] {1}, doubles(0.5, 2), doubles(3));
    assertSameAsPoints(new double[] {Double.NaN}, longs(-5, -7), longs(-6));
  }

  @Test
  void ofEqualZerosTheFirstStays() {
    assertSameAsPoints(new double[] {-0.0}, longs(0, 0));
    assertSameAsPoints(new double[] {0.0}, doubles(-0.0), longs(0));
    assertSameAsPoints(new double[0], doubles(-0.0, 0.0), doubles(0.0));
    assertSameAsPoints(new double[0], doubles(0.0, -0.0));
  }

  @Test
  void integersWiderThanAnIntAreSeenWhole() {
    assertSameAsPoints(new double[0], longs(1L << 35, 5, -(1L << 33)));
    assertSameAsPoints(new double[0], longs(5, 1L << 35, 6));
    assertSameAsPoints(new double[0], longs(Long.MIN_VALUE, Long.MAX_VALUE));
  }

  @Test
  void sumsRoundAfterEachPoint() {
    assertSameAsPoints(new double[] {EXACT_END}, longs(1, 1));
    assertSameAsPoints(new double[] {-EXACT_END}, longs(-1, -1));
    assertSameAsPoints(new double[] {EXACT_END - 2}, longs(1, 1));
    assertSameAsPoints(new double[] {EXACT_END - 9}, longs(1L << 36, -(1L << 36)));
    assertSameAsPoints(new double[] {9 - EXACT_END}, longs(-(1L << 36), 1L << 36));
    assertSameAsPoints(new double[0], longs((1L << 52) + 1, 1L << 52, 1));
    double sum = assertSameAsPoints(new double[] {0.1}, longs(1L << 40, -(1L << 40))).sum();
    assertNotEquals(0.1, sum);
    assertSameAsPoints(new double[0], longs((1L << 53) + 2, 1, 1, 1));
    assertSameAsPoints(new double[0], longs(-(1L << 53) - 2, -1, -1, -1));
  }

  /** 321 times this is 2^53 + 1, and from 1 on 2^53 + 2, which is a double again. */
  @Test
  void aSumJustBeyond2To53IsNotTakenFromStatistics() {
    long value = 28_059_810_762_433L;
    CellStatistics all =
        new CellStatistics(true, 321, 321, value, value, value, value, (1L << 53) + 1);
    PointAccumulator found = new PointAccumulator();
    found.add(1);
    assertFalse(found.add(all));
    long[] values = new long[321];
    Arrays.fill(values, value);
    assertEquals(EXACT_END + 2, assertSameAsPoints(new double[] {1}, longs(values)).sum());
  }

  @Test
  void statisticsGoOnFromWhatWasBefore() {
    for (double before : new double[] {-4, 2, 9, -0.0}) {
      PointAccumulator found = new PointAccumulator();
      found.add(before);
      assertTrue(found.add(new CellStatistics(true, 3, 3, 2, 1, 0, 5, 8)));
      assertEquals(4, found.count());
      assertEquals(4, found.numbers());
      assertEquals(before, found.first());
      assertEquals(1, found.last());
      assertEquals(before <= 0 ? before : 0.0, found.min());
      assertEquals(Math.max(before, 5), found.max());
      assertEquals(before + 8, found.sum());
    }
    PointAccumulator found = new PointAccumulator();
    found.add(-0.0);
    assertTrue(found.add(new CellStatistics(true, 2, 2, -3, 0, -3, 0, -3)));
    assertEquals(-0.0, found.max(), "the first of equals");
  }

  @Test
  void emptyRangesAddNothing() {
    PointAccumulator found = new PointAccumulator();
    PointBlock block = longs(1, 2, 3);
    found.add(block, 1, 1);
    found.add(block, 2, 1);
    assertEquals(0, found.count());
    found.add(block, 1, 2);
    assertEquals(2, found.sum());
  }

  @Test
  void bucketsAreTheirArrays() {
    PointBuckets buckets = new PointBuckets(3);
    assertEquals(3, buckets.size());
    PointAccumulator points = new PointAccumulator();
    for (double value : new double[] {4, Double.NaN, 1, 2}) {
      points.add(value);
    }
    points.store(buckets, 1);
    double nan = Double.NaN;
    assertArrayEquals(new long[] {0, 4, 0}, buckets.count());
    assertArrayEquals(new long[] {0, 3, 0}, buckets.numbers());
    assertArrayEquals(new double[] {nan, 4, nan}, buckets.first());
    assertArrayEquals(new double[] {nan, 2, nan}, buckets.last());
    assertArrayEquals(new double[] {nan, 1, nan}, buckets.min());
    assertArrayEquals(new double[] {nan, 4, nan}, buckets.max());
    assertArrayEquals(new double[] {0, 7, 0}, buckets.sum());
    buckets.reset();
    assertArrayEquals(new long[3], buckets.count());
    assertArrayEquals(new long[3], buckets.numbers());
    assertArrayEquals(new double[3], buckets.sum());
    assertTrue(Arrays.stream(buckets.first()).allMatch(Double::isNaN));
    assertTrue(Arrays.stream(buckets.max()).allMatch(Double::isNaN));
  }
}
