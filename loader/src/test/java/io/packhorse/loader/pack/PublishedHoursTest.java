package io.packhorse.loader.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.summary.SummedCell;
import io.packhorse.loader.summary.SummedCells;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.uid.UidWidths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hours that are stored while they are open. */
final class PublishedHoursTest {
  private static final long BASE = 1_704_067_200;
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));

  @TempDir private Path folder = Path.of("");
  private final PointBatch batch = new PointBatch(16);

  /**
   * A store in which a cell replaces the one of the same name. If a call is repeated, the attempt
   * that was given up may be carried out at any later time.
   */
  private final class Simulated implements PackerContext, SummedCells {
    private final SplittableRandom random;
    private final int repeatedOf;
    private final Map<String, CellWrite> stored = new HashMap<>();
    private final List<CellWrite> sent = new ArrayList<>();
    private final List<CellWrite> givenUp = new ArrayList<>();
    private final Set<String> announced = new HashSet<>();
    private int ids;
    private int files;
    private long retries;
    private long counted;

    /**
     * @param repeatedOf one of so many cells is sent again; 0 for none
     */
    Simulated(SplittableRandom random, int repeatedOf) {
      this.random = random;
      this.repeatedOf = repeatedOf;
    }

    @Override
    public LoaderId newLoaderId() {
      ids++;
      return new LoaderId(ids, 1000L * ids);
    }

    @Override
    public void write(CellWrite cell) {
      String name = name(cell);
      assertTrue(announced.contains(name), "a claim comes before the cell");
      assertTrue(sent.stream().noneMatch(each -> name(each).equals(name)), "two versions at once");
      sent.add(cell);
      counted += cell.points();
    }

    @Override
    public void awaitStored() {
      for (CellWrite cell : sent) {
        if (repeatedOf > 0 && random.nextInt(repeatedOf) == 0) {
          retries++;
          givenUp.add(cell);
        }
        stored.put(name(cell), cell);
      }
      sent.clear();
    }

    /** Carries out some of the attempts that were given up. */
    void haunt() {
      while (!givenUp.isEmpty() && random.nextBoolean()) {
        CellWrite old = givenUp.remove(random.nextInt(givenUp.size()));
        stored.put(name(old), old);
      }
    }

    @Override
    public long retries() {
      return retries;
    }

    @Override
    public Path newHourFile() {
      return folder.resolve("hours-" + ids + "-" + ++files);
    }

    @Override
    public Optional<SummedCells> summaries() {
      return Optional.of(this);
    }

    @Override
    public void announce(LoaderId loader, int series, int hour) {
      announced.add(name(row(series, hour), loader));
    }

    @Override
    public void add(LoaderId loader, SummedCell cell) {
      announce(loader, cell.series(), cell.hour());
    }

    /** Points by row, greater (loader id, part) over lesser. */
    Map<String, Map<Integer, Long>> points() throws MalformedCellException {
      List<CellWrite> inOrder = new ArrayList<>(stored.values());
      inOrder.sort(java.util.Comparator.comparing(c -> PackedQualifier.parse(c.qualifier())));
      Map<String, Map<Integer, Long>> rows = new HashMap<>();
      for (CellWrite cell : inOrder) {
        Map<Integer, Long> row = rows.computeIfAbsent(hex(cell.rowKey()), k -> new TreeMap<>());
        PointBlock block = new PointBlock();
        new PackedCellDecoder().decode(cell.value(), block);
        for (int i = 0; i < block.count(); i++) {
          row.put(block.offsetsMs()[i], block.values()[i]);
        }
      }
      return rows;
    }
  }

  @Test
  void anOpenHourGrowsUnderOneNameAndCountsOnce() throws Exception {
    Simulated store = new Simulated(new SplittableRandom(1), 0);
    HourPacker packer = packer(new SealPolicy(2, 1_000_000, 600, 60), store);
    long now = BASE + 10;
    packer.passTime(now * 1000);
    for (int i = 0; i < 5; i++) {
      accept(packer, BASE * 1000 + i, i);
      now += 60;
      packer.passTime(now * 1000);
      assertEquals(1, store.stored.size());
      assertEquals(i + 1, store.points().values().iterator().next().size());
    }
    assertEquals(5, packer.publishedCells());
    now += 60;
    packer.passTime(now * 1000);
    assertEquals(5, packer.publishedCells(), "nothing is new");
    assertEquals(0, packer.packedPoints());
    packer.finish();
    store.awaitStored();
    assertEquals(1, store.stored.size());
    assertEquals(5, packer.packedPoints());
    assertEquals(5, store.counted);
    assertEquals(1, store.ids);
  }

  @Test
  void nothingIsLostWhateverIsRepeatedLateOrCarriedOutLater() throws Exception {
    for (long seed = 1; seed <= 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Simulated store = new Simulated(random.split(), random.nextInt(4) == 0 ? 0 : 5);
      boolean spills = random.nextInt(4) == 0;
      HourPacker packer = packer(new SealPolicy(2, spills ? 5_000 : 1_000_000, 600, 60), store);
      Map<String, Map<Integer, Long>> model = new HashMap<>();
      String with = "seed " + seed;
      long value = 0;
      long now = BASE;
      packer.passTime(now * 1000);
      for (int step = 0; step < 60; step++) {
        batch.clear();
        for (int j = 0; j < 10; j++) {
          int series = random.nextInt(3);
          int hour = Math.max(0, step / 10 - random.nextInt(4));
          int offset = random.nextInt(30) * 60_000;
          batch.add(series, (BASE + 3600L * hour) * 1000 + offset, ++value, false);
          model
              .computeIfAbsent(hex(row(series, (int) (BASE / 3600) + hour)), k -> new TreeMap<>())
              .put(offset, value);
        }
        packer.accept(batch);
        // Longer than a pass is apart, so that each step ends with all points stored.
        now += random.nextInt(60, 300);
        packer.passTime(now * 1000);
        if (!spills && store.sent.isEmpty() && store.givenUp.isEmpty()) {
          assertEquals(model, store.points(), with + ", step " + step);
        }
        store.haunt();
        if (random.nextInt(10) == 0) {
          packer.saveOpen();
        }
      }
      packer.finish();
      store.awaitStored();
      for (int i = 0; i < 20; i++) {
        store.haunt();
      }
      assertEquals(model, store.points(), with);
      assertEquals(value, packer.packedPoints() + packer.replacedPoints(), with);
    }
  }

  private HourPacker packer(SealPolicy policy, Simulated store) throws Exception {
    return new HourPacker(CellForm.PACKED, LAYOUT, PublishedHoursTest::tsuid, policy, store);
  }

  private void accept(HourPacker packer, long timestampMs, long value) throws Exception {
    batch.clear();
    batch.add(0, timestampMs, value, false);
    packer.accept(batch);
  }

  private static Tsuid tsuid(int series) {
    return Tsuid.of(UidWidths.DEFAULT, 5, 1, series + 1);
  }

  private static byte[] row(int series, int hour) {
    return LAYOUT.rowKey(tsuid(series), 3600L * hour);
  }

  private static String name(CellWrite cell) {
    return hex(cell.rowKey()) + PackedQualifier.parse(cell.qualifier()).loaderId();
  }

  private static String name(byte[] row, LoaderId loader) {
    return hex(row) + loader.id();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
