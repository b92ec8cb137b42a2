package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Header, aggregation and downsampling against the points one by one. */
class PackedCellQueryTest {
  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PackedCellDecoder decoder = new PackedCellDecoder();

  @Test
  void theHeaderSaysWhatThePointsGive() throws MalformedCellException {
    int summed = 0;
    for (long seed = 1; seed <= 30; seed++) {
      for (BlockShapes.Shape shape : BlockShapes.all(seed)) {
        PointBlock block = shape.block();
        PackedCellHeader header = PackedCellHeader.parse(encoder.encode(block));
        assertEquals(block.count(), header.count(), shape.name());
        if (header.firstOffsetMs() >= 0) {
          assertEquals(block.offsetsMs()[0], header.firstOffsetMs(), shape.name());
          assertEquals(block.offsetsMs()[block.count() - 1], header.lastOffsetMs(), shape.name());
        }
        CellStatistics statistics = header.statistics();
        if (statistics != null) {
          summed++;
          PointAccumulator model = model(block, 0, PointBlock.HOUR_MS);
          assertEquals(block.count(), statistics.count(), shape.name());
          assertEquals(model.numbers(), statistics.numbers(), shape.name());
          assertSame(model.first(), statistics.asDouble(statistics.first()), shape);
          assertSame(model.last(), statistics.asDouble(statistics.last()), shape);
          assertSame(model.min(), statistics.asDouble(statistics.min()), shape);
          assertSame(model.max(), statistics.asDouble(statistics.max()), shape);
          if (!statistics.integers() || statistics.addsExactly(0)) {
            assertSame(model.sum(), statistics.asDouble(statistics.sum()), shape);
          }
        }
      }
    }
    assertTrue(summed > 300, "cells with statistics: " + summed);
  }

  @Test
  void aggregatesAnyRangeLikeThePointsOneByOne() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(11);
    PointAccumulator found = new PointAccumulator();
    for (long seed = 31; seed <= 50; seed++) {
      for (BlockShapes.Shape shape : BlockShapes.all(seed)) {
        PointBlock block = shape.block();
        byte[] cell = encoder.encode(block);
        for (int k = 0; k < 4; k++) {
          int from = k == 0 ? 0 : random.nextInt(-1000, PointBlock.HOUR_MS);
          int to = k == 0 ? PointBlock.HOUR_MS : random.nextInt(from, PointBlock.HOUR_MS + 1000);
          found.reset();
          decoder.aggregate(cell, from, to, found);
          assertEqual(model(block, from, to), found, shape + " " + from + " to " + to);
        }
      }
    }
  }

  @Test
  void goesOnAfterEarlierCellsAsIfPointByPoint() throws MalformedCellException {
    PointAccumulator found = new PointAccumulator();
    PointAccumulator model = new PointAccumulator();
    SplittableRandom random = new SplittableRandom(12);
    for (String values : new String[] {"walk", "decimal", "any64", "gaps", "mixed", "walk"}) {
      PointBlock block = BlockShapes.block("1s", values, 400, random);
      decoder.aggregate(encoder.encode(block), 0, PointBlock.HOUR_MS, found);
      add(block, 0, PointBlock.HOUR_MS, model);
      assertEqual(model, found, values);
    }
  }

  @Test
  void downsamplesLikeThePointsOneByOne() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(13);
    int[] intervals = {1, 999, 1000, 10_000, 60_000, 1_800_000, 3_600_000, Integer.MAX_VALUE};
    for (long seed = 51; seed <= 60; seed++) {
      for (BlockShapes.Shape shape : BlockShapes.all(seed)) {
        PointBlock block = shape.block();
        byte[] cell = encoder.encode(block);
        int interval = intervals[random.nextInt(1, intervals.length)];
        int from = random.nextBoolean() ? 0 : random.nextInt(PointBlock.HOUR_MS);
        int to = random.nextBoolean() ? PointBlock.HOUR_MS : random.nextInt(from, 3_600_001);
        int size = (PointBlock.HOUR_MS - from) / interval + 1;
        PointBuckets found = new PointBuckets(size + 2);
        decoder.downsample(cell, from, to, interval, found, 2);
        PointAccumulator bucket = new PointAccumulator();
        for (int i = 0; i < size; i++) {
          long start = from + (long) i * interval;
          PointAccumulator model = model(block, start, Math.min(to, start + interval));
          bucket.load(found, i + 2);
          assertEqual(model, bucket, shape + ", bucket " + i);
        }
        assertArrayEquals(new long[] {0, 0}, new long[] {found.count()[0], found.count()[1]});
      }
    }
    byte[] cell = encoder.encode(BlockShapes.block("1s", "walk", 3, random));
    assertThrows(
        IllegalArgumentException.class,
        () -> decoder.downsample(cell, 0, 10, 0, new PointBuckets(1), 0));
  }

  /** 300 integers from second 2000 on, cell broken behind its header: it must not be read. */
  private static byte[] brokenBehindTheHeader(PointBlock block) {
    for (int i = 0; i < 300; i++) {
      block.addLong(2_000_000 + 1000 * i, i);
    }
    byte[] cell = new PackedCellEncoder().encode(block);
    cell[cell.length - 1] ^= 1;
    return cell;
  }

  @Test
  void aRangeThatHoldsAllPointsIsAnsweredByTheHeader() throws MalformedCellException {
    PointBlock block = new PointBlock();
    byte[] cell = brokenBehindTheHeader(block);
    PointAccumulator found = new PointAccumulator();
    decoder.aggregate(cell, 2_000_000, 2_299_001, found);
    assertEqual(model(block, 0, PointBlock.HOUR_MS), found, "the range just holds them");
    for (int[] range : new int[][] {{2_000_001, 3_600_000}, {0, 2_299_000}}) {
      assertThrows(
          MalformedCellException.class,
          () -> decoder.aggregate(cell, range[0], range[1], new PointAccumulator()));
    }
  }

  @Test
  void aBucketThatHoldsAllPointsIsAnsweredByTheHeader() throws MalformedCellException {
    PointBlock block = new PointBlock();
    byte[] cell = brokenBehindTheHeader(block);
    PointAccumulator bucket = new PointAccumulator();
    for (int[] query :
        new int[][] {
          {0, 1_800_000, 1},
          {500_000, 1_000_000, 1},
          {2_000_000, 299_001, 0},
          {-400_000, 600_000, 4}
        }) {
      PointBuckets found = new PointBuckets(8);
      decoder.downsample(cell, query[0], PointBlock.HOUR_MS, query[1], found, 2);
      bucket.load(found, 2 + query[2]);
      assertEqual(model(block, 0, PointBlock.HOUR_MS), bucket, "from " + query[0]);
      assertEquals(300, Arrays.stream(found.count()).sum());
    }
    assertThrows(
        MalformedCellException.class,
        () -> decoder.downsample(cell, 0, 3_600_000, 2_299_000, new PointBuckets(4), 0),
        "the last point is in the next bucket");
  }

  @Test
  void bucketsOfAMillisecondHoldAPointEach() throws MalformedCellException {
    PointBlock block = new PointBlock();
    for (int i = 0; i < 5; i++) {
      block.addLong(10 + i, i);
    }
    PointBuckets found = new PointBuckets(4);
    decoder.downsample(encoder.encode(block), 11, 14, 1, found, 0);
    assertArrayEquals(new long[] {1, 1, 1, 0}, found.count());
    assertArrayEquals(new double[] {1, 2, 3, 0}, found.sum());
  }

  @Test
  void aRangeMayBeginAnyNumberOfDaysBeforeTheHour() throws MalformedCellException {
    for (int count : new int[] {5, 300}) {
      PointBlock block = new PointBlock();
      for (int i = 0; i < count; i++) {
        block.addLong(1000 * i, i);
      }
      byte[] cell = encoder.encode(block);
      for (int from : new int[] {Integer.MIN_VALUE, -2_147_000_000, -2_000_000_000}) {
        int interval = Integer.MAX_VALUE;
        PointBuckets found = new PointBuckets(4);
        long[] model = new long[4];
        for (int i = 0; i < count; i++) {
          model[2 + (int) ((1000L * i - from) / interval)]++;
        }
        assertTimeoutPreemptively(
            Duration.ofSeconds(20),
            () -> decoder.downsample(cell, from, PointBlock.HOUR_MS, interval, found, 2));
        assertArrayEquals(model, found.count(), count + " from " + from);
      }
    }
  }

  /** Regular, of one point, whose step counts no hour but a month. */
  @Test
  void theStepOfASinglePointMayBeLongerThanAnInterval() throws MalformedCellException {
    byte[] cell = HexFormat.of().parseHex("C01001FFDCDB010002");
    PointBlock block = new PointBlock();
    decoder.decode(cell, block);
    assertEquals(ReferenceDecoder.decode(cell), block);
    PointBuckets found = new PointBuckets(1);
    decoder.downsample(cell, 0, PointBlock.HOUR_MS, Integer.MAX_VALUE, found, 0);
    assertArrayEquals(new long[] {1}, found.count());
    assertArrayEquals(new double[] {1}, found.sum());
  }

  @Test
  void statisticsAreLeftOutWhereTheyCouldDiffer() throws MalformedCellException {
    assertNull(statistics(255, i -> i, false), "few points");
    assertNull(statistics(256, i -> Long.MAX_VALUE - i, false), "sum above 64 bits");
    assertNotNull(statistics(256, i -> i % 2 == 0 ? Long.MAX_VALUE : Long.MIN_VALUE, false));
    assertNull(statistics(256, i -> 0x7ff8_0000_0000_0000L, true), "no number");
    long infinity = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
    assertNull(statistics(256, i -> i == 7 ? infinity : infinity | 1L << 63, true), "sum is NaN");
    assertNotNull(statistics(256, i -> infinity, true));
  }

  @Test
  void aSumThatCannotBeExactIsNotTakenFromTheHeader() {
    CellStatistics large = new CellStatistics(true, 300, 300, 1, 1, 1, 1L << 50, 1L << 51);
    PointAccumulator sum = new PointAccumulator();
    assertFalse(sum.add(large));
    CellStatistics small = new CellStatistics(true, 300, 300, 1, 2, 1, 2, 450);
    assertTrue(sum.add(small));
    sum.add(0.5);
    assertFalse(sum.add(small), "what was summed is no integer");
  }

  @Test
  void aFlippedBitOfTheHeaderNeverChangesAnAggregate() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(14);
    for (String values : new String[] {"walk", "decimal", "raw", "float"}) {
      for (String times : new String[] {"1s", "holes"}) {
        PointBlock block = BlockShapes.block(times, values, 300, random);
        byte[] cell = encoder.encode(block);
        assertNotNull(PackedCellHeader.parse(cell).statistics());
        PointAccumulator model = model(block, 0, PointBlock.HOUR_MS);
        for (int bit = 0; bit < 8 * Math.min(cell.length, 100); bit++) {
          byte[] damaged = cell.clone();
          damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
          PointAccumulator found = new PointAccumulator();
          try {
            decoder.aggregate(damaged, 0, PointBlock.HOUR_MS, found);
            assertEqual(model, found, values + ", bit " + bit);
          } catch (MalformedCellException e) {
            assertEquals(0, found.count(), "nothing is added before the check");
          }
        }
      }
    }
  }

  private interface Bits {
    long at(int i);
  }

  private @org.jspecify.annotations.Nullable CellStatistics statistics(
      int count, Bits bits, boolean areDoubles) throws MalformedCellException {
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      block.add(1000 * i, bits.at(i), areDoubles);
    }
    return PackedCellHeader.parse(encoder.encode(block)).statistics();
  }

  private static PointAccumulator model(PointBlock block, long from, long to) {
    PointAccumulator model = new PointAccumulator();
    add(block, from, to, model);
    return model;
  }

  private static void add(PointBlock block, long from, long to, PointAccumulator model) {
    for (int i = 0; i < block.count(); i++) {
      int offset = block.offsetsMs()[i];
      if (offset >= from && offset < to) {
        long bits = block.values()[i];
        model.add(block.isDouble()[i] ? Double.longBitsToDouble(bits) : (double) bits);
      }
    }
  }

  private static void assertEqual(PointAccumulator model, PointAccumulator found, String message) {
    assertEquals(model.count(), found.count(), message);
    assertEquals(model.numbers(), found.numbers(), message);
    assertEquals(model.first(), found.first(), message);
    assertEquals(model.last(), found.last(), message);
    assertEquals(model.min(), found.min(), message);
    assertEquals(model.max(), found.max(), message);
    assertEquals(model.sum(), found.sum(), message);
  }

  /** assertEquals tells 0.0 from -0.0 and takes all NaN for equal. */
  private static void assertSame(double expected, double found, BlockShapes.Shape shape) {
    assertEquals(expected, found, shape.name());
  }
}
