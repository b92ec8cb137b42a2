package io.packhorse.loader.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CellComparisonTest {
  private static final List<LoaderId> JOB = List.of(new LoaderId(3, 1000), new LoaderId(5, 2000));

  private final Map<Byte, List<StoredColumn>> stored = new HashMap<>();
  private final CellComparison comparison = new CellComparison(this::rows, JOB, 1);

  private List<StoredRow> rows(List<byte[]> keys) {
    return keys.stream()
        .map(key -> new StoredRow(key, stored.getOrDefault(key[0], List.of())))
        .toList();
  }

  private void store(int row, int loader, int part, long... offsetsAndValues) {
    stored
        .computeIfAbsent((byte) row, none -> new ArrayList<>())
        .add(
            new StoredColumn(
                true,
                new PackedQualifier(loader, part).toBytes(),
                loader * 100L,
                cell(offsetsAndValues)));
  }

  private static byte[] cell(long... offsetsAndValues) {
    PointBlock block = new PointBlock();
    for (int i = 0; i < offsetsAndValues.length; i += 2) {
      block.add((int) offsetsAndValues[i], offsetsAndValues[i + 1], false);
    }
    return new PackedCellEncoder().encode(block);
  }

  private static CellWrite expected(int row, long... offsetsAndValues) {
    return new CellWrite(
        new byte[] {(byte) row},
        CellForm.PACKED,
        new byte[5],
        cell(offsetsAndValues),
        offsetsAndValues.length / 2,
        0);
  }

  private void compare(CellWrite... cells) throws Exception {
    try (CellSink sink = comparison.openSink()) {
      for (CellWrite cell : cells) {
        sink.write(cell);
      }
      sink.flush();
    }
  }

  @Test
  void equalPointsPassHoweverTheyWereCutIntoCells() throws Exception {
    store(1, 3, 0, 0, 7, 1000, 8);
    store(1, 5, 0, 1000, 8, 2000, 9);
    store(2, 5, 1, 5, 5);
    compare(expected(1, 0, 7, 1000, 8, 2000, 9), expected(2, 5, 5));
    VerifyReport report = comparison.report(4, 4);
    assertTrue(report.passed(), report.toString());
    assertEquals(4, report.equalPoints());
    assertEquals(3, report.columns());
  }

  @Test
  void ignoresCellsOfOtherJobs() throws Exception {
    store(1, 3, 0, 0, 7);
    store(1, 9, 0, 0, 8, 1000, 8);
    compare(expected(1, 0, 7));
    assertTrue(comparison.report(1, 1).passed());
    compare(expected(1, 1000, 8));
    assertEquals(1, comparison.report(2, 1).missingPoints());
  }

  @Test
  void theLastPointOfATimeCounts() throws Exception {
    store(1, 3, 0, 0, 7, 1000, 1);
    store(1, 3, 1, 0, 8);
    compare(expected(1, 0, 7, 1000, 1), expected(1, 0, 8));
    assertEquals(List.of(), comparison.report(2, 2).differences());
    compare(expected(1, 0, 7));
    assertEquals(1, comparison.report(2, 2).wrongPoints(), "stored is not what came last");
    assertEquals(1, comparison.report(2, 3).extraPoints(), "a repeated point hides no other");
  }

  @Test
  void countsAndNamesDifferences() throws Exception {
    store(1, 3, 0, 0, 7, 1000, 8, 3000, 1);
    compare(expected(1, 0, 6, 1000, 8, 2000, 9), expected(4, 0, 1));
    VerifyReport report = comparison.report(4, 3);
    assertFalse(report.passed());
    assertEquals(4, report.expectedPoints());
    assertEquals(1, report.equalPoints());
    assertEquals(1, report.wrongPoints());
    assertEquals(2, report.missingPoints());
    assertEquals(1, report.extraPoints());
    assertTrue(report.differences().contains("row 01 +0 ms: differs"), report.toString());
    assertTrue(report.differences().contains("row 04 +0 ms: missing"), report.toString());
  }

  @Test
  void aSampleComparesSomeRows() throws Exception {
    CellComparison sample = new CellComparison(this::rows, JOB, 16);
    try (CellSink sink = sample.openSink()) {
      for (int row = 0; row < 128; row++) {
        store(row, 3, 0, 0, 1);
        sink.write(expected(row, 0, 1));
      }
      sink.flush();
      assertEquals(128, sink.acknowledgedPoints());
    }
    assertEquals(8, sample.report().rows());
    assertTrue(sample.report().passed());
  }
}
