package io.packhorse.loader.summary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.summary.SummaryBlock;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryEntries;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryValue;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks say of each entry what its points say, and every cell has a claim before it is sent. */
class LoadSummariesTest {
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));
  private static final int SERIES = 6;

  /** Around the end of a leap year's February and of a year. */
  private static final int[] STARTS = {473_352 + 24 * 57, 473_352 + 24 * 363};

  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final CellSummer summer = new CellSummer();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private int files;

  /** Claims as they are stored. */
  private static final class Claims implements ClaimStore {
    private final Map<Integer, SummaryClaim> stored = new HashMap<>();
    private boolean building;
    private int puts;

    @Override
    public boolean put(int loaderId, SummaryClaim claim) {
      stored.put(loaderId, claim);
      puts++;
      return building;
    }

    private boolean covers(int loaderId, int series, int hour) {
      SummaryClaim claim = stored.get(loaderId);
      return claim != null
          && claim.has(new byte[] {0, 0, (byte) (series + 1)})
          && claim.fromSeconds() <= hour * 3600L
          && hour * 3600L < claim.toSeconds();
    }
  }

  /** A cell of the test, and who wrote it. */
  private record Written(int loader, int series, int hour, PointBlock points) {}

  private static Tsuid tsuid(int series) {
    return Tsuid.of(UidWidths.DEFAULT, metric(series), 1, series + 1L);
  }

  private static long metric(int series) {
    return series + 1L;
  }

  private LoadSummaries summaries(LoaderClaims claims, long bytesMax) {
    return new LoadSummaries(
        LAYOUT,
        LoadSummariesTest::tsuid,
        LoadSummariesTest::metric,
        claims,
        () -> folder.resolve("blocks-" + files++),
        bytesMax);
  }

  private static PointBlock points(Random random) {
    int count = random.nextInt(4) == 0 ? 256 + random.nextInt(300) : 1 + random.nextInt(9);
    PointBlock block = new PointBlock(count);
    int kind = random.nextInt(5);
    int[] offsets = random.ints(0, PointBlock.HOUR_MS).distinct().limit(count).sorted().toArray();
    for (int offset : offsets) {
      boolean isDouble = kind == 0 || (kind == 1 && random.nextBoolean());
      double value =
          random.nextInt(20) == 0 ? Double.NaN : random.nextInt(1000) / 8.0 - (kind == 0 ? 60 : 0);
      long integer = kind == 4 && random.nextInt(9) == 0 ? random.nextLong() : random.nextInt(90);
      block.add(offset, isDouble ? Double.doubleToRawLongBits(value) : integer, isDouble);
    }
    return block;
  }

  @Test
  void entriesAreThoseOfThePoints() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 6; round++) {
      long bytesMax = random.nextBoolean() ? Long.MAX_VALUE : 30_000;
      compare(random, bytesMax, "seed " + seed + ", round " + round);
    }
  }

  private void compare(Random random, long bytesMax, String told) throws Exception {
    Claims stored = new Claims();
    LoaderClaims claims = new LoaderClaims(stored, UidWidths.DEFAULT);
    List<Written> written = new ArrayList<>();
    Map<String, byte[]> blocks = new TreeMap<>();
    try (LoadSummaries summaries = summaries(claims, bytesMax)) {
      SummedCells shard = summaries.open();
      for (int loader = 1; loader <= 3; loader++) {
        for (int hour = 0; hour < 160; hour++) {
          for (int series = 0; series < SERIES; series++) {
            int at = STARTS[loader % 2] + hour;
            for (int part = random.nextInt(40) == 0 ? 2 : random.nextInt(2); part > 0; part--) {
              PointBlock points = points(random);
              written.add(new Written(loader, series, at, points));
              byte[] cell = encoder.encode(points);
              SummedCell summed = CellSummer.sum(series, at, points, encoder.statistics(points));
              assertEquals(summed, summer.sum(series, at, cell), told);
              shard.add(new LoaderId(loader, 1_000 + loader), summed);
              claims.record();
              assertTrue(stored.covers(loader, series, at), told);
            }
          }
        }
      }
      summaries.read(block -> blocks.put(key(block), block.value()));
    }
    assertTrue(stored.puts < 3 * (SERIES + 4), "claims are stored once a month: " + stored.puts);
    for (int loader = 1; loader <= 3; loader++) {
      for (int series = 0; series < SERIES; series++) {
        check(written, blocks, loader, series, told);
      }
    }
    assertTrue(blocks.isEmpty(), told + ": blocks of nobody: " + blocks.keySet());
    assertTrue(claims.stored().stream().allMatch(LoaderClaim::summarised), told);
  }

  private static String key(SummaryWrite block) throws IOException {
    try {
      return block.loader().id()
          + " "
          + LAYOUT.tsuid(block.rowKey())
          + " "
          + block.level()
          + " "
          + LAYOUT.baseTimeSeconds(block.rowKey())
          + " "
          + block.number();
    } catch (MalformedCellException e) {
      throw new IOException(e);
    }
  }

  /** Takes the blocks of a series and loader out, and compares their entries with the points. */
  private static void check(
      List<Written> written, Map<String, byte[]> blocks, int loader, int series, String told)
      throws Exception {
    Map<Integer, List<PointBlock>> hours = new TreeMap<>();
    for (Written each : written) {
      if (each.loader() == loader && each.series() == series) {
        hours.computeIfAbsent(each.hour(), none -> new ArrayList<>()).add(each.points());
      }
    }
    Map<Integer, Integer> seen = new HashMap<>();
    int ofHours = 0;
    String prefix = loader + " " + tsuid(series) + " ";
    for (String key : List.copyOf(blocks.keySet())) {
      if (!key.startsWith(prefix)) {
        continue;
      }
      String[] words = key.substring(prefix.length()).split(" ", -1);
      SummaryLevel level = SummaryLevel.valueOf(words[0]);
      long row = Long.parseLong(words[1]);
      SummaryEntries entries = new SummaryEntries();
      byte[] value = blocks.remove(key);
      assertNotNull(value);
      new SummaryBlock().decode(level, value, EnumSet.allOf(SummaryValue.class), entries);
      for (int at = 0; at < entries.size(); at++) {
        int start = (int) (level.start(row, entries.index(at)) / 3600);
        String entry = told + ": " + key + " " + entries.index(at);
        if (level == SummaryLevel.HOUR) {
          ofHours++;
          equal(List.of(hours.getOrDefault(start, List.of())), start, entries, at, entry);
        } else if (level == SummaryLevel.DAY) {
          List<List<PointBlock>> parts = new ArrayList<>();
          for (int hour : bits(entries.parts(at))) {
            seen.merge(start + hour, 1, Integer::sum);
            parts.add(hours.getOrDefault(start + hour, List.of()));
          }
          equal(parts, start, entries, at, entry);
        }
      }
    }
    int withStatistics = 0;
    for (Map.Entry<Integer, List<PointBlock>> hour : hours.entrySet()) {
      // An hour may be in two entries if its cells were apart when memory was full.
      int times = seen.getOrDefault(hour.getKey(), 0);
      assertTrue(times == 1 || (times == 2 && hour.getValue().size() == 2), told + " " + hour);
      withStatistics +=
          hour.getValue().size() == 1
                  && hour.getValue().get(0).count() >= CellStatistics.STORED_FROM_POINTS
                  && CellStatistics.of(hour.getValue().get(0)) != null
              ? 1
              : 0;
    }
    assertEquals(hours.keySet(), new TreeSet<>(seen.keySet()), told);
    assertTrue(ofHours >= withStatistics, told);
  }

  private static int[] bits(int set) {
    return IntStream.range(0, 32).filter(bit -> (set >>> bit & 1) != 0).toArray();
  }

  /** Compares an entry with the points of the hours it is of, one after the other. */
  private static void equal(
      List<List<PointBlock>> hours, int start, SummaryEntries entries, int at, String told) {
    for (List<PointBlock> cells : hours) {
      assertFalse(cells.isEmpty(), told + ": no cell");
      if (cells.size() > 1) {
        // Of one entry or of two, readers read these cells.
        return;
      }
    }
    int count = 0;
    int numbers = 0;
    boolean integers = true;
    boolean none = false;
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (List<PointBlock> cells : hours) {
      PointBlock block = cells.get(0);
      count += block.count();
      integers &= block.doubles() == 0;
      none |= CellStatistics.of(block) == null;
      for (int i = 0; i < block.count(); i++) {
        double value =
            block.isDouble()[i] ? Double.longBitsToDouble(block.values()[i]) : block.values()[i];
        if (!Double.isNaN(value)) {
          numbers++;
          sum += value;
          min = Math.min(min, value);
          max = Math.max(max, value);
        }
      }
    }
    PointBlock first = hours.get(0).get(0);
    PointBlock last = hours.get(hours.size() - 1).get(0);
    assertEquals(count, entries.count(at), told);
    if (start >= 0 && hours.size() == 1) {
      assertEquals(first.offsetsMs()[0] % 3_600_000, entries.firstMs(at) % 3_600_000, told);
      assertEquals(
          last.offsetsMs()[last.count() - 1] % 3_600_000, entries.lastMs(at) % 3_600_000, told);
    }
    CellStatistics found = entries.statistics(at);
    if (found == null) {
      return;
    }
    assertFalse(none, told + ": an hour without statistics");
    assertEquals(numbers, found.numbers(), told);
    assertEquals(integers, found.integers(), told);
    assertEquals(min, found.asDouble(found.min()), told);
    assertEquals(max, found.asDouble(found.max()), told);
    assertEquals(sum, found.asDouble(found.sum()), Math.abs(sum) * 1e-9, told);
    assertEquals(value(first, 0), bits(found, found.first()), told);
    assertEquals(value(last, last.count() - 1), bits(found, found.last()), told);
  }

  private static String value(PointBlock block, int at) {
    return Double.toString(
        block.isDouble()[at] ? Double.longBitsToDouble(block.values()[at]) : block.values()[at]);
  }

  private static String bits(CellStatistics of, long value) {
    return Double.toString(of.asDouble(value));
  }

  @Test
  void monthsAreTheirDays() throws Exception {
    SummaryLog log = new SummaryLog();
    for (int day = 0; day < 40; day++) {
      PointBlock block = new PointBlock(1);
      block.addLong(1_000, day);
      assertTrue(log.add(summer.sum(0, STARTS[1] + 24 * day, encoder.encode(block))));
    }
    List<SummaryEntries> years = new ArrayList<>();
    log.takeAll(
        (series, level, row, value) -> {
          if (level == SummaryLevel.MONTH) {
            SummaryEntries entries = new SummaryEntries();
            try {
              new SummaryBlock().decode(level, value, EnumSet.allOf(SummaryValue.class), entries);
            } catch (MalformedCellException e) {
              throw new IOException(e);
            }
            years.add(entries);
          }
        });
    // 2024 has 366 days: three in December, 31 in January, six in February.
    assertEquals(2, years.size());
    SummaryEntries last = years.get(1);
    assertEquals(11, years.get(0).index(0));
    assertEquals(0b111 << 28, years.get(0).parts(0));
    assertEquals(2, last.size());
    assertEquals(31, last.count(0));
    CellStatistics january = last.statistics(0);
    assertNotNull(january);
    assertEquals(IntStream.range(3, 34).sum(), january.sum());
    assertEquals(30L * 86_400_000 + 1_000, last.lastMs(0));
    assertEquals(0b111111, last.parts(1));
  }

  @Test
  void anHourBeforeTheLastIsRefused() throws Exception {
    SummaryLog log = new SummaryLog();
    byte[] cell = cellOfOnePoint();
    assertTrue(log.add(summer.sum(3, 50, cell)));
    assertFalse(log.add(summer.sum(3, 49, cell)));
    assertTrue(log.add(summer.sum(2, 49, cell)));
  }

  private byte[] cellOfOnePoint() {
    PointBlock block = new PointBlock(1);
    block.addLong(0, 1);
    return encoder.encode(block);
  }

  @Test
  void aLoaderOfTooManyBlocksIsLeftOut() throws Exception {
    LoaderClaims claims = new LoaderClaims(new Claims(), UidWidths.DEFAULT);
    byte[] cell = cellOfOnePoint();
    try (LoadSummaries summaries = summaries(claims, Long.MAX_VALUE)) {
      SummedCells shard = summaries.open();
      for (int hour = 300; hour > 0; hour--) {
        shard.add(new LoaderId(1, 1), summer.sum(0, hour, cell));
        claims.record();
      }
      int[] blocks = new int[1];
      summaries.read(each -> blocks[0]++);
      // Of each number a day and a month.
      assertEquals(2 * 256, blocks[0]);
    }
    assertFalse(claims.stored().get(0).summarised());
    assertTrue(claims.stored().get(0).leftOut().orElse("").contains("a larger heap helps"));
  }

  /** A load of many series, one after the other, as generated ones are. */
  @Test
  void seriesThatComeInOrderNeedOneNumberHoweverSmallTheMemory() throws Exception {
    LoaderClaims claims = new LoaderClaims(new Claims(), UidWidths.DEFAULT);
    byte[] cell = cellOfOnePoint();
    Set<String> blocks = new TreeSet<>();
    try (LoadSummaries summaries = summaries(claims, 1)) {
      SummedCells shard = summaries.open();
      for (int series = 0; series < 300; series++) {
        shard.add(new LoaderId(1, 1), summer.sum(series, 500_000, cell));
        claims.record();
      }
      summaries.read(
          each -> {
            assertEquals(0, each.number());
            assertTrue(blocks.add(key(each)), () -> each + " twice");
          });
    }
    assertTrue(claims.stored().get(0).summarised());
    assertEquals(2 * 300, blocks.size());
  }

  @Test
  void aLoaderThatABuilderMayHaveMissedIsLeftOut() throws Exception {
    Claims store = new Claims();
    store.building = true;
    LoaderClaims claims = new LoaderClaims(store, UidWidths.DEFAULT);
    LoaderClaim early = claims.open(new LoaderId(1, 1), metric(0), 0);
    claims.record();
    store.building = false;
    claims.open(new LoaderId(2, 2), metric(0), 0);
    claims.record();
    store.building = true;
    claims.cover(claims.stored().get(1), metric(0), 100 * 86_400);
    claims.record();
    assertFalse(early.summarised());
    assertTrue(claims.stored().get(1).summarised());
    assertEquals(3, store.puts);
  }

  @Test
  void claimsOfManyMetricsAreOfAll() throws Exception {
    Claims store = new Claims();
    LoaderClaims claims = new LoaderClaims(store, UidWidths.DEFAULT);
    LoaderClaim claim = claims.open(new LoaderId(1, 1), metric(0), 0);
    for (int series = 1; series < 100; series++) {
      claims.cover(claim, metric(series), 0);
      claims.record();
      assertTrue(store.covers(1, series, 0));
    }
    SummaryClaim last = store.stored.get(1);
    assertNotNull(last);
    assertTrue(last.metrics().isEmpty());
    assertEquals(0, last.fromSeconds());
    assertEquals(31 * 86_400, last.toSeconds());
  }
}
