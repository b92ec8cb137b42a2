package io.packhorse.loader.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
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
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;

class HourPackerTest {
  private static final long BASE = 1_704_067_200;
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));

  /** Memory of an open hour of twelve points. */
  private static final long TWELVE_POINTS = HourTable.HOUR_BYTES + 2L * PointArena.CHUNK_BYTES_MIN;

  private static final SealPolicy TWO_HOURS = new SealPolicy(2, 1_000_000, 0);

  /** Keeps the cells and counts loader ids from 1, each stamped 1000 times its number. */
  private final class Recorded implements PackerContext {
    private final List<CellWrite> cells = new ArrayList<>();
    private int ids;
    private int files;

    @Override
    public LoaderId newLoaderId() {
      ids++;
      return new LoaderId(ids, 1000L * ids);
    }

    @Override
    public void write(CellWrite cell) {
      cells.add(cell);
    }

    @Override
    public Path newHourFile() {
      return folder.resolve("hours-" + ++files);
    }
  }

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private Recorded outside = new Recorded();

  /** What the numbers of all series leave the same rest by. */
  private int every = 1;

  private final PointBatch batch = new PointBatch(16);

  private HourPacker packer(CellForm form, SealPolicy policy) throws IOException {
    return new HourPacker(form, LAYOUT, HourPackerTest::tsuid, every, policy, outside);
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
  void packersThatShareSeriesByNumberKeepThemApart() throws Exception {
    every = 4;
    HourPacker packer = packer(CellForm.PACKED, TWO_HOURS);
    for (int hour : new int[] {0, 3, 1, 0}) {
      for (int series : new int[] {2, 6, 4_000_002}) {
        accept(packer, series, (BASE + 3600L * hour) * 1000 + outside.cells.size());
      }
    }
    packer.finish();
    Set<String> rows = new HashSet<>();
    for (CellWrite cell : outside.cells) {
      rows.add(hex(cell.rowKey()));
    }
    Set<String> expected = new HashSet<>();
    for (int hour : new int[] {0, 3, 1}) {
      for (int series : new int[] {2, 6, 4_000_002}) {
        expected.add(hex(LAYOUT.rowKey(tsuid(series), BASE + 3600L * hour)));
      }
    }
    assertEquals(expected, rows);
  }

  @Test
  void packedHoursOfOneRowMeetInTheOrderOfArrival() throws Exception {
    PointBlock early = new PointBlock(2);
    early.add(0, 1, false);
    early.add(60_000, 2, false);
    PointBlock late = new PointBlock(2);
    late.add(30_000, 4, false);
    late.add(60_000, 3, false);
    int hour = (int) (BASE / 3600);
    SavedHour first = new SavedHour(3, hour, 2, new PackedCellEncoder().encode(early));
    SavedHour second = new SavedHour(3, hour, 2, new PackedCellEncoder().encode(late));
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.WHOLE_HOURS);
    packer.acceptPacked(List.of(first, second));
    packer.acceptPacked(List.of(new SavedHour(4, hour, 2, first.cell())));

    PointBlock all = new PointBlock(3);
    all.add(0, 1, false);
    all.add(30_000, 4, false);
    all.add(60_000, 3, false);
    assertArrayEquals(new PackedCellEncoder().encode(all), outside.cells.get(0).value());
    assertArrayEquals(LAYOUT.rowKey(tsuid(3), BASE), outside.cells.get(0).rowKey());
    assertArrayEquals(first.cell(), outside.cells.get(1).value(), "passed on as it is");
    assertEquals(5, packer.packedPoints());
    assertEquals(1, packer.replacedPoints());
    assertEquals((BASE + 60) * 1000, packer.firstReplaced().orElseThrow().timeMs());

    HourPacker compacted = packer(CellForm.COMPACTED, SealPolicy.WHOLE_HOURS);
    compacted.acceptPacked(List.of(first));
    assertEquals(CellForm.COMPACTED, outside.cells.get(2).form());
    assertEquals(2, outside.cells.get(2).points());
    SavedHour damaged = new SavedHour(3, hour, 2, new byte[] {1, 2, 3});
    assertThrows(IOException.class, () -> packer.acceptPacked(List.of(first, damaged)));
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
  void lateHoursWaitForTheEndAndAFreshLoaderId() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.IN_ORDER);
    accept(packer, 0, BASE * 1000);
    accept(packer, 0, (BASE + 3600) * 1000);
    accept(packer, 0, BASE * 1000 + 5);
    accept(packer, 0, (BASE - 3600) * 1000);
    accept(packer, 0, BASE * 1000 + 6);
    assertEquals(1, outside.cells.size());
    packer.finish();
    assertEquals(List.of("1/0", "1/0", "2/0", "2/0"), columns());
    assertEquals(
        List.of(row(0, 0), row(0, 1), row(0, -1), row(0, 0)), rows(), "late ones in their order");
    assertEquals(2, outside.cells.get(3).points());
    assertEquals(2000, outside.cells.get(3).stampMs(), "a loader id has its own stamp");
  }

  @Test
  void anHourOlderThanThoseOpenIsLateToo() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, TWO_HOURS);
    for (int hour : new int[] {7, 8, 6, 9, 6, 10}) {
      accept(packer, 0, (BASE + hour * 3600L) * 1000 + outside.cells.size());
    }
    packer.finish();
    assertEquals(List.of(row(0, 7), row(0, 8), row(0, 9), row(0, 10), row(0, 6)), rows());
    assertEquals(List.of("1/0", "1/0", "1/0", "1/0", "2/0"), columns());
    assertEquals(2, outside.cells.get(4).points());
  }

  @Test
  void spilledHoursComeBackComplete() throws Exception {
    for (CellForm form : CellForm.values()) {
      outside.cells.clear();
      HourPacker packer = packer(form, new SealPolicy(2, 5 * TWELVE_POINTS, 0));
      for (int minute = 0; minute < 12; minute++) {
        for (int series = 0; series < 20; series++) {
          accept(packer, series, (BASE + 300L * minute) * 1000);
        }
      }
      assertEquals(0, outside.cells.size());
      assertTrue(files() > 2, "files " + files());
      packer.finish();
      assertEquals(20, outside.cells.size());
      assertEquals(20, new HashSet<>(rows()).size());
      for (CellWrite cell : outside.cells) {
        assertEquals(12, cell.points());
      }
      assertEquals(0, files());
      assertEquals(240, packer.packedPoints());
    }
  }

  @Test
  void aFileOfOneSpilledHourIsTheCell() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, new SealPolicy(2, 1, 0));
    batch.clear();
    PointBlock block = new PointBlock();
    for (int i = 0; i < 3600; i++) {
      batch.add(0, (BASE + i) * 1000, i % 7, false);
      block.addLong(i * 1000, i % 7);
    }
    packer.accept(batch);
    assertEquals(1, files());
    packer.finish();
    assertEquals(List.of("1/0"), columns());
    assertArrayEquals(new PackedCellEncoder().encode(block), outside.cells.get(0).value());
  }

  @Test
  void shuffledInputHasFewParts() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, new SealPolicy(2, 60 * TWELVE_POINTS, 0));
    List<long[]> points = new ArrayList<>();
    for (int series = 0; series < 10; series++) {
      for (int point = 0; point < 100 * 12; point++) {
        points.add(new long[] {series, (BASE + 300L * point) * 1000});
      }
    }
    java.util.Collections.shuffle(points, new java.util.Random(7));
    for (long[] point : points) {
      accept(packer, (int) point[0], point[1]);
    }
    packer.finish();
    assertEquals(12_000, packer.packedPoints());
    assertEquals(1000, new HashSet<>(rows()).size());
    assertEquals(outside.cells.size(), new HashSet<>(addresses()).size());
    // Each series begins with some hours that seem to follow each other; what was spilled 64 times
    // is sealed.
    assertTrue(outside.cells.size() < 2500, "cells " + outside.cells.size());
  }

  @Test
  void onePointRepeatedForeverTakesBoundedMemory() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, new SealPolicy(1, 100_000, 0));
    batch.ensureRoom(10_000);
    java.util.Arrays.fill(batch.timestampsMs(), BASE * 1000);
    batch.advance(0, 10_000);
    for (int i = 0; i < 300; i++) {
      packer.accept(batch);
    }
    packer.finish();
    assertEquals(3_000_000, packer.packedPoints() + packer.replacedPoints());
    assertTrue(packer.packedPoints() < 10, "cells " + columns());
  }

  @Test
  void anOpenHourOfTwelvePointsTakesLessThan300Bytes() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.FILES);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int series = 100_000;
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int minute = 0; minute < 12; minute++) {
      for (int first = 0; first < series; first += 10_000) {
        batch.clear();
        for (int i = first; i < first + 10_000; i++) {
          batch.add(i, (BASE + 300L * minute) * 1000, i, false);
        }
        packer.accept(batch);
      }
    }
    long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / series;
    assertEquals(0, outside.cells.size());
    assertTrue(bytes > 12 * 12 && bytes < 300, "bytes an hour: " + bytes);
  }

  @Test
  void sealsAnIdleHourThatIsOver() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, new SealPolicy(2, 1_000_000, 600));
    long hourEnd = BASE + 3600;
    packer.passTime((hourEnd - 400) * 1000);
    accept(packer, 0, BASE * 1000);
    accept(packer, 1, BASE * 1000, hourEnd * 1000);
    packer.passTime((hourEnd + 100) * 1000);
    accept(packer, 1, BASE * 1000 + 1);
    packer.passTime((hourEnd + 199) * 1000);
    assertEquals(0, outside.cells.size());
    packer.passTime((hourEnd + 260) * 1000);
    assertEquals(List.of(row(0, 0)), rows(), "idle for ten minutes");
    packer.passTime((hourEnd + 760) * 1000);
    assertEquals(List.of(row(0, 0), row(1, 0)), rows());
    packer.passTime((hourEnd + 3000) * 1000);
    assertEquals(2, outside.cells.size(), "the hour is not over");
    packer.passTime((hourEnd + 3600) * 1000);
    assertEquals(3, outside.cells.size());
  }

  @Test
  void sealsIdleLateHoursTogether() throws Exception {
    long later = BASE + 100_000;
    for (long memory : new long[] {1_000_000, TWELVE_POINTS}) {
      outside.cells.clear();
      HourPacker packer = packer(CellForm.PACKED, new SealPolicy(1, memory, 600));
      packer.passTime(later * 1000);
      accept(packer, 0, BASE * 1000);
      accept(packer, 0, (BASE + 3600) * 1000);
      accept(packer, 0, BASE * 1000 + 1);
      packer.passTime((later + 100) * 1000);
      accept(packer, 0, BASE * 1000 + 2, (BASE + 3600) * 1000 + 1);
      packer.passTime((later + 599) * 1000);
      assertEquals(1, outside.cells.stream().filter(cell -> cell.points() == 1).count());
      packer.passTime((later + 700) * 1000);
      assertEquals(5, packer.packedPoints(), "memory " + memory);
      assertEquals(Set.of(row(0, 0), row(0, 1)), Set.copyOf(rows()));
      assertEquals(3, outside.cells.size());
      assertEquals(0, files());
    }
  }

  @Test
  void policyForFilesIgnoresTheClock() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, SealPolicy.FILES);
    packer.passTime(BASE * 1000);
    accept(packer, 0, BASE * 1000);
    packer.passTime((BASE + 1_000_000) * 1000);
    assertEquals(0, outside.cells.size());
  }

  @Test
  void savesExactlyTheOpenHours() throws Exception {
    HourPacker packer = packer(CellForm.PACKED, new SealPolicy(2, 4 * TWELVE_POINTS, 0));
    for (int i = 0; i < 40; i++) {
      accept(packer, i % 9, BASE * 1000 + i / 3, BASE * 1000 + i / 3);
    }
    HourPacker.Saved saved = packer.saveOpen();
    int points = 0;
    PointBatch restored = new PointBatch(16);
    try (OpenHours open = new OpenHours(saved.files())) {
      while (open.next(restored)) {
        points = restored.points();
      }
    }
    assertEquals(80, points + saved.replacedPoints() + packer.replacedPoints());
    packer.finish();
    assertEquals(80, packer.packedPoints() + packer.replacedPoints());
    assertTrue(saved.files().size() > 1, "files " + saved.files());
    for (HourFile file : saved.files()) {
      assertTrue(file.isIntact(), "a checkpoint may name it: " + file);
    }
    Recorded first = outside;
    outside = new Recorded();
    HourPacker resumed = packer(CellForm.PACKED, TWO_HOURS);
    resumed.accept(restored);
    resumed.finish();
    Map<String, Map<Integer, Long>> again = lastByColumn();
    outside = first;
    assertEquals(lastByColumn(), again);
  }

  @Test
  void anyInputComesOutWithTheLastArrivalInTheGreatestColumn() throws Exception {
    for (long seed = 1; seed <= 100; seed++) {
      outside = new Recorded();
      SplittableRandom random = new SplittableRandom(seed);
      every = 1 + random.nextInt(3);
      SealPolicy policy =
          new SealPolicy(
              random.nextInt(4),
              1 + random.nextInt(random.nextBoolean() ? 5_000 : 50_000),
              random.nextInt(3) * 600);
      HourPacker packer = packer(CellForm.PACKED, policy);
      Map<String, Map<Integer, Long>> model = new HashMap<>();
      int hours = 1 + random.nextInt(random.nextBoolean() ? 4 : 20);
      boolean rising = random.nextBoolean();
      long now = BASE;
      long value = 0;
      for (int i = 0; i < 30; i++) {
        batch.clear();
        now += random.nextInt(500);
        packer.passTime(now * 1000);
        for (int j = 0; j < 40; j++) {
          int series = every * random.nextInt(3) + every - 1;
          int hour = rising ? Math.min(hours, i / 3 + random.nextInt(2)) : random.nextInt(hours);
          long base = BASE + 3600L * hour;
          int offset = random.nextInt(50) * 60_000;
          batch.add(series, base * 1000 + offset, ++value, false);
          model
              .computeIfAbsent(hex(LAYOUT.rowKey(tsuid(series), base)), k -> new TreeMap<>())
              .put(offset, value);
        }
        packer.accept(batch);
        if (random.nextInt(10) == 0) {
          packer.saveOpen();
        }
      }
      packer.finish();
      String with = "seed " + seed + ", " + policy;
      assertEquals(value, packer.packedPoints() + packer.replacedPoints(), with);
      assertEquals(model, lastByColumn(), with);
      assertEquals(outside.cells.size(), new HashSet<>(addresses()).size(), "no column twice");
    }
  }

  @Test
  void whatIsNotSealedYetAtTheEndIsSavedBetweenAnyTwoHours() throws Exception {
    int saves = 0;
    for (long seed = 1; seed <= 60; seed++) {
      outside = new Recorded();
      SplittableRandom random = new SplittableRandom(seed);
      every = 1 + random.nextInt(3);
      // Small ones spill, so that the end is a merge.
      SealPolicy policy = new SealPolicy(2, random.nextBoolean() ? 5_000 : 1_000_000, 0);
      HourPacker packer = packer(CellForm.PACKED, policy);
      Map<String, Map<Integer, Long>> model = new HashMap<>();
      long value = 0;
      for (int i = 0; i < 20; i++) {
        batch.clear();
        for (int j = 0; j < 20; j++) {
          int series = every * random.nextInt(3) + every - 1;
          long base = BASE + 3600L * random.nextInt(8);
          int offset = random.nextInt(30) * 60_000;
          batch.add(series, base * 1000 + offset, ++value, false);
          model
              .computeIfAbsent(hex(LAYOUT.rowKey(tsuid(series), base)), k -> new TreeMap<>())
              .put(offset, value);
        }
        packer.accept(batch);
      }
      String with = "seed " + seed + ", " + policy;
      boolean more = true;
      while (more) {
        more = packer.sealNext();
        if (random.nextInt(5) == 0) {
          saves++;
          assertEquals(model, resumedFrom(packer, value, with), with);
        }
      }
      assertEquals(value, packer.packedPoints() + packer.replacedPoints(), with);
      assertEquals(model, lastByColumn(), with);
      assertEquals(outside.cells.size(), new HashSet<>(addresses()).size(), "no column twice");
    }
    assertTrue(saves > 60, "saves=" + saves);
  }

  /** What the store would hold if the packer died now and its open hours were loaded again. */
  private Map<String, Map<Integer, Long>> resumedFrom(HourPacker packer, long points, String with)
      throws Exception {
    HourPacker.Saved saved = packer.saveOpen();
    PointBatch restored = new PointBatch(16);
    try (OpenHours open = new OpenHours(saved.files())) {
      while (open.next(restored)) {
        // It holds all of them in the end.
      }
    }
    assertEquals(
        points,
        packer.packedPoints()
            + packer.replacedPoints()
            + saved.replacedPoints()
            + restored.points(),
        with);
    Recorded first = outside;
    outside = new Recorded();
    outside.cells.addAll(first.cells);
    outside.ids = first.ids;
    outside.files = first.files + 1000;
    HourPacker resumed = packer(CellForm.PACKED, TWO_HOURS);
    resumed.accept(restored);
    resumed.finish();
    Map<String, Map<Integer, Long>> all = lastByColumn();
    outside = first;
    return all;
  }

  @Test
  void rejectsPoliciesOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> new SealPolicy(-1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new SealPolicy(17, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new SealPolicy(1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new SealPolicy(1, 1, -1));
    assertThrows(IllegalArgumentException.class, () -> new SealPolicy(1, 1, 0, 0, true));
    assertTrue(SealPolicy.WHOLE_HOURS.forOneOf(3).hoursComeOnce());
    assertEquals(16, new SealPolicy(16, 1, 0).openHoursPerSeries());
    assertEquals(new SealPolicy(2, 33, 600), new SealPolicy(2, 100, 600).forOneOf(3));
  }

  private long files() throws IOException {
    try (java.util.stream.Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  /** Row of an hour, counted from BASE. */
  private static String row(int series, int hour) {
    return hex(LAYOUT.rowKey(tsuid(series), BASE + 3600L * hour));
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
    assertTrue(outside.ids > 0 || outside.cells.isEmpty());
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
