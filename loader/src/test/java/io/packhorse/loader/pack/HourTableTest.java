package io.packhorse.loader.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HourTableTest {
  private static final long HOUR_MS = 3_600_000;
  private static final int SERIES = 40;

  private final Random random = new Random(7);
  private final HourTable table = new HourTable(1);
  private final int[] entries = new int[SERIES];
  private final List<PointBlock> expected = new ArrayList<>();

  @Test
  void keepsThePointsOfEachHourWhileOthersComeAndGo() {
    for (int series = 0; series < SERIES; series++) {
      entries[series] = HourTable.NONE;
      expected.add(new PointBlock());
    }
    for (int step = 0; step < 20_000; step++) {
      int series = random.nextInt(SERIES);
      if (entries[series] != HourTable.NONE && random.nextInt(25) == 0) {
        close(series);
      } else {
        append(series, 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 9));
      }
    }
    for (int series = 0; series < SERIES; series++) {
      close(series);
    }
    assertEquals(0, table.bytes());
  }

  private void append(int series, int points) {
    if (entries[series] == HourTable.NONE) {
      entries[series] = table.openNewest(series, series);
    }
    PointBlock block = expected.get(series);
    long[] timestampsMs = new long[points + 1];
    long[] bits = new long[points + 1];
    boolean[] isDouble = new boolean[points + 1];
    for (int i = 0; i < points; i++) {
      int offset = block.count() * 10;
      timestampsMs[i] = series * HOUR_MS + offset;
      bits[i] = random.nextLong();
      isDouble[i] = random.nextBoolean();
      block.add(offset, bits[i], isDouble[i]);
    }
    // Of the next hour, which another entry would take.
    timestampsMs[points] = (series + 1) * HOUR_MS;
    assertEquals(points, table.take(entries[series], timestampsMs, bits, isDouble, 0, points + 1));
  }

  private void close(int series) {
    if (entries[series] == HourTable.NONE) {
      return;
    }
    HourSorter points = new HourSorter();
    table.copy(entries[series], points);
    assertEquals(expected.get(series), points.merged());
    table.removeNewest(entries[series]);
    entries[series] = HourTable.NONE;
    expected.set(series, new PointBlock());
  }

  @Test
  void fewPointsTakeLittleMemoryAndManyLittleMoreThanTheirOwn() {
    assertEquals(HourTable.HOUR_BYTES + 2 * PointArena.CHUNK_BYTES_MIN, bytesOf(12));
    assertEquals(HourTable.HOUR_BYTES + 8 * PointArena.CHUNK_BYTES_MIN, bytesOf(60));
    assertTrue(bytesOf(3_600) < HourTable.HOUR_BYTES + 3_700L * PointArena.CHUNK_BYTES_MIN / 8);
  }

  private static long bytesOf(int points) {
    HourTable table = new HourTable(1);
    long[] timestampsMs = new long[points];
    for (int i = 0; i < points; i++) {
      timestampsMs[i] = i;
    }
    int entry = table.openNewest(0, 0);
    table.take(entry, timestampsMs, new long[points], new boolean[points], 0, points);
    return table.bytes();
  }
}
