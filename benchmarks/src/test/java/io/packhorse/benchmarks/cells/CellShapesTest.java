package io.packhorse.benchmarks.cells;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class CellShapesTest {
  static List<CellShape> shapes() {
    return CellShapes.all();
  }

  private static CellShape shape(String id) {
    return shapes().stream().filter(each -> each.id().equals(id)).findAny().orElseThrow();
  }

  @Test
  void haveNamesOfTheirOwn() {
    Set<String> ids = new HashSet<>();
    shapes().forEach(shape -> assertTrue(ids.add(shape.id()), shape.id()));
    assertEquals(20, ids.size());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void areTheSameEachTime(CellShape shape) {
    assertEquals(shape.blocks(60), shape(shape.id()).blocks(60));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void cutTheSamePointsIntoSmallerBlocks(CellShape shape) {
    long whole = shape.blocks(3600).stream().mapToLong(PointBlock::count).sum();
    assertEquals(CellShape.HOURS, shape.blocks(3600).size());
    for (int points : new int[] {60, 4}) {
      List<PointBlock> blocks = shape.blocks(points);
      assertTrue(blocks.stream().allMatch(block -> block.count() == points));
      // Less than a block an hour is left over.
      long cut = (long) blocks.size() * points;
      assertTrue(
          cut <= whole && cut > whole - (long) points * CellShape.HOURS, points + ": " + cut);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void fillTheHour(CellShape shape) {
    for (PointBlock block : shape.blocks(3600)) {
      boolean regular = shape.offsets() == null;
      assertTrue(regular ? block.count() == 3600 : block.count() > 2700, shape + " " + block);
      assertTrue(block.offsetsMs()[block.count() - 1] >= PointBlock.HOUR_MS - 200_000);
    }
  }

  /** Bits of a step between neighbours by their frequencies, as measured elsewhere. */
  @ParameterizedTest
  @CsvSource({
    "b_iot, 1, 0.258, 0.03",
    "b_anom, 1, 4.391, 0.1",
    "b_d2, 100, 4.371, 0.03",
    "c_tsbs, 1, 2.154, 0.03",
    "c_fp2, 100, 8.673, 0.1",
    "walk50, 1, 6.658, 0.01",
    "w2, 10, 4.392, 0.01",
  })
  void haveStepsOfTheKnownEntropy(String id, double scale, double bits, double tolerance) {
    Map<Long, Integer> steps = new HashMap<>();
    int count = 0;
    for (PointBlock block : shape(id).blocks(3600)) {
      for (int i = 1; i < block.count(); i++) {
        steps.merge(whole(block, i, scale) - whole(block, i - 1, scale), 1, Integer::sum);
        count++;
      }
    }
    double entropy = 0;
    for (int times : steps.values()) {
      double share = (double) times / count;
      entropy -= share * Math.log(share) / Math.log(2);
    }
    assertEquals(bits, entropy, tolerance);
  }

  private static long whole(PointBlock block, int index, double scale) {
    long bits = block.values()[index];
    return block.isDouble()[index] ? Math.round(Double.longBitsToDouble(bits) * scale) : bits;
  }

  @ParameterizedTest
  @CsvSource({"levels16, 16", "levels1000, 1000"})
  void drawFromSoManyLevelsAnHour(String id, int levels) {
    for (PointBlock block : shape(id).blocks(3600)) {
      long distinct = LongStream.of(block.values()).limit(block.count()).distinct().count();
      assertTrue(distinct <= levels && distinct > levels * 0.95, "distinct=" + distinct);
    }
  }

  @ParameterizedTest
  @CsvSource({"b_iot, 19, 34", "b_anom, -99, 99", "c_tsbs, 0, 100", "a_u100, 0, 99"})
  void stayInTheirRange(String id, long least, long most) {
    long[] all =
        shape(id).blocks(3600).stream()
            .flatMapToLong(block -> Arrays.stream(block.values()).limit(block.count()))
            .toArray();
    assertEquals(least, Arrays.stream(all).min().orElseThrow());
    assertEquals(most, Arrays.stream(all).max().orElseThrow());
  }
}
