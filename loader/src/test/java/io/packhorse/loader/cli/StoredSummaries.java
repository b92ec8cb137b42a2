package io.packhorse.loader.cli;

import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SeriesIndexRow;
import io.packhorse.schema.packed.CellStatistics;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellHeader;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.summary.Statistics;
import io.packhorse.schema.summary.SummaryBlock;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryEntries;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryQualifier;
import io.packhorse.schema.summary.SummaryTable;
import io.packhorse.schema.table.StoreTables;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Summaries made from the cells of a store, straight from {@code docs/format.md}: cell after cell
 * into maps, nothing shared with the loader.
 */
final class StoredSummaries {
  private static final byte[] FAMILY = Bytes.toBytes(StoreTables.JOB_FAMILY);
  private static final int POINTS_OF_HOUR = 256;

  private final Connection connection;
  private final RowKeyLayout layout;

  /** By level, row key in hex, and column: entries by index. */
  private final Map<SummaryLevel, Map<String, Map<Column, TreeMap<Integer, Sum>>>> blocks =
      new TreeMap<>();

  private record Column(int loaderId, long stampMs) implements Comparable<Column> {
    @Override
    public int compareTo(Column other) {
      return Integer.compare(loaderId, other.loaderId);
    }
  }

  private static final class Sum {
    private final TreeSet<Integer> parts = new TreeSet<>();
    private int count;
    private long firstMs;
    private long lastMs;
    private @Nullable CellStatistics statistics;
  }

  StoredSummaries(Connection connection, RowKeyLayout layout) {
    this.connection = connection;
    this.layout = layout;
  }

  /** Writes the blocks of all packed cells, and the mark; removes all claims. */
  void build() throws Exception {
    blocks.clear();
    TableName blocksOf = TableName.valueOf(SummaryTable.of(StoreTables.DATA));
    connection.getAdmin().disableTable(blocksOf);
    connection.getAdmin().truncateTable(blocksOf, true);
    removeClaims();
    try (Table data = connection.getTable(TableName.valueOf(StoreTables.DATA));
        ResultScanner rows =
            data.getScanner(new Scan().addFamily(Bytes.toBytes(PackedQualifier.FAMILY)))) {
      for (Result row : rows) {
        take(row);
      }
    }
    write(loader -> true, block -> block);
    mark(true);
  }

  /** Replaces the blocks of a loader by those of other points, all as they should be. */
  void falsify(int loader) throws Exception {
    blocks.values().stream()
        .flatMap(rows -> rows.values().stream())
        .flatMap(columns -> columns.entrySet().stream())
        .filter(column -> column.getKey().loaderId() == loader)
        .flatMap(column -> column.getValue().values().stream())
        .forEach(sum -> sum.statistics = new CellStatistics(true, 9, 9, 1, 2, -7, 8, 99));
    write(each -> each == loader, block -> block);
  }

  /** Damages the blocks of a loader. */
  void damage(int loader) throws Exception {
    write(
        each -> each == loader,
        block -> {
          block[block.length / 2] ^= 4;
          return block;
        });
  }

  /** The largest loader id of all. */
  int lastLoader() {
    return blocks.values().stream()
        .flatMap(rows -> rows.values().stream())
        .flatMap(columns -> columns.keySet().stream())
        .mapToInt(Column::loaderId)
        .max()
        .orElseThrow();
  }

  /** Stores a claim of a loader, or removes it. */
  void claim(int loader, @Nullable SummaryClaim claim) throws Exception {
    byte[] row = SeriesIndexRow.whole(StoreTables.DATA);
    byte[] column = SummaryTable.claim(loader);
    try (Table table = connection.getTable(TableName.valueOf(StoreTables.JOBS))) {
      if (claim == null) {
        table.delete(new Delete(row).addColumns(FAMILY, column));
      } else {
        table.put(new Put(row).addColumn(FAMILY, column, claim.encode()));
      }
    }
  }

  private void removeClaims() throws Exception {
    byte[] row = SeriesIndexRow.whole(StoreTables.DATA);
    try (Table table = connection.getTable(TableName.valueOf(StoreTables.JOBS))) {
      for (Cell cell : table.get(new Get(row)).rawCells()) {
        if (SummaryTable.isClaim(CellUtil.cloneQualifier(cell))) {
          table.delete(new Delete(row).addColumns(FAMILY, CellUtil.cloneQualifier(cell)));
        }
      }
    }
  }

  private void write(IntPredicate loaders, UnaryOperator<byte[]> change) throws Exception {
    SummaryBlock code = new SummaryBlock();
    TableName name = TableName.valueOf(SummaryTable.of(StoreTables.DATA));
    try (Table table = connection.getTable(name)) {
      for (SummaryLevel level : blocks.keySet()) {
        for (Map.Entry<String, Map<Column, TreeMap<Integer, Sum>>> row :
            blocks.get(level).entrySet()) {
          Put put = new Put(HexFormat.of().parseHex(row.getKey()));
          for (Map.Entry<Column, TreeMap<Integer, Sum>> column : row.getValue().entrySet()) {
            if (!loaders.test(column.getKey().loaderId())) {
              continue;
            }
            put.addColumn(
                Bytes.toBytes(level.family()),
                new SummaryQualifier(column.getKey().loaderId(), 0).toBytes(),
                column.getKey().stampMs(),
                change.apply(code.encode(level, entries(column.getValue()))));
          }
          if (!put.isEmpty()) {
            table.put(put);
          }
        }
      }
    }
  }

  /** Sets or removes the mark by which TSDs use summaries. */
  void mark(boolean whole) throws Exception {
    mark(SummaryTable.WHOLE, whole);
  }

  /** Sets or removes the mark by which TSDs use the series index. */
  void markIndex(boolean whole) throws Exception {
    mark(SeriesIndexRow.WHOLE, whole);
  }

  private void mark(String name, boolean whole) throws Exception {
    byte[] row = SeriesIndexRow.whole(StoreTables.DATA);
    byte[] column = Bytes.toBytes(name);
    try (Table table = connection.getTable(TableName.valueOf(StoreTables.JOBS))) {
      if (whole) {
        table.put(new Put(row).addColumn(FAMILY, column, new byte[] {1}));
      } else {
        table.delete(new Delete(row).addColumns(FAMILY, column));
      }
    }
  }

  /** Whether TSDs use summaries. */
  boolean isMarked() throws Exception {
    byte[] row = SeriesIndexRow.whole(StoreTables.DATA);
    try (Table table = connection.getTable(TableName.valueOf(StoreTables.JOBS))) {
      return table.exists(new Get(row).addColumn(FAMILY, Bytes.toBytes(SummaryTable.WHOLE)));
    }
  }

  private void take(Result row) throws Exception {
    byte[] key = row.getRow();
    long hour = layout.baseTimeSeconds(key);
    Set<Integer> seen = new HashSet<>();
    Set<Integer> several = new HashSet<>();
    for (Cell cell : row.rawCells()) {
      int loader = PackedQualifier.parse(CellUtil.cloneQualifier(cell)).loaderId();
      if (!seen.add(loader)) {
        several.add(loader);
      }
    }
    for (Cell cell : row.rawCells()) {
      int loader = PackedQualifier.parse(CellUtil.cloneQualifier(cell)).loaderId();
      byte[] value = CellUtil.cloneValue(cell);
      PointBlock points = new PointBlock(0);
      new PackedCellDecoder().decode(value, points);
      CellStatistics statistics =
          several.contains(loader) ? null : PackedCellHeader.parse(value).statistics();
      if (statistics == null && !several.contains(loader) && points.count() < POINTS_OF_HOUR) {
        statistics = statistics(points);
      }
      for (SummaryLevel level : SummaryLevel.values()) {
        if (level != SummaryLevel.HOUR || points.count() >= POINTS_OF_HOUR) {
          add(level, key, hour, new Column(loader, cell.getTimestamp()), points, statistics);
        }
      }
    }
  }

  private void add(
      SummaryLevel level,
      byte[] key,
      long hour,
      Column column,
      PointBlock points,
      @Nullable CellStatistics statistics)
      throws Exception {
    byte[] row = layout.rowKey(layout.tsuid(key), level.row(hour));
    long fromMs = 1000 * (hour - level.start(level.row(hour), level.index(hour)));
    Sum sum =
        blocks
            .computeIfAbsent(level, of -> new TreeMap<>())
            .computeIfAbsent(HexFormat.of().formatHex(row), of -> new TreeMap<>())
            .computeIfAbsent(column, of -> new TreeMap<>())
            .computeIfAbsent(level.index(hour), of -> new Sum());
    long first = fromMs + points.offsetsMs()[0];
    long last = fromMs + points.offsetsMs()[points.count() - 1];
    sum.firstMs = sum.count == 0 ? first : Math.min(sum.firstMs, first);
    sum.lastMs = Math.max(sum.lastMs, last);
    sum.statistics = sum.count == 0 ? statistics : Statistics.join(sum.statistics, statistics);
    sum.count += points.count();
    if (level != SummaryLevel.HOUR) {
      sum.parts.add(level.part(hour));
    }
  }

  /** Statistics of few points, by the words of section 5. */
  private static @Nullable CellStatistics statistics(PointBlock points) {
    int count = points.count();
    if (points.doubles() == 0) {
      long sum = 0;
      long min = Long.MAX_VALUE;
      long max = Long.MIN_VALUE;
      for (int i = 0; i < count; i++) {
        sum += points.values()[i];
        min = Math.min(min, points.values()[i]);
        max = Math.max(max, points.values()[i]);
      }
      return new CellStatistics(
          true, count, count, points.values()[0], points.values()[count - 1], min, max, sum);
    }
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    int numbers = 0;
    for (int i = 0; i < count; i++) {
      double value = value(points, i);
      if (!Double.isNaN(value)) {
        sum += value;
        min = value < min ? value : min;
        max = value > max ? value : max;
        numbers++;
      }
    }
    return numbers == 0
        ? null
        : new CellStatistics(
            false,
            count,
            numbers,
            Double.doubleToRawLongBits(value(points, 0)),
            Double.doubleToRawLongBits(value(points, count - 1)),
            Double.doubleToRawLongBits(min),
            Double.doubleToRawLongBits(max),
            Double.doubleToRawLongBits(sum));
  }

  private static double value(PointBlock points, int i) {
    return points.isDouble()[i] ? Double.longBitsToDouble(points.values()[i]) : points.values()[i];
  }

  private static SummaryEntries entries(Map<Integer, Sum> sums) {
    SummaryEntries entries = new SummaryEntries();
    for (Map.Entry<Integer, Sum> each : sums.entrySet()) {
      Sum sum = each.getValue();
      int parts = sum.parts.stream().mapToInt(part -> 1 << part).reduce(0, (a, b) -> a | b);
      entries.add(each.getKey(), parts, sum.count, sum.firstMs, sum.lastMs, sum.statistics);
    }
    return entries;
  }
}
