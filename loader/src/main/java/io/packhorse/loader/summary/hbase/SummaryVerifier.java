package io.packhorse.loader.summary.hbase;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.summary.SummaryWrite;
import io.packhorse.loader.summary.hbase.SummaryUnits.Unit;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.summary.SummaryBlock;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryEntries;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryQualifier;
import io.packhorse.schema.summary.SummaryValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Compares stored summaries with those that the cells give now. Loaders with a claim are left out,
 * and so are claimed hours of all loaders, as readers leave them out. One thread.
 */
public final class SummaryVerifier {
  private static final int PROBLEMS_MAX = 20;

  private final HBaseClaims claims;
  private final HBaseSummaries table;
  private final SummaryUnits units;
  private final UnitCells cells;
  private final RowKeyLayout layout;
  private final List<String> problems = new ArrayList<>();
  private long cellsRead;
  private long blocks;
  private long differing;
  private long claimed;
  private List<SummaryClaim> unanswered = List.of();

  /**
   * What was found.
   *
   * @param cells summed up again
   * @param blocks compared
   * @param differing blocks that differ, are missing, or are too many
   * @param claimed blocks that do so only in hours with a claim, which readers take from the cells
   * @param problems the first of them, one sentence each
   * @param claims whose hours were left out
   */
  public record Verified(
      long cells,
      long blocks,
      long differing,
      long claimed,
      List<String> problems,
      List<StoredClaim> claims) {}

  /**
   * @param connection stays the caller's
   */
  public SummaryVerifier(Connection connection, String dataTable, RowKeyLayout layout) {
    this.layout = layout;
    claims = new HBaseClaims(connection, dataTable);
    table = new HBaseSummaries(connection, dataTable);
    units = new SummaryUnits(connection, dataTable, layout);
    cells = new UnitCells(connection, dataTable, layout);
  }

  /** A loader's blocks of a level in a row. */
  private record Place(String row, SummaryLevel level, LoaderId loader)
      implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byRow = row.compareTo(other.row);
      int byLevel = byRow != 0 ? byRow : level.compareTo(other.level);
      return byLevel != 0 ? byLevel : Integer.compare(loader.id(), other.loader.id());
    }

    @Override
    public String toString() {
      return "loader " + loader.id() + ", family " + level.family() + ", row " + row;
    }
  }

  /** Compares everything of a range. */
  public Verified verify(SummaryRange range, SummaryBuilder.Progress progress) throws IOException {
    List<StoredClaim> left = claims.read().claims();
    unanswered = left.stream().map(StoredClaim::claim).toList();
    Set<Integer> ids = left.stream().map(StoredClaim::loaderId).collect(Collectors.toSet());
    Loaders loaders = Loaders.without(ids);
    units.visit(
        range,
        new SummaryUnits.Work() {
          @Override
          public void unit(Unit unit) throws IOException {
            verify(unit, loaders);
            progress.cells(cellsRead);
          }

          @Override
          public void gap(byte[] start, byte[] stop) throws IOException {
            compare(new TreeMap<>(), stored(start, stop, loaders));
          }
        });
    return new Verified(cellsRead, blocks, differing, claimed, problems, left);
  }

  private void verify(Unit unit, Loaders loaders) throws IOException {
    Map<Place, List<byte[]>> expected = new TreeMap<>();
    cellsRead +=
        cells.read(
            unit,
            loaders,
            (rowSeconds, ofMonths, found) -> {
              for (SummaryWrite block : found) {
                expected.put(
                    new Place(Bytes.toStringBinary(block.rowKey()), block.level(), block.loader()),
                    List.of(block.value()));
              }
            });
    compare(
        expected,
        stored(
            layout.scanStart(unit.bucket(), unit.metric(), unit.yearSeconds()),
            layout.scanStop(unit.bucket(), unit.metric(), unit.endSeconds()),
            loaders));
  }

  private Map<Place, List<byte[]>> stored(byte[] start, byte[] stop, Loaders loaders)
      throws IOException {
    Map<Place, List<byte[]>> stored = new TreeMap<>();
    table.scan(
        start,
        stop,
        row -> {
          for (Cell cell : row.rawCells()) {
            byte[] column = CellUtil.cloneQualifier(cell);
            if (!SummaryQualifier.matches(column)) {
              continue;
            }
            LoaderId loader =
                new LoaderId(SummaryQualifier.parse(column).loaderId(), cell.getTimestamp());
            if (loaders.test().test(loader)) {
              stored
                  .computeIfAbsent(
                      new Place(
                          Bytes.toStringBinary(row.getRow()),
                          level(CellUtil.cloneFamily(cell)),
                          loader),
                      none -> new ArrayList<>())
                  .add(CellUtil.cloneValue(cell));
            }
          }
        });
    return stored;
  }

  private static SummaryLevel level(byte[] family) {
    return Stream.of(SummaryLevel.values())
        .filter(level -> Arrays.equals(Bytes.toBytes(level.family()), family))
        .findFirst()
        .orElseThrow();
  }

  private void compare(Map<Place, List<byte[]>> expected, Map<Place, List<byte[]>> stored) {
    Set<Place> places = new TreeSet<>(expected.keySet());
    places.addAll(stored.keySet());
    for (Place place : places) {
      blocks++;
      List<byte[]> wanted = expected.getOrDefault(place, List.of());
      List<byte[]> found = stored.getOrDefault(place, List.of());
      String difference = difference(place.level(), wanted, found, entry -> false);
      if (difference.isEmpty()) {
        continue;
      }
      if (difference(place.level(), wanted, found, unanswered(place)).isEmpty()) {
        claimed++;
        continue;
      }
      differing++;
      if (problems.size() < PROBLEMS_MAX) {
        problems.add(place + ": " + difference);
      }
    }
  }

  /** Which entries of a block a claim covers, wholly or in part. */
  private IntPredicate unanswered(Place place) {
    byte[] row = Bytes.toBytesBinary(place.row());
    try {
      byte[] metric = SeriesIndexRow.metric(layout.widths(), layout.tsuid(row));
      long rowSeconds = layout.baseTimeSeconds(row);
      List<SummaryClaim> ofMetric = unanswered.stream().filter(each -> each.has(metric)).toList();
      return entry ->
          ofMetric.stream()
              .anyMatch(
                  each ->
                      each.fromSeconds() < place.level().start(rowSeconds, entry + 1)
                          && place.level().start(rowSeconds, entry) < each.toSeconds());
    } catch (MalformedCellException e) {
      // No query reads such a row, and nobody should have written it.
      return entry -> false;
    }
  }

  /** What is wrong, but for the entries that are left out; empty if nothing is. */
  private static String difference(
      SummaryLevel level, List<byte[]> expected, List<byte[]> stored, IntPredicate leftOut) {
    try {
      NavigableMap<Integer, List<Entry>> wanted = entries(level, expected);
      NavigableMap<Integer, List<Entry>> found = entries(level, stored);
      wanted.keySet().removeIf(leftOut::test);
      found.keySet().removeIf(leftOut::test);
      if (wanted.isEmpty() && !found.isEmpty()) {
        return "there is a block, and no cell";
      }
      if (found.isEmpty() && !wanted.isEmpty()) {
        return "there are cells, and no block";
      }
      if (!wanted.keySet().equals(found.keySet())) {
        return "entries " + found.keySet() + " instead of " + wanted.keySet();
      }
      for (Map.Entry<Integer, List<Entry>> each : wanted.entrySet()) {
        Entry entry = each.getValue().get(0);
        List<Entry> parts = found.get(each.getKey());
        if (parts == null || !entry.isThatOf(parts)) {
          return "entry " + each.getKey() + " is " + parts + " instead of " + entry;
        }
      }
      return "";
    } catch (MalformedCellException e) {
      return "a block is damaged: " + e.getMessage();
    }
  }

  /** Entries of blocks by their index. */
  private static NavigableMap<Integer, List<Entry>> entries(SummaryLevel level, List<byte[]> blocks)
      throws MalformedCellException {
    NavigableMap<Integer, List<Entry>> found = new TreeMap<>();
    SummaryEntries read = new SummaryEntries();
    for (byte[] block : blocks) {
      new SummaryBlock().decode(level, block, EnumSet.allOf(SummaryValue.class), read);
      for (int at = 0; at < read.size(); at++) {
        found
            .computeIfAbsent(read.index(at), none -> new ArrayList<>())
            .add(
                new Entry(
                    read.parts(at),
                    read.count(at),
                    read.firstMs(at),
                    read.lastMs(at),
                    read.statistics(at)));
      }
    }
    return found;
  }

  /** An entry of a block. */
  private record Entry(
      int parts, int count, long firstMs, long lastMs, @Nullable CellStatistics statistics) {
    /**
     * Whether it is one stored entry, or what several of different blocks are together. Of several
     * the statistics are not compared: they were joined of other cells.
     */
    private boolean isThatOf(List<Entry> stored) {
      if (stored.size() == 1) {
        return equals(stored.get(0));
      }
      return parts == stored.stream().mapToInt(Entry::parts).reduce(0, (a, b) -> a | b)
          && count == stored.stream().mapToInt(Entry::count).sum()
          && firstMs == stored.stream().mapToLong(Entry::firstMs).min().orElseThrow()
          && lastMs == stored.stream().mapToLong(Entry::lastMs).max().orElseThrow();
    }
  }
}
