package io.packhorse.loader.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HourPackerTest {
  private static final long BASE = 1_704_067_200;
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));
  private static final SealPolicy TWO_HOURS = new SealPolicy(2, 1_000_000);

  /** Keeps the cells and counts loader ids from 1, each stamped 1000 times its number. */
  private static final class Recorded implements HourPacker.Surroundings {
    private final List<CellWrite> cells = new ArrayList<>();
    private int ids;

    @Override
    public LoaderId newLoaderId() {
      ids++;
      return new LoaderId(ids, 1000L * ids);
    }

    @Override
    public void write(CellWrite cell) {
      cells.add(cell);
    }
  }

  private final Recorded outside = new Recorded();
  private final PointBatch batch = new PointBatch(16);

  private HourPacker packer(CellForm form, SealPolicy policy) throws IOException {
    return new HourPacker(form, LAYOUT, HourPackerTest::tsuid, policy, outside);
  }

  private static Tsuid tsuid(int series) {
    return Tsuid.of(UidWidths.DEFAULT, 5, 1, series + 1);
  }

  @Test
  void wholeHoursAreSealedInTheOrderOfTheirRuns() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.WHOLE_HOURS);
    accept(packer, 3, BASE * 1000, BASE * 1000 + 1000);
    accept(packer, 0, BASE * 1000);
    accept(packer, 3, (BASE + 3600) * 1000, (BASE + 7200) * 1000);
    assertEquals(4, outside.cells.size(), "nothing waits for the next hour");
    assertArrayEquals(LAYOUT.rowKey(tsuid(3), BASE), outside.cells.get(0).rowKey());
    assertArrayEquals(LAYOUT.rowKey(tsuid(0), BASE), outside.cells.get(1).rowKey());
    assertArrayEquals(LAYOUT.rowKey(tsuid(3), BASE + 3600), outside.cells.get(2).rowKey());
    assertArrayEquals(LAYOUT.rowKey(tsuid(3), BASE + 7200), outside.cells.get(3).rowKey());
    packer.finish();
    assertEquals(4, packer.cells());
  }

  @Test
  void anHourIsSealedWhenTheNextBegins() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    accept(packer, 0, BASE * 1000, BASE * 1000 + 1000);
    assertEquals(0, outside.cells.size());
    accept(packer, 0, (BASE + 3600) * 1000);
    assertEquals(1, outside.cells.size());
    CellWrite cell = outside.cells.get(0);
    assertArrayEquals(LAYOUT.rowKey(tsuid(0), BASE), cell.rowKey());
    assertArrayEquals(new PackedQualifier(1, 0).toBytes(), cell.qualifier());
    assertEquals(CellForm.PACKED, cell.form());
    assertEquals(2, cell.points());
    assertEquals(1000, cell.stampMs());
    packer.finish();
    assertEquals(2, outside.cells.size());
    assertArrayEquals(LAYOUT.rowKey(tsuid(0), BASE + 3600), outside.cells.get(1).rowKey());
    assertEquals("1/0", column(1));
  }

  @Test
  void oneBatchMayHoldManyHoursAndSeries() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    for (int series = 0; series < 300; series += 100) {
      for (int hour = 0; hour < 5; hour++) {
        batch.add(series, (BASE + hour * 3600L) * 1000 + series, hour, false);
      }
    }
    packer.accept(batch);
    packer.finish();
    assertEquals(15, outside.cells.size());
    assertEquals(15, packer.cells());
    assertEquals(15, packer.packedPoints());
    assertEquals(15, new HashSet<>(rows()).size());
    for (int i = 0; i < 15; i++) {
      assertEquals("1/0", column(i));
    }
  }

  @Test
  void asManyHoursStayOpenAsThePolicySays() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, TWO_HOURS);
    accept(packer, 0, (BASE + 3600) * 1000);
    accept(packer, 0, BASE * 1000, (BASE + 3600) * 1000 + 1, BASE * 1000 + 1);
    assertEquals(0, outside.cells.size());
    accept(packer, 0, (BASE + 7200) * 1000);
    assertEquals(1, outside.cells.size());
    assertArrayEquals(LAYOUT.rowKey(tsuid(0), BASE), outside.cells.get(0).rowKey(), "the oldest");
    assertEquals(2, outside.cells.get(0).points());
    packer.finish();
    assertEquals(3, outside.cells.size());
    assertArrayEquals(
        LAYOUT.rowKey(tsuid(0), BASE + 3600), outside.cells.get(1).rowKey(), "in time order");
  }

  @Test
  void aLateHourMakesAnotherPartAndRewritesNothing() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    accept(packer, 0, BASE * 1000);
    accept(packer, 0, (BASE + 3600) * 1000);
    accept(packer, 0, BASE * 1000 + 5);
    accept(packer, 0, (BASE - 3600) * 1000);
    accept(packer, 0, BASE * 1000 + 6);
    packer.finish();
    assertEquals(5, outside.cells.size());
    assertEquals(List.of("1/0", "1/0", "1/1", "1/1", "1/2"), columns());
    assertEquals(5, new HashSet<>(addresses()).size(), "no column is written twice");
    assertEquals(rows().get(0), rows().get(2));
    assertEquals(rows().get(0), rows().get(4));
  }

  @Test
  void aSecondSeriesCountsItsOwnParts() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    for (int round = 0; round < 2; round++) {
      for (int series = 0; series < 2; series++) {
        accept(packer, series, BASE * 1000 + round);
        accept(packer, series, (BASE + 3600) * 1000 + round);
      }
    }
    packer.finish();
    assertEquals(8, new HashSet<>(addresses()).size());
    assertEquals(4, columns().stream().filter("1/1"::equals).count());
  }

  @Test
  void tooManyOpenPointsSealTheOldestHoursOfAllSeries() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, new SealPolicy(2, 10));
    for (int series = 0; series < 3; series++) {
      accept(packer, series, BASE * 1000, BASE * 1000 + 1);
    }
    accept(packer, 3, (BASE + 3600) * 1000);
    assertEquals(0, outside.cells.size());
    batch.clear();
    for (int i = 0; i < 4; i++) {
      batch.add(4, (BASE + 3600) * 1000 + i, i, false);
    }
    packer.accept(batch);
    assertEquals(3, outside.cells.size(), "7 + 4 points are more than 10");
    assertEquals(
        Set.of(
            hex(LAYOUT.rowKey(tsuid(0), BASE)),
            hex(LAYOUT.rowKey(tsuid(1), BASE)),
            hex(LAYOUT.rowKey(tsuid(2), BASE))),
        Set.copyOf(rows()));
    packer.finish();
    assertEquals(5, outside.cells.size());
    assertEquals(11, packer.packedPoints());
  }

  @Test
  void oneHourAboveTheLimitIsSealedToo() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, new SealPolicy(1, 10));
    for (int i = 0; i < 25; i++) {
      accept(packer, 0, BASE * 1000 + i);
    }
    packer.finish();
    assertEquals(List.of("1/0", "1/1", "1/2"), columns());
    assertEquals(25, packer.packedPoints());
    assertEquals(11, outside.cells.get(0).points());
  }

  @Test
  void anHourOfMoreThanACellHoldsIsSplitIntoParts() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    int points = 2 * PackedCellEncoder.MAX_POINTS + 1;
    batch.ensureRoom(points);
    for (int i = 0; i < points; i++) {
      batch.timestampsMs()[i] = BASE * 1000 + i;
      batch.bits()[i] = i;
    }
    batch.advance(0, points);
    packer.accept(batch);
    packer.finish();
    assertEquals(List.of("1/0", "1/1", "1/2"), columns());
    assertEquals(PackedCellEncoder.MAX_POINTS, outside.cells.get(0).points());
    assertEquals(PackedCellEncoder.MAX_POINTS, outside.cells.get(1).points());
    assertEquals(1, outside.cells.get(2).points());
    assertEquals(points, packer.packedPoints());
    PointBlock last = decode(outside.cells.get(2));
    assertEquals(points - 1, last.offsetsMs()[0]);
    assertEquals(points - 1, last.values()[0]);
  }

  @Test
  void anHourOfExactlyACellIsOneCell() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    batch.ensureRoom(PackedCellEncoder.MAX_POINTS);
    for (int i = 0; i < PackedCellEncoder.MAX_POINTS; i++) {
      batch.timestampsMs()[i] = BASE * 1000 + i;
    }
    batch.advance(0, PackedCellEncoder.MAX_POINTS);
    packer.accept(batch);
    packer.finish();
    assertEquals(List.of("1/0"), columns());
  }

  @Test
  void after256PartsOfAnHourAFreshLoaderIdIsTaken() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    for (int round = 0; round < 600; round++) {
      accept(packer, 0, BASE * 1000 + round);
      accept(packer, 0, (BASE + 3600) * 1000 + round);
      accept(packer, 1, BASE * 1000 + round);
    }
    packer.finish();
    assertEquals(1201, outside.cells.size(), "series 1 has one hour only, open to the end");
    assertEquals(1201, new HashSet<>(addresses()).size(), "no column is written twice");
    assertEquals(3, outside.ids);
    assertEquals("1/255", column(510));
    assertEquals("1/255", column(511));
    assertEquals("2/0", column(512));
    assertEquals(2000, outside.cells.get(512).stampMs(), "a loader id has its own stamp");
    assertEquals(1800, packer.packedPoints());
  }

  @Test
  void compactedCellsAreOpenTsdbsOwn() throws Exception {
    HourPacker packer = packer(CellForm.COMPACTED, SealPolicy.IN_ORDER);
    accept(packer, 0, BASE * 1000, BASE * 1000 + 1500);
    accept(packer, 0, (BASE + 3600) * 1000);
    packer.finish();
    PointBlock expected = new PointBlock();
    expected.addLong(0, 0);
    expected.addLong(1500, 1);
    ByteWriter qualifier = new ByteWriter(0);
    ByteWriter value = new ByteWriter(0);
    CompactedCell.encode(expected, qualifier, value);
    CellWrite cell = outside.cells.get(0);
    assertEquals(CellForm.COMPACTED, cell.form());
    assertArrayEquals(qualifier.toByteArray(), cell.qualifier());
    assertArrayEquals(value.toByteArray(), cell.value());
    assertArrayEquals(LAYOUT.rowKey(tsuid(0), BASE), cell.rowKey());
    assertEquals(2, outside.cells.get(1).qualifier().length, "one point makes a plain column");
    assertEquals(1, outside.ids);
  }

  @Test
  void countsBalanceAndBytesAreThoseOfTheCells() throws Exception {
    for (CellForm form : CellForm.values()) {
      outside.cells.clear();
      HourPacker packer = packer(form, TWO_HOURS);
      accept(packer, 0, BASE * 1000, BASE * 1000, BASE * 1000 + 1, BASE * 1000);
      accept(packer, 1, BASE * 1000);
      assertEquals(0, packer.packedPoints() + packer.replacedPoints(), "nothing sealed yet");
      packer.finish();
      assertEquals(3, packer.packedPoints());
      assertEquals(2, packer.replacedPoints());
      assertEquals(2, packer.cells());
      assertEquals(outside.cells.stream().mapToLong(CellWrite::bytes).sum(), packer.cellBytes());
      assertEquals(
          outside.cells.stream().mapToLong(c -> c.value().length).sum(), packer.valueBytes());
    }
  }

  @Test
  void finishingTwiceWritesOnce() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    packer.finish();
    accept(packer, 0, BASE * 1000);
    packer.finish();
    packer.finish();
    assertEquals(1, outside.cells.size());
  }

  @Test
  void anyInputComesOutWithTheLastArrivalInTheGreatestPart() throws Exception {
    for (long seed = 1; seed <= 60; seed++) {
      outside.cells.clear();
      outside.ids = 0;
      SplittableRandom random = new SplittableRandom(seed);
      SealPolicy policy = new SealPolicy(1 + random.nextInt(3), 1 + random.nextInt(400));
      HourPacker packer = packer(CellForm.PACKED, policy);
      Map<String, Map<Integer, Long>> model = new HashMap<>();
      int hours = 1 + random.nextInt(4);
      long value = 0;
      for (int i = 0; i < 30; i++) {
        batch.clear();
        for (int j = 0; j < 40; j++) {
          int series = random.nextInt(3);
          long base = BASE + 3600L * random.nextInt(hours);
          int offset = random.nextInt(50) * 60_000;
          batch.add(series, base * 1000 + offset, ++value, false);
          model
              .computeIfAbsent(hex(LAYOUT.rowKey(tsuid(series), base)), k -> new TreeMap<>())
              .put(offset, value);
        }
        packer.accept(batch);
      }
      packer.finish();
      assertEquals(value, packer.packedPoints() + packer.replacedPoints(), "seed " + seed);
      assertEquals(model, lastByColumn(), "seed " + seed + ", " + policy);
      assertEquals(
          outside.cells.size(), new HashSet<>(addresses()).size(), "no column twice, seed " + seed);
    }
  }

  @Test
  void rejectsAPolicyThatKeepsNothingOpen() {
    assertThrows(IllegalArgumentException.class, () -> new SealPolicy(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> new SealPolicy(17, 1));
    assertThrows(IllegalArgumentException.class, () -> new SealPolicy(1, 0));
    assertEquals(16, new SealPolicy(16, 1).openHoursPerSeries());
  }

  /** Points by row, greater (loader id, part) over lesser. */
  private Map<String, Map<Integer, Long>> lastByColumn() throws MalformedCellException {
    List<CellWrite> inOrder = new ArrayList<>(outside.cells);
    inOrder.sort(java.util.Comparator.comparing(c -> PackedQualifier.parse(c.qualifier())));
    Map<String, Map<Integer, Long>> rows = new HashMap<>();
    for (CellWrite cell : inOrder) {
      Map<Integer, Long> row = rows.computeIfAbsent(hex(cell.rowKey()), k -> new TreeMap<>());
      PointBlock block = decode(cell);
      assertEquals(cell.points(), block.count());
      for (int i = 0; i < block.count(); i++) {
        row.put(block.offsetsMs()[i], block.values()[i]);
      }
    }
    return rows;
  }

  private static PointBlock decode(CellWrite cell) throws MalformedCellException {
    PointBlock block = new PointBlock();
    new PackedCellDecoder().decode(cell.value(), block);
    return block;
  }

  /** One run of points with the values 0, 1, 2, ... */
  private void accept(HourPacker packer, int series, long... timestampsMs) throws Exception {
    batch.clear();
    for (int i = 0; i < timestampsMs.length; i++) {
      batch.add(series, timestampsMs[i], i, false);
    }
    packer.accept(batch);
    assertTrue(outside.ids > 0);
  }

  private List<String> rows() {
    return outside.cells.stream().map(cell -> hex(cell.rowKey())).toList();
  }

  private List<String> addresses() {
    return outside.cells.stream()
        .map(cell -> hex(cell.rowKey()) + " " + hex(cell.qualifier()))
        .toList();
  }

  private List<String> columns() {
    return java.util.stream.IntStream.range(0, outside.cells.size())
        .mapToObj(this::column)
        .toList();
  }

  /** Loader id and part of the cell written as number {@code index}. */
  private String column(int index) {
    PackedQualifier qualifier = PackedQualifier.parse(outside.cells.get(index).qualifier());
    return qualifier.loaderId() + "/" + qualifier.part();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
