package io.packhorse.schema.summary;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.packed.CellStatistics;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Blocks of the summary table. */
final class SummaryBlockTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Set<SummaryValue> ALL = EnumSet.allOf(SummaryValue.class);

  /** The example of docs/format.md: changing these bytes is a change of the format. */
  private static final String EXAMPLE =
      "01 64 02 03 0c0320 09 040618fcffff000000 03 0c0202 03 01302b 02 0000 02 0000"
          + " 09 0c1c00dbde09d0dd06 02 0014 02 002e 02 0000 02 002e 03 00a804 0e535be4";

  private static final List<SummaryLevel> LEVELS = List.of(SummaryLevel.values());

  private final SummaryBlock code = new SummaryBlock();

  @Test
  void blocksKeepTheirEntries() throws Exception {
    Random random = new Random(5);
    SummaryEntries again = new SummaryEntries();
    for (int round = 0; round < 2000; round++) {
      SummaryLevel level = LEVELS.get(random.nextInt(3));
      SummaryEntries entries = random(random, level);
      byte[] block = code.encode(level, entries);
      code.decode(level, block, ALL, again);
      assertSame(entries, again, ALL);
      Set<SummaryValue> wanted = EnumSet.noneOf(SummaryValue.class);
      for (SummaryValue value : SummaryValue.values()) {
        if (random.nextBoolean()) {
          wanted.add(value);
        }
      }
      code.decode(level, block, wanted, again);
      assertSame(entries, again, wanted);
    }
  }

  @Test
  void everyDamageIsNoticed() {
    byte[] block = code.encode(SummaryLevel.DAY, random(new Random(6), SummaryLevel.DAY));
    SummaryEntries into = new SummaryEntries();
    for (int bit = 0; bit < block.length * 8; bit++) {
      byte[] damaged = block.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(
          MalformedCellException.class, () -> code.decode(SummaryLevel.DAY, damaged, ALL, into));
    }
    for (int length = 0; length < block.length; length++) {
      byte[] cut = Arrays.copyOf(block, length);
      assertThrows(
          MalformedCellException.class, () -> code.decode(SummaryLevel.DAY, cut, ALL, into));
    }
    assertThrows(
        MalformedCellException.class,
        () -> code.decode(SummaryLevel.HOUR, block, ALL, into),
        "another level");
  }

  @Test
  void aDayOfASecondSensorTakesFewBytes() {
    Random random = new Random(7);
    SummaryEntries hours = new SummaryEntries();
    long value = 1000;
    for (int hour = 0; hour < 31 * 24; hour++) {
      long first = value;
      long low = value;
      long high = value;
      long sum = value;
      for (int i = 1; i < 3600; i++) {
        value += random.nextInt(101) - 50;
        low = Math.min(low, value);
        high = Math.max(high, value);
        sum += value;
      }
      hours.add(
          hour,
          0,
          3600,
          0,
          3_599_000,
          new CellStatistics(true, 3600, 3600, first, value, low, high, sum));
    }
    int bytes = code.encode(SummaryLevel.HOUR, hours).length;
    // 3 % of the 3,045 bytes of such an hour's cell would be 91.
    assertTrue(bytes < 31 * 24 * 12, "bytes=" + bytes);
  }

  @Test
  void statisticsJoin() {
    CellStatistics a = new CellStatistics(true, 2, 2, 5, 3, 3, 5, 8);
    CellStatistics b = new CellStatistics(true, 1, 1, 9, 9, 9, 9, 9);
    assertEquals(new CellStatistics(true, 3, 3, 5, 9, 3, 9, 17), Statistics.join(a, b));
    CellStatistics d =
        new CellStatistics(false, 3, 2, bits(Double.NaN), bits(2.5), bits(0.5), bits(2.5), bits(3));
    assertEquals(
        new CellStatistics(false, 5, 4, bits(5), bits(2.5), bits(0.5), bits(5), bits(11)),
        Statistics.join(a, d));
    assertEquals(
        new CellStatistics(false, 5, 4, bits(Double.NaN), bits(3), bits(0.5), bits(5), bits(11)),
        Statistics.join(d, a));
    assertNull(Statistics.join(a, null));
    assertNull(Statistics.join(null, a));
  }

  @Test
  void statisticsThatCannotBeJoinedAreLeftOut() {
    CellStatistics large =
        new CellStatistics(
            true,
            1,
            1,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE);
    CellStatistics one = new CellStatistics(true, 1, 1, 1, 1, 1, 1, 1);
    CellStatistics half =
        new CellStatistics(false, 1, 1, bits(.5), bits(.5), bits(.5), bits(.5), bits(.5));
    assertNull(Statistics.join(large, one), "a sum beyond 64 bits");
    assertNull(Statistics.join(large, half), "an integer that is no double");
    CellStatistics up = doubles(Double.POSITIVE_INFINITY);
    assertNull(Statistics.join(up, doubles(Double.NEGATIVE_INFINITY)), "a sum that is NaN");
    CellStatistics many = new CellStatistics(true, Integer.MAX_VALUE, 1, 1, 1, 1, 1, 1);
    assertNull(Statistics.join(many, one), "more than 2^31 points");
  }

  @Test
  void zerosKeepTheSignOfTheEarlier() {
    CellStatistics joined = Statistics.join(doubles(-0.0), doubles(0.0));
    assertNotNull(joined);
    assertEquals(bits(-0.0), joined.min());
    assertEquals(bits(-0.0), joined.max());
  }

  @Test
  void exampleOfTheDocument() throws Exception {
    SummaryEntries days = new SummaryEntries();
    days.add(0, 0xffffff, 24, 0, 82_800_000, new CellStatistics(true, 24, 24, 10, 33, 10, 33, 516));
    days.add(2, 0x3, 2, 0, 3_600_000, null);
    byte[] block = HEX.parseHex(EXAMPLE.replace(" ", ""));
    assertEquals(HEX.formatHex(block), HEX.formatHex(code.encode(SummaryLevel.DAY, days)));
    SummaryEntries again = new SummaryEntries();
    code.decode(SummaryLevel.DAY, block, ALL, again);
    assertSame(days, again, ALL);
  }

  @Test
  void levelsHaveTheRowsOfTheirHours() {
    long hour = 1_709_210_096 / 3600 * 3600; // 2024-02-29T12:00:00Z
    assertEquals(1_704_067_200, SummaryLevel.MONTH.row(hour));
    assertEquals(1_735_689_600, SummaryLevel.MONTH.nextRow(1_704_067_200));
    assertEquals(1_706_745_600, SummaryLevel.DAY.row(hour));
    assertEquals(1_706_745_600, SummaryLevel.HOUR.row(hour));
    assertEquals(1_709_251_200, SummaryLevel.DAY.nextRow(1_706_745_600));
    assertEquals(1, SummaryLevel.MONTH.index(hour));
    assertEquals(28, SummaryLevel.DAY.index(hour));
    assertEquals(28 * 24 + 12, SummaryLevel.HOUR.index(hour));
    assertEquals(28, SummaryLevel.MONTH.part(hour));
    assertEquals(12, SummaryLevel.DAY.part(hour));
    for (SummaryLevel level : SummaryLevel.values()) {
      long start = level.start(level.row(hour), level.index(hour));
      assertTrue(start <= hour);
      assertTrue(level.start(level.row(hour), level.index(hour) + 1) > hour);
    }
  }

  @Test
  void qualifiersAndNamesOfColumns() {
    SummaryQualifier qualifier = new SummaryQualifier(0x010203, 4);
    assertArrayEquals(new byte[] {1, 2, 3, 4}, qualifier.toBytes());
    assertEquals(qualifier, SummaryQualifier.parse(qualifier.toBytes()));
    assertTrue(SummaryQualifier.matches(qualifier.toBytes()));
    assertFalse(SummaryQualifier.matches(new byte[] {0, 0, 0, 4}));
    assertFalse(SummaryQualifier.matches(new byte[3]));
    assertThrows(IllegalArgumentException.class, () -> new SummaryQualifier(1, 256));
    assertThrows(IllegalArgumentException.class, () -> new SummaryQualifier(0, 1));
    assertEquals("tsdb-summary", SummaryTable.of("tsdb"));
    assertEquals("636c61696d010203", HEX.formatHex(SummaryTable.claim(0x010203)));
    assertEquals(0x010203, SummaryTable.loaderOf(SummaryTable.claim(0x010203)));
    assertEquals(0, SummaryTable.loaderOf(SummaryTable.otherClaim(7)));
    assertTrue(SummaryTable.isClaim(SummaryTable.claim(1)));
    assertTrue(SummaryTable.isClaim(SummaryTable.otherClaim(1)));
    assertFalse(SummaryTable.isClaim("whole".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    assertThrows(IllegalArgumentException.class, () -> SummaryTable.claim(0));
  }

  private static CellStatistics doubles(double value) {
    long bits = bits(value);
    return new CellStatistics(false, 1, 1, bits, bits, bits, bits, bits);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static SummaryEntries random(Random random, SummaryLevel level) {
    SummaryEntries entries = new SummaryEntries();
    int kinds = random.nextInt(7) + 1;
    int at = random.nextInt(level.entries());
    do {
      int count = 1 + random.nextInt(100_000);
      int kind;
      do {
        kind = random.nextInt(3);
      } while ((kinds >> kind & 1) == 0);
      entries.add(
          at,
          level.parts() == 0 ? 0 : 1 + random.nextInt((int) ((1L << level.parts()) - 1)),
          count,
          random.nextInt(1000),
          1000 + random.nextInt(1_000_000),
          kind == 0 ? null : statistics(random, kind == 1, count));
      at += 1 + (random.nextInt(4) == 0 ? random.nextInt(10) : 0);
    } while (at < level.entries());
    return entries;
  }

  private static CellStatistics statistics(Random random, boolean integers, int count) {
    if (integers) {
      long first = random.nextLong() >> random.nextInt(64);
      return new CellStatistics(
          true,
          count,
          count,
          first,
          first + random.nextInt(1000) - 500,
          first - 500 - random.nextInt(1000),
          first + 500 + random.nextInt(1000),
          random.nextLong());
    }
    return new CellStatistics(
        false,
        count,
        1 + random.nextInt(count),
        bits(random.nextInt(1000) / 10.),
        bits(random.nextGaussian()),
        bits(-random.nextDouble()),
        bits(random.nextInt(8) == 0 ? Double.POSITIVE_INFINITY : 1 + random.nextDouble()),
        bits(random.nextGaussian() * 1e6));
  }

  private static void assertSame(
      SummaryEntries expected, SummaryEntries found, Set<SummaryValue> wanted) {
    assertEquals(expected.size(), found.size());
    for (int at = 0; at < expected.size(); at++) {
      assertEquals(expected.index(at), found.index(at));
      assertEquals(expected.parts(at), found.parts(at));
      assertEquals(expected.count(at), found.count(at));
      assertEquals(expected.firstMs(at), found.firstMs(at));
      assertEquals(expected.lastMs(at), found.lastMs(at));
      assertEquals(expected.hasStatistics(at), found.hasStatistics(at));
      CellStatistics left = expected.statistics(at);
      CellStatistics right = found.statistics(at);
      if (left == null || right == null) {
        assertEquals(left, right);
        continue;
      }
      assertEquals(left.integers(), right.integers());
      assertEquals(left.numbers(), right.numbers());
      for (SummaryValue value : wanted) {
        assertEquals(of(left, value), of(right, value), value.toString());
      }
    }
  }

  private static long of(CellStatistics of, SummaryValue value) {
    return switch (value) {
      case FIRST -> of.first();
      case LAST -> of.last();
      case MIN -> of.min();
      case MAX -> of.max();
      case SUM -> of.sum();
    };
  }
}
