package net.opentsdb.core;

import static net.opentsdb.core.Cells.annotation;
import static net.opentsdb.core.Cells.appended;
import static net.opentsdb.core.Cells.longs;
import static net.opentsdb.core.Cells.packed;
import static net.opentsdb.core.Cells.plain;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.opentsdb.meta.Annotation;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

/** Rows go in where a query's rows do; points come out through OpenTSDB's own readers. */
final class PackedRowTest {
  private final TSDB tsdb = OfflineTsdb.create();

  @Test
  void onePointComesOutAsAPlainColumn() {
    PointBlock point = longs(42, 7000);
    KeyValue merged = compact(packed(point, 1, 0, 10));
    assertArrayEquals(new byte[] {0, 0x70}, merged.qualifier());
    assertArrayEquals(new byte[] {42}, merged.value());
    assertPoints(point, merged);
  }

  @Test
  void fullHourComesOutAsStockWouldHaveCompactedIt() {
    PointBlock hour = new PointBlock();
    for (int i = 0; i < 3600; i++) {
      hour.addLong(i * 1000, i * 37L - 50_000);
    }
    KeyValue merged = compact(packed(hour, 1, 0, 10));
    KeyValue stock = plain(hour, 10);
    assertArrayEquals(stock.qualifier(), merged.qualifier());
    assertArrayEquals(stock.value(), merged.value());
    assertArrayEquals(TSDB.FAMILY(), merged.family());
    assertPoints(hour, merged);
  }

  /** Late points, one load after the other: each hour has a cell of each. */
  @Test
  void hundredsOfPartsAreOneRow() {
    int parts = 400;
    PointBlock hour = new PointBlock();
    PointBlock[] blocks = new PointBlock[parts];
    for (int part = 0; part < parts; part++) {
      blocks[part] = new PointBlock();
    }
    for (int i = 0; i < 3600; i++) {
      hour.addLong(i * 1000, i);
      int winner = i * 31 % parts;
      blocks[winner].addLong(i * 1000, i);
      if (winner > 0) {
        blocks[0].addLong(i * 1000, -1);
      }
    }
    KeyValue[] cells = new KeyValue[parts];
    for (int part = 0; part < parts; part++) {
      cells[part] = packed(blocks[part], 1 + part / 256, part % 256, 10);
    }
    assertPoints(hour, compact(cells));
  }

  @Test
  void secondsAndMillisecondsMix() {
    PointBlock mixed = longs(5, 0, 1, 999, 1000, 1001, 3_599_000, 3_599_999);
    KeyValue merged = compact(packed(mixed, 1, 0, 10));
    assertEquals(Const.MS_MIXED_COMPACT, merged.value()[merged.value().length - 1]);
    assertPoints(mixed, merged);
  }

  @Test
  void integersOfAllWidthsAndBothFloatsMix() {
    PointBlock mixed = new PointBlock();
    int at = 0;
    for (long value :
        new long[] {0, -1, 127, -128, 128, -32768, 32768, 1L << 31, -(1L << 31), 1L << 62}) {
      mixed.addLong(at++ * 1000, value);
    }
    mixed.addLong(at++ * 1000, Long.MIN_VALUE);
    mixed.addLong(at++ * 1000, Long.MAX_VALUE);
    for (double value :
        new double[] {
          0.5, -0.0, 0.1, Math.PI, Double.MIN_VALUE, -Double.MAX_VALUE, Double.POSITIVE_INFINITY
        }) {
      mixed.addDouble(at++ * 1000, Double.doubleToRawLongBits(value));
    }
    assertPoints(mixed, compact(packed(mixed, 1, 0, 10)));
  }

  @Test
  void randomBlocksComeOutAsTheyWentIn() {
    long seed = 20261120;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      PointBlock block = new PointBlock();
      int offset = random.nextInt(5000);
      int step = 1 << (8 + random.nextInt(10));
      while (offset < PointBlock.HOUR_MS) {
        if (random.nextBoolean()) {
          block.addLong(offset, random.nextLong() >> random.nextInt(64));
        } else {
          block.addDouble(offset, Double.doubleToRawLongBits(random.nextGaussian()));
        }
        offset += 1 + random.nextInt(step) + (round % 2 == 0 ? 0 : 999 - offset % 1000);
      }
      if (block.count() > 0) {
        assertPoints(block, compact(packed(block, 1, 0, 10)), "seed=" + seed + ", " + round);
      }
    }
  }

  @Test
  void packedCellAloneStaysAsItIs() {
    KeyValue cell = packed(longs(3, 0, 1000), 1, 0, 10);
    for (List<KeyValue> row : List.of(List.of(cell), List.of(annotation("on"), cell))) {
      assertSame(cell, tsdb.compact(new ArrayList<>(row), new ArrayList<>(), new ArrayList<>()));
    }
  }

  @Test
  void compactedColumnAloneStaysAsItIs() {
    for (PointBlock points :
        List.of(longs(3, 0, 1000), longs(-3, 80_000, 80_001), longs(1, 5, 1000, 1001, 3_599_999))) {
      KeyValue cell = plain(points, 10);
      assertSame(
          cell, tsdb.compact(new ArrayList<>(List.of(cell)), new ArrayList<>(), new ArrayList<>()));
    }
  }

  @Test
  void compactedColumnWithAFaultIsNotTakenAsItIs() {
    KeyValue sound = plain(longs(3, 0, 1000), 10);
    assertTrue(PackedRow.isCompacted(sound));
    byte[] swapped = {0, 16, 0, 0};
    KeyValue unordered = new KeyValue(Cells.ROW, TSDB.FAMILY(), swapped, 10, new byte[] {4, 3, 0});
    assertFalse(PackedRow.isCompacted(unordered));
    KeyValue noMetadata =
        new KeyValue(Cells.ROW, TSDB.FAMILY(), sound.qualifier(), 10, new byte[] {3, 4});
    assertFalse(PackedRow.isCompacted(noMetadata));
    KeyValue twice =
        new KeyValue(Cells.ROW, TSDB.FAMILY(), new byte[] {0, 0, 0, 0}, 10, new byte[] {3, 3, 0});
    assertFalse(PackedRow.isCompacted(twice));
  }

  @Test
  void partsInterleave() {
    assertPoints(
        longs(0, 0, 1000, 2000, 3000, 4000),
        compact(
            packed(block(longs(0, 0), longs(2, 2000), longs(4, 4000)), 1, 0, 10),
            packed(block(longs(1, 1000), longs(3, 3000)), 1, 1, 10)));
  }

  @Test
  void hundredsOfPartsStillAnswer() {
    int[] times = new int[3600];
    for (int i = 0; i < times.length; i++) {
      times[i] = i * 1000;
    }
    PointBlock hour = longs(0, times);
    List<KeyValue> cells = new ArrayList<>();
    for (int part = 0; part < 800; part++) {
      PointBlock some = new PointBlock();
      for (int i = part % 7; i < times.length; i += 7) {
        some.addLong(times[i], part >= 793 ? i : -part);
      }
      cells.add(packed(some, 1 + part / 256, part % 256, 10));
    }
    assertPoints(hour, compact(cells.toArray(new KeyValue[0])));
  }

  @Test
  void plainCompactedAndAppendedPointsJoinThePackedOnes() {
    assertPoints(
        longs(0, 0, 1000, 2000, 3000, 4000, 5000, 6500),
        compact(
            packed(longs(0, 0, 1000), 1, 0, 10),
            plain(longs(2, 2000), 11),
            plain(longs(3, 3000, 4000), 9),
            appended(12, longs(6, 6500), longs(5, 5000))));
  }

  @Test
  void emptyAppendColumnChangesNothing() {
    PointBlock points = longs(3, 0, 1000);
    assertPoints(points, compact(packed(points, 1, 0, 10), appended(11)));
  }

  @Test
  void lastOfEqualAppendedTimesCounts() {
    assertPoints(
        longs(8, 0, 1000),
        compact(packed(longs(8, 0), 1, 0, 10), appended(11, longs(1, 1000), longs(9, 1000))));
  }

  @Test
  void greaterCellTimestampWinsWhateverTheColumn() {
    int[] times = {0, 1000};
    assertPoints(
        longs(5, times), compact(packed(longs(5, times), 1, 0, 11), plain(longs(1, times), 10)));
    assertPoints(
        longs(5, times), compact(packed(longs(1, times), 1, 0, 10), plain(longs(5, times), 11)));
    assertPoints(
        longs(5, times), compact(packed(longs(1, times), 1, 0, 10), appended(11, longs(5, times))));
    assertPoints(
        longs(5, times),
        compact(packed(longs(1, times), 9, 9, 10), packed(longs(5, times), 1, 0, 11)));
  }

  @Test
  void greaterLoaderIdThenGreaterPartWinsAmongEqualCellTimestamps() {
    int[] times = {0, 1000};
    assertPoints(
        longs(5, times),
        compact(
            packed(longs(1, times), 0x01_00, 255, 10), packed(longs(5, times), 0x01_01, 0, 10)));
    assertPoints(
        longs(5, times),
        compact(
            packed(longs(5, times), 0xff_ff_ff, 0, 10),
            packed(longs(1, times), 0x7f_ff_ff, 3, 10)));
    assertPoints(
        longs(5, times),
        compact(packed(longs(5, times), 7, 200, 10), packed(longs(1, times), 7, 100, 10)));
  }

  @Test
  void packedColumnWinsOverAPlainOneOfTheSameCellTimestamp() {
    PointBlock wins = longs(5, 0, 1000);
    KeyValue plain = plain(longs(1, 0, 1000), 10);
    assertPoints(wins, compact(packed(wins, 1, 0, 10), plain));
    assertPoints(wins, compact(plain, packed(wins, 1, 0, 10)));
  }

  @Test
  void precedenceIsPointByPoint() {
    assertPoints(
        block(longs(1, 0), longs(20, 1000), longs(30, 2000)),
        compact(
            packed(longs(1, 0, 1000), 1, 0, 10),
            plain(longs(20, 1000), 12),
            packed(block(longs(29, 1000), longs(30, 2000)), 1, 1, 11)));
  }

  @Test
  void equalTimesInSecondsAndMillisecondsAreOnePoint() {
    KeyValue millis =
        new KeyValue(
            Cells.ROW,
            TSDB.FAMILY(),
            new byte[] {(byte) 0xf0, 0, (byte) 0xfa, 0},
            11,
            new byte[] {9});
    assertPoints(longs(9, 1000), compact(packed(longs(1, 1000), 1, 0, 10), millis));
  }

  @Test
  void maximumValueRuleOfDateTieredTablesDoesNotApply() {
    TSDB dated =
        OfflineTsdb.create(
            Map.of("tsd.storage.use_otsdb_timestamp", "true", "tsd.storage.use_max_value", "true"));
    KeyValue merged =
        dated.compact(
            new ArrayList<>(List.of(packed(longs(1, 0), 1, 0, 11), plain(longs(100, 0), 10))),
            new ArrayList<>(),
            new ArrayList<>());
    assertPoints(longs(1, 0), merged);
  }

  @Test
  void annotationsGoToTheirList() {
    PointBlock points = longs(3, 0, 1000);
    List<Annotation> annotations = new ArrayList<>();
    KeyValue merged =
        tsdb.compact(
            new ArrayList<>(List.of(annotation("pump off"), packed(points, 1, 0, 10))),
            annotations,
            new ArrayList<>());
    assertPoints(points, HourRowSeq.expand(merged));
    assertEquals(1, annotations.size());
    assertEquals("pump off", annotations.get(0).getDescription());
  }

  @Test
  void unknownColumnIsPassedOver() {
    PointBlock points = longs(3, 0, 1000);
    KeyValue unknown =
        new KeyValue(Cells.ROW, TSDB.FAMILY(), new byte[] {0x7f, 0, 0}, 10, new byte[] {1});
    assertPoints(points, compact(packed(points, 1, 0, 10), unknown));
  }

  @Test
  void damagedPackedCellFailsWithRowKeyColumnAndReason() {
    KeyValue good = packed(longs(3, 0, 1000, 2500), 0x01_02_03, 4, 10);
    byte[] value = Arrays.copyOf(good.value(), good.value().length - 1);
    KeyValue damaged = new KeyValue(good.key(), good.family(), good.qualifier(), 10, value);
    IllegalDataException e =
        assertThrows(IllegalDataException.class, () -> compact(damaged, plain(longs(1, 0), 10)));
    String message = e.getMessage();
    assertTrue(message.contains("row key=00000150e22700000001000001"), message);
    assertTrue(message.contains("loader id=66051, part=4"), message);
    assertTrue(message.contains("ends too early"), message);
    assertNotNull(e.getCause());
  }

  @Test
  void damagedPlainColumnBesideAPackedOneFailsWithItsQualifier() {
    KeyValue damaged =
        new KeyValue(Cells.ROW, TSDB.FAMILY(), new byte[] {0, 7, 0, 23}, 10, new byte[] {1, 2, 3});
    IllegalDataException e =
        assertThrows(
            IllegalDataException.class, () -> compact(packed(longs(1, 0), 1, 0, 10), damaged));
    assertTrue(e.getMessage().contains("qualifier=00070017"), e.getMessage());
  }

  @Test
  void neverRewritesOrDeletesPlainColumns() {
    assertNothingIsWritten(
        packed(longs(1, 0, 1000), 1, 0, 10), plain(longs(1, 0), 9), plain(longs(2, 1000), 9));
  }

  @Test
  void neverRepairsAnAppendColumn() {
    assertNothingIsWritten(
        packed(longs(1, 0, 1000), 1, 0, 10),
        appended(9, longs(8, 5000), longs(7, 4000), longs(9, 5000)));
  }

  private static void assertNothingIsWritten(KeyValue... cells) {
    TSDB writing =
        OfflineTsdb.create(
            Map.of("tsd.storage.enable_compaction", "true", "tsd.storage.repair_appends", "true"));
    CompactionQueue queue = new CompactionQueue(writing);
    KeyValue[] merged = {null};
    ArrayList<KeyValue> row = new ArrayList<>(List.of(cells));
    assertNull(queue.compact(row, merged, new ArrayList<>(), new ArrayList<>()));
    assertNotNull(merged[0]);
    // As the compaction thread calls it.
    assertNull(queue.compact(row, null, null, null));
    assertEquals(0, writing.getClient().stats().puts());
    assertEquals(0, writing.getClient().stats().deletes());
  }

  @Test
  void rowsWithoutPackedCellsStayStock() {
    KeyValue column = plain(longs(1, 0, 1000), 10);
    assertPoints(longs(1, 0, 1000), compact(column));
    assertThrows(
        IllegalDataException.class,
        () -> compact(plain(longs(1, 0), 10), plain(longs(2, 0, 1000), 11)));
  }

  /** The row's column, a packed one as the compacted one that it stands for. */
  private KeyValue compact(KeyValue... cells) {
    return HourRowSeq.expand(
        tsdb.compact(new ArrayList<>(List.of(cells)), new ArrayList<>(), new ArrayList<>()));
  }

  private static PointBlock block(PointBlock... parts) {
    PointBlock all = new PointBlock();
    for (PointBlock part : parts) {
      for (int i = 0; i < part.count(); i++) {
        all.add(part.offsetsMs()[i], part.values()[i], part.isDouble()[i]);
      }
    }
    return all;
  }

  private void assertPoints(PointBlock expected, KeyValue merged) {
    assertPoints(expected, merged, "");
  }

  /** By all three of OpenTSDB's readers of compacted columns. */
  private void assertPoints(PointBlock expected, KeyValue merged, String where) {
    int count = expected.count();
    RowSeq rows = new RowSeq(tsdb);
    rows.setRow(merged);
    SeekableView view = rows.iterator();
    ColumnDatapointIterator column = new ColumnDatapointIterator(merged);
    List<Internal.Cell> cells = Internal.extractDataPoints(merged);
    assertEquals(count, cells.size(), where);
    for (int i = 0; i < count; i++) {
      String at = where + " point " + i;
      DataPoint point = view.next();
      assertEquals(Cells.BASE_MS + expected.offsetsMs()[i], point.timestamp(), at);
      assertEquals(expected.isDouble()[i], !point.isInteger(), at);
      if (point.isInteger()) {
        assertEquals(expected.values()[i], point.longValue(), at);
        assertEquals(expected.values()[i], cells.get(i).parseValue(), at);
      } else {
        long bits = Double.doubleToRawLongBits(point.doubleValue());
        assertEquals(expected.values()[i], bits, at);
        assertEquals(Double.longBitsToDouble(bits), cells.get(i).parseValue(), at);
      }
      assertEquals(expected.offsetsMs()[i], column.getTimestampOffsetMs(), at);
      assertEquals(i + 1 < count, column.advance(), at);
      assertEquals(i + 1 < count, view.hasNext(), at);
    }
  }
}
