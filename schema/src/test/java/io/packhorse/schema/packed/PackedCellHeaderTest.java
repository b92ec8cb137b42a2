package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The header of a cell against its points one by one. */
class PackedCellHeaderTest {
  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PackedCellDecoder decoder = new PackedCellDecoder();

  @Test
  void describesThePoints() throws MalformedCellException {
    int withStatistics = 0;
    for (long seed = 1; seed <= 30; seed++) {
      for (BlockShapes.Shape shape : BlockShapes.all(seed)) {
        String message = "seed " + seed + ", " + shape.name();
        PointBlock block = shape.block();
        PackedCellHeader header = PackedCellHeader.parse(encoder.encode(block));
        assertEquals(block.count(), header.count(), message);
        boolean oneKind = block.doubles() == 0 || block.doubles() == block.count();
        assertTrue(oneKind || header.mixed(), message);
        assertTrue(!oneKind || header.plain() || !header.mixed(), message);
        if (header.firstOffsetMs() >= 0) {
          assertEquals(block.offsetsMs()[0], header.firstOffsetMs(), message);
          assertEquals(block.offsetsMs()[block.count() - 1], header.lastOffsetMs(), message);
        }
        CellStatistics statistics = header.statistics();
        if (statistics != null) {
          withStatistics++;
          assertEqual(ValueSummary.of(block), statistics, message);
          if (statistics.integers()) {
            long exact = Arrays.stream(block.values(), 0, block.count()).sum();
            assertEquals(exact, statistics.sum(), message);
          }
        }
      }
    }
    assertTrue(withStatistics > 300, "cells with statistics: " + withStatistics);
  }

  /** assertEquals tells 0.0 from -0.0 and takes all NaN for equal. */
  private static void assertEqual(ValueSummary expected, CellStatistics found, String message) {
    assertEquals(expected.count(), found.count(), message);
    assertEquals(expected.numbers(), found.numbers(), message);
    assertEquals(expected.first(), found.asDouble(found.first()), message);
    assertEquals(expected.last(), found.asDouble(found.last()), message);
    assertEquals(expected.min(), found.asDouble(found.min()), message);
    assertEquals(expected.max(), found.asDouble(found.max()), message);
    if (!found.integers()) {
      assertEquals(expected.sum(), found.asDouble(found.sum()), message);
    }
  }

  @Test
  void isReadWithoutTheBody() throws MalformedCellException {
    PointBlock block = new PointBlock();
    for (int i = 0; i < 300; i++) {
      block.addLong(2_000_000 + 1000 * i, i);
    }
    byte[] cell = encoder.encode(block);
    cell[cell.length - 1] ^= 1;
    PackedCellHeader header = PackedCellHeader.parse(cell);
    assertEquals(2_000_000, header.firstOffsetMs());
    assertEquals(2_299_000, header.lastOffsetMs());
    assertNotNull(header.statistics());
    assertThrows(MalformedCellException.class, () -> decoder.decode(cell, new PointBlock()));
  }

  /** Regular, of one point: its step is used by no other and may be longer than an hour. */
  @Test
  void theStepOfASinglePointMayBeLongerThanTheHour() throws MalformedCellException {
    byte[] cell = HexFormat.of().parseHex("C01001FFDCDB010002");
    PointBlock block = new PointBlock();
    decoder.decode(cell, block);
    assertEquals(ReferenceDecoder.decode(cell), block);
    PackedCellHeader header = PackedCellHeader.parse(cell);
    assertEquals(0, header.firstOffsetMs());
    assertEquals(0, header.lastOffsetMs());
  }

  @Test
  void statisticsAreLeftOutWhereTheyCouldDiffer() throws MalformedCellException {
    assertNull(statistics(255, i -> i, false), "few points");
    assertNull(statistics(256, i -> Long.MAX_VALUE - i, false), "sum above 64 bits");
    assertNotNull(statistics(256, i -> i % 2 == 0 ? Long.MAX_VALUE : Long.MIN_VALUE, false));
    assertNull(statistics(256, i -> 0x7ff8_0000_0000_0000L, true), "all NaN");
    long infinity = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
    assertNull(statistics(256, i -> i == 7 ? infinity : infinity | 1L << 63, true), "sum is NaN");
    assertNotNull(statistics(256, i -> infinity, true));
  }

  @Test
  void aFlippedBitNeverChangesTheStatistics() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(14);
    for (String values : new String[] {"walk", "decimal", "raw", "float"}) {
      for (String times : new String[] {"1s", "holes"}) {
        byte[] cell = encoder.encode(BlockShapes.block(times, values, 300, random));
        CellStatistics statistics = PackedCellHeader.parse(cell).statistics();
        assertNotNull(statistics);
        for (int bit = 0; bit < 8 * Math.min(cell.length, 100); bit++) {
          byte[] damaged = cell.clone();
          damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
          String message = values + ", " + times + ", bit " + bit;
          CellStatistics found = statisticsOf(damaged);
          assertTrue(found == null || found.equals(statistics), message);
          assertThrows(
              MalformedCellException.class,
              () -> decoder.decode(damaged, new PointBlock()),
              message);
        }
      }
    }
  }

  /** Null without statistics, or if the header is malformed. */
  private static @Nullable CellStatistics statisticsOf(byte[] cell) {
    try {
      return PackedCellHeader.parse(cell).statistics();
    } catch (MalformedCellException e) {
      assertFalse(e.offset() > cell.length, e.toString());
      return null;
    }
  }

  private interface Bits {
    long at(int i);
  }

  private @Nullable CellStatistics statistics(int count, Bits bits, boolean areDoubles)
      throws MalformedCellException {
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      block.add(1000 * i, bits.at(i), areDoubles);
    }
    return PackedCellHeader.parse(encoder.encode(block)).statistics();
  }
}
