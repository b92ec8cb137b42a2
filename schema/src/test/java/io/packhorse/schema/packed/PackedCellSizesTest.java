package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes a point, whole cell, over the shapes; and never more than the column it replaces. */
class PackedCellSizesTest {
  /** From so many points on the packed cell's own qualifier may be counted, too. */
  private static final int WITH_QUALIFIER_MIN = 80;

  private static final int HOURS = 16;

  /** The largest mean size that a change of the encoder may give. */
  @ParameterizedTest
  @Tag("exhaustive")
  @CsvSource({
    "walk50,     3600, 0.845",
    "w2,         3600, 0.562",
    "w2,         60,   0.700",
    "a_u100,     3600, 0.840",
    "a_u10k,     3600, 1.680",
    "a_u1m,      3600, 2.510",
    "a_u64,      3600, 8.010",
    "a_mixw,     3600, 4.800",
    "b_iot,      3600, 0.036",
    "b_iot,      60,   0.150",
    "b_anom,     3600, 0.660",
    "b_d2,       3600, 0.645",
    "b_raw,      3600, 5.820",
    "c_tsbs,     3600, 0.370",
    "c_fp2,      3600, 1.180",
    "c_raw,      3600, 6.400",
    "e_jit5ms,   3600, 1.300",
    "e_unif1s,   3600, 1.930",
    "e_expjit,   3600, 1.210",
    "e_gaps_s,   3600, 0.670",
    "levels16,   3600, 0.550",
    "levels1000, 3600, 2.900",
  })
  void staysBelowItsTarget(String shape, int points, double most) {
    PackedCellEncoder encoder = new PackedCellEncoder();
    long bytes = 0;
    long packed = 0;
    for (PointBlock block : Shapes.blocks(shape, points, HOURS)) {
      bytes += encoder.encode(block).length;
      packed += block.count();
    }
    double mean = (double) bytes / packed;
    assertTrue(mean <= most, "bytes a point: " + mean + ", at most " + most);
  }

  /** Header and times of an hour of minutes: the cell of 60 equal integers less its value. */
  @Test
  void sixtyRegularPointsTakeThreeBytesOfHeaderAndTimes() {
    PointBlock block = new PointBlock();
    for (int i = 0; i < 60; i++) {
      block.addLong(60_000 * i, 7);
    }
    int valueBytes = 2;
    assertTrue(new PackedCellEncoder().encode(block).length - valueBytes <= 4);
  }

  @Test
  @Tag("exhaustive")
  void noCellOfFourPointsOrMoreIsLargerThanTheCompactedColumn() {
    PackedCellEncoder encoder = new PackedCellEncoder();
    for (long seed = 1; seed <= 40; seed++) {
      for (BlockShapes.Shape shape : BlockShapes.all(seed)) {
        if (shape.block().count() >= 4) {
          assertNotLarger(shape.block(), encoder, "seed " + seed + ", " + shape);
        }
      }
    }
    for (String name : Shapes.ALL) {
      for (int points : new int[] {4, 60, 3600}) {
        for (PointBlock block : Shapes.blocks(name, points, 1)) {
          assertNotLarger(block, encoder, name + ", " + points);
        }
      }
    }
  }

  /** The worst there is: nothing regular, every kind and length, a few odd milliseconds. */
  @Test
  @Tag("exhaustive")
  void noFewWildPointsAreLargerThanTheCompactedColumn() {
    PackedCellEncoder encoder = new PackedCellEncoder();
    SplittableRandom random = new SplittableRandom(3);
    for (int count = 4; count < 200; count++) {
      for (int odd : new int[] {0, 1, 2, count / 2, count}) {
        PointBlock block = new PointBlock(count);
        int second = 0;
        for (int i = 0; i < count; i++) {
          second += 1 + random.nextInt(random.nextInt(3) == 0 ? 2 : 3200 / count);
          boolean isDouble = random.nextBoolean();
          long bits =
              isDouble
                  ? Double.doubleToRawLongBits(
                      random.nextBoolean() ? random.nextLong() : (float) random.nextDouble())
                  : random.nextLong() >> (8 * random.nextInt(8));
          block.add(1000 * second + (i < odd ? 1 + random.nextInt(999) : 0), bits, isDouble);
        }
        assertNotLarger(block, encoder, "count " + count + ", odd " + odd);
      }
    }
  }

  private static void assertNotLarger(PointBlock block, PackedCellEncoder encoder, String message) {
    ByteWriter qualifier = new ByteWriter(16);
    ByteWriter value = new ByteWriter(16);
    CompactedCell.encode(block, qualifier, value);
    int compacted = qualifier.length() + value.length();
    int own = block.count() >= WITH_QUALIFIER_MIN ? PackedQualifier.LENGTH : 0;
    int packed = encoder.encode(block).length + own;
    assertTrue(packed <= compacted, message + ": " + packed + " > " + compacted);
  }
}
