package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.load.SpreadPlan.Sample;
import io.packhorse.loader.sink.hfile.SpreadTarget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SpreadPlanTest {
  private static final double MIB = 1 << 20;
  private static final byte[][] REGIONS = {{}, {1}, {2}};

  @Test
  void partsHoldAboutAsManyBytesAndLieInOneRegion() {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < 128; i++) {
      samples.add(new Sample(new byte[] {1, (byte) i}, MIB));
      samples.add(new Sample(new byte[] {0, (byte) i}, MIB / 16));
    }
    Collections.shuffle(samples, new Random(1));
    byte[][] starts = SpreadPlan.cut(REGIONS, samples, 4);
    // 136 MiB for eight parts: seventeen MiB or more each.
    assertEquals(10, starts.length);
    assertArrayEquals(new byte[0], starts[0]);
    assertArrayEquals(new byte[] {1}, starts[1]);
    assertArrayEquals(new byte[] {1, 17}, starts[2]);
    assertArrayEquals(new byte[] {2}, starts[9]);
  }

  @Test
  void aLittleIsNotCutAndARowNever() {
    List<Sample> small = List.of(new Sample(new byte[] {0, 1}, 3), new Sample(new byte[] {2}, 3));
    assertEquals(3, SpreadPlan.cut(REGIONS, small, 100).length);
    List<Sample> oneRow = Collections.nCopies(100, new Sample(new byte[] {1}, 300 * MIB));
    assertEquals(3, SpreadPlan.cut(REGIONS, oneRow, 1).length);
    assertEquals(1, SpreadPlan.cut(new byte[][] {{}}, List.of(), 1).length);
  }

  @Test
  void aRowLiesInThePartThatBeginsBeforeIt() {
    SpreadPlan plan =
        new SpreadPlan(
            CellForm.PACKED,
            new int[] {1, 4, 3, 3, 3},
            new byte[][] {{}, {1}, {1, 7}},
            1,
            0,
            new SpreadTarget("file:/x", "tsdb", "p", Map.of(), new byte[0], false));
    assertEquals(0, plan.partOf(new byte[] {0, -1}));
    assertEquals(1, plan.partOf(new byte[] {1}));
    assertEquals(1, plan.partOf(new byte[] {1, 6, 9}));
    assertEquals(2, plan.partOf(new byte[] {1, 7}));
    assertEquals(2, plan.partOf(new byte[] {-1}));
    assertTrue(plan.layout().salt().width() == 1);
  }
}
