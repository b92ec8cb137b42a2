package io.packhorse.schema.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidWidths;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Blocks of the series index and the sets that are made of them. */
final class SeriesBlockTest {
  private static final UidWidths WIDTHS = UidWidths.DEFAULT;
  private static final HexFormat HEX = HexFormat.of();

  /** The example of docs/format.md: changing these bytes is a change of the format. */
  private static final String EXAMPLE =
      "01 03 03 02"
          + " 01 000001 02"
          + " 02 000001 000002 01"
          + " 789c636060646060620091cc00002b0008 103988c6";

  @Test
  void rowsAreThoseOfTheDocument() {
    assertArrayEquals(
        "series/tsdb\0".getBytes(StandardCharsets.US_ASCII), SeriesIndexRow.whole("tsdb"));
    assertArrayEquals(SeriesIndexRow.whole("tsdb"), SeriesIndexRow.whole("default:tsdb"));
    byte[] metric = {0, 0, 7};
    byte[] row = SeriesIndexRow.block("ns:data", metric, 258);
    assertEquals("7365726965732f6e733a6461746100" + "000007" + "00000102", HEX.formatHex(row));
    assertEquals(258, SeriesIndexRow.number(row));
    assertTrue(Arrays.compareUnsigned(row, SeriesIndexRow.end("ns:data", metric)) < 0);
  }

  @Test
  void blocksKeepTheirSeries() throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      Set<Tsuid> series = series(random, 1 + random.nextInt(400));
      for (SeriesBlock block : SeriesSet.of(WIDTHS, series).blocks()) {
        SeriesBlock again = SeriesBlock.decode(WIDTHS, block.encode(WIDTHS));
        assertEquals(block, again);
        assertEquals(series.size(), again.series());
        SeriesSet set = SeriesSet.EMPTY.with(again);
        assertTrue(series.stream().allMatch(each -> set.contains(WIDTHS, each)));
        Set<Tsuid> others = series(random, 50);
        others.removeAll(series);
        assertTrue(others.stream().noneMatch(each -> set.contains(WIDTHS, each)));
      }
    }
  }

  @Test
  void setsGrowByBlocks() {
    Random random = new Random(2);
    TreeSet<Tsuid> all = new TreeSet<>();
    SeriesSet set = SeriesSet.EMPTY;
    for (int round = 0; round < 300; round++) {
      Set<Tsuid> more = series(random, 1 + random.nextInt(40));
      all.addAll(more);
      for (SeriesBlock block : SeriesSet.of(WIDTHS, more).blocks()) {
        set = set.with(block);
      }
    }
    SeriesSet grown = set;
    assertTrue(all.stream().allMatch(each -> grown.contains(WIDTHS, each)));
    assertTrue(set.groups().size() < 14 * 10, "few arrays for each of 14 sets of keys");
    assertEquals(
        all.size(), set.blocks().stream().mapToInt(SeriesBlock::series).sum(), "each once");
  }

  @Test
  void largeSetsMakeSeveralBlocks() {
    List<Tsuid> series = new ArrayList<>();
    for (int i = 1; i <= 40_000; i++) {
      series.add(i % 2 == 0 ? Tsuid.of(WIDTHS, 1, 1, i) : Tsuid.of(WIDTHS, 1, 1, i, 2, i));
    }
    List<SeriesBlock> blocks = SeriesSet.of(WIDTHS, series).blocks();
    assertEquals(
        List.of(SeriesBlock.SERIES_MAX, SeriesBlock.SERIES_MAX, 40_000 - 2 * 16_384),
        blocks.stream().map(SeriesBlock::series).toList());
    SeriesSet again = SeriesSet.EMPTY;
    for (SeriesBlock block : blocks) {
      again = again.with(block);
    }
    assertEquals(40_000, again.series());
    SeriesSet whole = again;
    assertTrue(series.stream().allMatch(each -> whole.contains(WIDTHS, each)));
  }

  @Test
  void everyDamageIsNoticed() {
    byte[] stored = SeriesSet.of(WIDTHS, series(new Random(3), 20)).blocks().get(0).encode(WIDTHS);
    for (int bit = 0; bit < stored.length * 8; bit++) {
      byte[] damaged = stored.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(MalformedCellException.class, () -> SeriesBlock.decode(WIDTHS, damaged));
    }
    for (int length = 0; length < stored.length; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThrows(MalformedCellException.class, () -> SeriesBlock.decode(WIDTHS, cut));
    }
    assertThrows(
        MalformedCellException.class,
        () -> SeriesBlock.decode(new UidWidths(3, 3, 4), stored),
        "other widths");
  }

  @Test
  void exampleOfTheDocument() throws Exception {
    List<Tsuid> series =
        List.of(
            Tsuid.of(WIDTHS, 1, 1, 1), Tsuid.of(WIDTHS, 1, 1, 2), Tsuid.of(WIDTHS, 1, 1, 1, 2, 3));
    SeriesBlock block = SeriesSet.of(WIDTHS, series).blocks().get(0);
    // Other versions of zlib may compress to other bytes.
    assertEquals(block, SeriesBlock.decode(WIDTHS, HEX.parseHex(EXAMPLE.replace(" ", ""))));
  }

  private static Set<Tsuid> series(Random random, int count) {
    Set<Tsuid> series = new TreeSet<>();
    while (series.size() < count) {
      int tags = 1 + random.nextInt(3);
      long[] uids = new long[2 * tags];
      for (int tag = 0; tag < tags; tag++) {
        uids[2 * tag] = 2L * tag + 1 + random.nextInt(2);
        uids[2 * tag + 1] = 1L + random.nextInt(1 << (1 + random.nextInt(20)));
      }
      series.add(Tsuid.of(WIDTHS, 1, uids));
    }
    return series;
  }
}
