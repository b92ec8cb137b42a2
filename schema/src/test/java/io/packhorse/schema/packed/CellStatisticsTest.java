package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the header says of a cell's points, up to the last value that it may say it of. */
class CellStatisticsTest {
  private static final int COUNT = PackedCellDescriptor.STATISTICS_FROM_POINTS;
  private static final long MINUS_ZERO = bits(-0.0);
  private static final long NAN = bits(Double.NaN);

  private interface Values {
    long at(int i);
  }

  private interface Kinds {
    boolean isDouble(int i);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static @Nullable CellStatistics of(Kinds kinds, Values values)
      throws MalformedCellException {
    PointBlock block = new PointBlock(COUNT);
    for (int i = 0; i < COUNT; i++) {
      block.add(1000 * i, values.at(i), kinds.isDouble(i));
    }
    PackedCellEncoder encoder = new PackedCellEncoder();
    CellStatistics stored = PackedCellHeader.parse(encoder.encode(block)).statistics();
    assertEquals(stored, CellStatistics.of(block), "computed without a header");
    assertEquals(stored, encoder.statistics(block), "known from encoding");
    return stored;
  }

  private static CellStatistics ofDoubles(Values values) throws MalformedCellException {
    CellStatistics found = of(i -> true, values);
    assertNotNull(found);
    return found;
  }

  @Test
  void thoseOfAnyPointsAreThoseOfTheHeader() throws MalformedCellException {
    PackedCellEncoder encoder = new PackedCellEncoder();
    for (String shape : Shapes.ALL) {
      for (PointBlock block : Shapes.blocks(shape, 3600, 2)) {
        CellStatistics stored = PackedCellHeader.parse(encoder.encode(block)).statistics();
        assertEquals(stored, CellStatistics.of(block), shape);
        assertEquals(stored, encoder.statistics(block), shape);
      }
      for (int points : new int[] {1, 2, 3, 12, 60, 255}) {
        for (PointBlock block : Shapes.blocks(shape, points, 1)) {
          encoder.encode(block);
          assertEquals(CellStatistics.of(block), encoder.statistics(block), shape + " " + points);
        }
      }
    }
  }

  @Test
  void integersHaveThemWhileTheirSumIsALong() throws MalformedCellException {
    long share = 1L << 55;
    assertNull(of(i -> false, i -> share), "2^63");
    assertNull(of(i -> false, i -> i == 0 ? share + 1 : i == 1 ? share - 1 : share), "2^63");
    CellStatistics max = of(i -> false, i -> i == 9 ? share - 1 : share);
    assertNotNull(max);
    assertEquals(Long.MAX_VALUE, max.sum());
    CellStatistics min = of(i -> false, i -> -share);
    assertNotNull(min);
    assertEquals(Long.MIN_VALUE, min.sum());
    assertNull(of(i -> false, i -> i == 9 ? -share - 1 : -share), "-2^63 - 1");
  }

  @Test
  void integersBesideDoublesMustBeDoublesThemselves() throws MalformedCellException {
    long end = 1L << 53;
    for (long most : new long[] {end, -end}) {
      CellStatistics found = of(i -> i % 2 == 0, i -> i % 2 == 0 ? bits(1.5) : i == 3 ? most : 7);
      assertNotNull(found, "integer " + most);
      assertEquals(Math.min(1.5, (double) most), found.asDouble(found.min()));
      assertEquals(Math.max(7.0, (double) most), found.asDouble(found.max()));
      long beyond = most + Long.signum(most);
      assertNull(
          of(i -> i % 2 == 0, i -> i % 2 == 0 ? bits(1.5) : i == 3 ? beyond : 7),
          "integer " + beyond);
    }
  }

  @Test
  void mixedOnesAreThoseOfTheValuesAsDoubles() throws MalformedCellException {
    for (int doubles = 0; doubles < 2; doubles++) {
      int odd = doubles;
      Kinds kinds = i -> i % 2 == odd;
      CellStatistics found = of(kinds, i -> i % 2 == odd ? bits(-i - 0.25) : 3L * i);
      assertNotNull(found);
      assertFalse(found.integers());
      double[] values = new double[COUNT];
      Arrays.setAll(values, i -> i % 2 == odd ? -i - 0.25 : 3.0 * i);
      ValueSummary points = ValueSummary.of(values);
      assertEquals(COUNT, found.numbers());
      assertEquals(points.first(), found.asDouble(found.first()));
      assertEquals(points.last(), found.asDouble(found.last()));
      assertEquals(points.min(), found.asDouble(found.min()));
      assertEquals(points.max(), found.asDouble(found.max()));
      assertEquals(points.sum(), found.asDouble(found.sum()));
    }
  }

  @Test
  void mixedOnesLeaveOutNanAndNeedANumberAndASum() throws MalformedCellException {
    Kinds firstIsInteger = i -> i > 0;
    CellStatistics found = of(firstIsInteger, i -> i == 0 ? 5 : NAN);
    assertNotNull(found);
    assertEquals(1, found.numbers());
    assertEquals(5.0, found.asDouble(found.sum()));
    assertNull(
        of(
            firstIsInteger,
            i -> i == 0 ? 5 : bits(i == 1 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY)));
  }

  @Test
  void oneNumberIsEnough() throws MalformedCellException {
    CellStatistics found = ofDoubles(i -> i == 100 ? bits(2.5) : NAN);
    assertEquals(1, found.numbers());
    assertEquals(2.5, found.asDouble(found.min()));
    assertEquals(2.5, found.asDouble(found.max()));
    assertEquals(Double.NaN, found.asDouble(found.first()));
    assertNull(of(i -> true, i -> NAN));
  }

  @Test
  void ofBothZerosTheFirstIsLeastAndGreatest() throws MalformedCellException {
    for (boolean mixed : new boolean[] {false, true}) {
      Kinds kinds = i -> !mixed || i > 1;
      long zero = mixed ? 0 : bits(0.0);
      CellStatistics positive = of(kinds, i -> i < 2 ? zero : i % 2 == 0 ? MINUS_ZERO : bits(0.0));
      assertNotNull(positive);
      assertEquals(bits(0.0), positive.min());
      assertEquals(bits(0.0), positive.max());
      if (!mixed) {
        CellStatistics negative = ofDoubles(i -> i % 2 == 0 ? MINUS_ZERO : bits(0.0));
        assertEquals(MINUS_ZERO, negative.min());
        assertEquals(MINUS_ZERO, negative.max());
      }
    }
    CellStatistics negative =
        of(i -> i != 3, i -> i == 3 ? 0 : i % 2 == 0 ? MINUS_ZERO : bits(0.0));
    assertNotNull(negative);
    assertEquals(MINUS_ZERO, negative.min());
    assertEquals(MINUS_ZERO, negative.max());
  }

  @Test
  void decimalsOfEveryExponentAreKeptBitForBit() throws MalformedCellException {
    for (int exponent = 0; exponent <= Decimals.EXPONENT_MAX; exponent++) {
      double power = Math.pow(10, exponent);
      CellStatistics found = ofDoubles(i -> bits((i * 7 + 1) / power));
      assertEquals(bits(1 / power), found.first());
      assertEquals(bits((7 * COUNT - 6) / power), found.last());
      assertEquals(found.first(), found.min());
      assertEquals(found.last(), found.max());
    }
    CellStatistics raw = ofDoubles(i -> bits(Math.PI + i));
    assertEquals(bits(Math.PI), raw.first());
    assertEquals(bits(Math.PI + COUNT - 1), raw.max());
  }
}
