package net.opentsdb.core;

import static net.opentsdb.core.Cells.annotation;
import static net.opentsdb.core.Cells.longs;
import static net.opentsdb.core.Cells.packed;
import static net.opentsdb.core.Cells.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

/** Rows as last-point queries, scan and fsck take them apart. */
final class PackedToolsTest {
  private final TSDB tsdb = OfflineTsdb.create();

  @Test
  void pointsOfAPackedRowComeOnceEach() {
    List<Internal.Cell> cells =
        Internal.extractDataPoints(
            row(packed(longs(1, 0, 1000), 1, 0, 10), plain(longs(7, 1000, 2000), 11)), 4);
    assertEquals(List.of(1L, 7L, 8L), values(cells));
  }

  @Test
  void pointsNearTheMinuteAreNoAppendColumn() {
    for (int second = 79; second < 97; second++) {
      int at = second * 1000;
      assertEquals(List.of(5L), values(Internal.extractDataPoints(plain(longs(5, at), 1))));
      assertEquals(
          List.of(5L, 6L), values(Internal.extractDataPoints(plain(longs(5, at, at + 1000), 1))));
    }
  }

  @Test
  void lastPointOfAPackedRowIsFound() throws Exception {
    IncomingDataPoint point =
        new Internal.GetLastDataPointCB(tsdb)
            .call(row(packed(longs(1, 0, 3_599_000), 1, 0, 10), plain(longs(9, 1000), 11)));
    assertNotNull(point);
    assertEquals(Cells.BASE_MS + 3_599_000, point.getTimestamp());
    assertEquals("2", point.getValue());
  }

  @Test
  void rowWithoutPointsHasNoLastPoint() throws Exception {
    assertNull(new Internal.GetLastDataPointCB(tsdb).call(row(annotation("off"))));
  }

  @Test
  void importFormatMergesPackedRowsAlone() {
    KeyValue cell = packed(longs(1, 0, 1000), 1, 0, 10);
    KeyValue point = plain(longs(7, 1000), 11);
    List<KeyValue> merged = PackedCells.dump(row(annotation("x"), cell, point), true, false);
    assertEquals(1, merged.size());
    assertEquals(List.of(1L, 7L), values(Internal.extractDataPoints(merged.get(0))));
    List<KeyValue> stock = row(point, annotation("x"));
    assertSame(stock, PackedCells.dump(stock, true, true));
    List<KeyValue> shown = row(cell, point);
    assertSame(shown, PackedCells.dump(shown, false, false));
  }

  @Test
  void refusesToDeleteWhatItCannotPrint() {
    KeyValue unknown =
        new KeyValue(Cells.ROW, TSDB.FAMILY(), new byte[] {0x7f, 0, 0}, 10, new byte[] {1});
    List<KeyValue> row = row(plain(longs(1, 0), 1), unknown);
    assertSame(row, PackedCells.dump(row, true, false));
    IllegalDataException e =
        assertThrows(IllegalDataException.class, () -> PackedCells.dump(row, true, true));
    assertTrue(e.getMessage().contains("qualifier=7f0000"), e.getMessage());
    KeyValue cell = packed(longs(1, 0, 1000), 1, 0, 10);
    KeyValue damaged =
        new KeyValue(cell.key(), cell.family(), cell.qualifier(), 1, new byte[] {(byte) 0xa1});
    assertThrows(IllegalDataException.class, () -> PackedCells.dump(row(damaged), true, true));
  }

  @Test
  void countsPointsOfEachKindOfColumn() {
    assertEquals(2, PointColumn.points(packed(longs(1, 0, 1000), 1, 0, 10)));
    assertEquals(1, PointColumn.points(plain(longs(1, 0), 1)));
    assertEquals(3, PointColumn.points(plain(longs(1, 0, 1000, 2000), 1)));
    assertEquals(2, PointColumn.points(plain(longs(1, 1, 1001), 1)));
    assertEquals(3, PointColumn.points(Cells.appended(1, longs(1, 0, 1), longs(1, 500))));
    assertEquals(0, PointColumn.points(annotation("x")));
    assertEquals(1, PointColumn.points(row(annotation("x"))));
  }

  @SuppressWarnings("NonApiType") // OpenTSDB takes ArrayLists.
  private static ArrayList<KeyValue> row(KeyValue... cells) {
    return new ArrayList<>(List.of(cells));
  }

  private static List<Long> values(List<Internal.Cell> cells) {
    return cells.stream().map(cell -> cell.parseValue().longValue()).toList();
  }
}
