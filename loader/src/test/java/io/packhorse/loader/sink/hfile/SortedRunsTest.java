package io.packhorse.loader.sink.hfile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortedRunsTest {
  private static final RegionRanges REGIONS =
      new RegionRanges(new byte[][] {{}, {1}, {1, 40}, {7}});

  @TempDir private Path folder = Path.of("");

  @Test
  void mergedRunsEqualASortedModelWhateverTheBudget() throws Exception {
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int threads = random.nextInt(1, 4);
      long budget = random.nextBoolean() ? 1 : random.nextLong(500, 20_000);
      List<SortedRuns> runs = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        runs.add(new SortedRuns(folder, seed + "-" + thread, REGIONS, budget));
      }
      TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
      long points = 0;
      for (int i = random.nextInt(400); i > 0; i--) {
        CellWrite cell = cell(random, threads);
        points += cell.points();
        // The later of two equal cells stays; a map keeps the first key, so both are replaced.
        model.remove(cell);
        model.put(cell, cell);
        runs.get(cell.rowKey()[1] % threads).add(cell);
      }
      runs.forEach(SortedRuns::finish);
      List<CellWrite> read = new ArrayList<>();
      long readPoints = 0;
      for (int region = 0; region < REGIONS.count(); region++) {
        List<SortedRuns.Cells> pieces = new ArrayList<>();
        int before = read.size();
        for (SortedRuns each : runs) {
          pieces.addAll(each.open(region));
        }
        try (MergedCells merged = new MergedCells(pieces)) {
          for (CellWrite cell = merged.next(); cell != null; cell = merged.next()) {
            assertEquals(region, REGIONS.regionOf(cell.rowKey()), "seed=" + seed);
            readPoints += cell.points() + merged.replacedPoints();
            read.add(cell);
          }
        }
        int wanted = region;
        assertEquals(
            read.size() == before, runs.stream().allMatch(each -> each.isEmpty(wanted)), "empty");
      }
      assertEquals(points, readPoints, "seed=" + seed);
      assertEquals(model.size(), read.size(), "seed=" + seed);
      int at = 0;
      for (CellWrite expected : model.values()) {
        assertSame(expected, read.get(at++), "seed=" + seed);
      }
    }
  }

  @Test
  void cellsWithinTheBudgetStayInMemory() throws Exception {
    SortedRuns runs = new SortedRuns(folder.resolve("none"), "x", REGIONS, 1 << 20);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100; i++) {
      runs.add(cell(random, 1));
    }
    runs.finish();
    assertEquals(0, runs.spilled());
    assertFalse(Files.exists(folder.resolve("none")));
  }

  @Test
  void aRunIsWrittenAboveTheBudget() throws Exception {
    SortedRuns runs = new SortedRuns(folder.resolve("some"), "x", REGIONS, 10_000);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 1000; i++) {
      runs.add(cell(random, 1));
    }
    assertTrue(runs.spilled() > 5);
    try (Stream<Path> files = Files.list(folder.resolve("some"))) {
      assertEquals(runs.spilled(), files.count());
    }
  }

  @Test
  void saysWhereItCannotWrite() throws Exception {
    Path file = Files.createFile(folder.resolve("taken"));
    SortedRuns runs = new SortedRuns(file, "x", REGIONS, 1);
    CellWrite cell = cell(new SplittableRandom(3), 1);
    IOException e = assertThrows(IOException.class, () -> runs.add(cell));
    assertTrue(String.valueOf(e.getMessage()).contains(file.toString()), e.getMessage());
  }

  @Test
  void aRowBelongsToTheRegionThatStartsAtOrBeforeIt() {
    assertEquals(0, REGIONS.regionOf(new byte[] {0, 5}));
    assertEquals(1, REGIONS.regionOf(new byte[] {1}));
    assertEquals(1, REGIONS.regionOf(new byte[] {1, 39, 99}));
    assertEquals(2, REGIONS.regionOf(new byte[] {1, 40}));
    assertEquals(3, REGIONS.regionOf(new byte[] {(byte) 0xff}));
  }

  /** Few rows, so that equal cells are common; a series, its second byte, stays in one thread. */
  private static CellWrite cell(SplittableRandom random, int threads) {
    byte[] row = {
      (byte) random.nextInt(9), (byte) random.nextInt(20 * threads), (byte) random.nextInt(3)
    };
    byte[] value = new byte[random.nextInt(1, 40)];
    random.nextBytes(value);
    return new CellWrite(
        row,
        random.nextBoolean() ? CellForm.PACKED : CellForm.COMPACTED,
        new byte[] {1, (byte) random.nextInt(2)},
        value,
        random.nextInt(1, 100),
        random.nextInt(2));
  }

  private static void assertSame(CellWrite expected, CellWrite found, String message) {
    assertArrayEquals(expected.rowKey(), found.rowKey(), message);
    assertArrayEquals(expected.qualifier(), found.qualifier(), message);
    assertArrayEquals(expected.value(), found.value(), message);
    assertEquals(expected.points(), found.points(), message);
    assertEquals(expected.stampMs(), found.stampMs(), message);
    assertEquals(expected.form(), found.form(), message);
  }
}
