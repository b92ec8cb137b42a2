package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.generated.GeneratedRange;
import io.packhorse.loader.source.generated.GeneratedRowSource;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidWidths;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowRangesTest {
  private static final WalkSpec SPEC = new WalkSpec("m", 23, 60_000, 1_704_067_200, 60 * 11 + 7, 5);

  /** Later series have smaller UIDs: the order of rows is not that of numbers. */
  private static Tsuid tsuid(int series) {
    return Tsuid.of(UidWidths.DEFAULT, 5, 1, 1000 - series);
  }

  private static List<List<GeneratedRange>> plan(WalkSpec spec, RowKeyLayout layout, int threads) {
    int count = spec.seriesCount();
    int[] inOrder = IntStream.range(0, count).map(place -> count - 1 - place).toArray();
    return RowRanges.plan(spec, layout, RowRangesTest::tsuid, inOrder, threads);
  }

  @Test
  void eachHourComesOnceAndInRowOrderWithinItsRange() {
    for (SaltFunction salt :
        List.of(SaltFunction.NONE, new SaltFunction(1, 4), new SaltFunction(1, 20))) {
      RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, salt);
      for (int threads = 1; threads <= 40; threads++) {
        List<List<GeneratedRange>> plan = plan(SPEC, layout, threads);
        assertTrue(!plan.isEmpty() && plan.size() <= threads);
        Set<String> seen = new HashSet<>();
        long points = 0;
        for (List<GeneratedRange> ranges : plan) {
          for (GeneratedRange range : ranges) {
            byte[] last = {};
            GeneratedRowSource source = new GeneratedRowSource(SPEC, List.of(range));
            for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
              long base = batch.timestampsMs()[0] / 1000;
              byte[] row = layout.rowKey(tsuid(batch.series(0)), base);
              assertTrue(Arrays.compareUnsigned(last, row) < 0, "rows must rise");
              assertTrue(seen.add(batch.series(0) + " " + base));
              last = row;
              points += batch.points();
            }
          }
        }
        assertEquals(SPEC.totalPoints(), points);
      }
    }
  }

  @Test
  void threadsGetAboutTheSame() {
    RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));
    WalkSpec spec = new WalkSpec("m", 128, 1000, 1_704_067_200, 86_400L * 30, 1);
    List<List<GeneratedRange>> plan = plan(spec, layout, 2);
    for (List<GeneratedRange> ranges : plan) {
      long rows = ranges.stream().mapToLong(GeneratedRange::rows).sum();
      assertTrue(Math.abs(rows - 128 * 720 / 2) < 128 * 720 / 10, "rows=" + rows);
    }
  }

  @Test
  void anUnsaltedTableIsCutByTime() {
    RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, SaltFunction.NONE);
    List<List<GeneratedRange>> plan = plan(SPEC, layout, 3);
    assertEquals(3, plan.size());
    assertEquals(23, plan.get(0).get(0).series().length);
  }
}
