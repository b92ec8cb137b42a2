package io.packhorse.loader.read.hbase;

import io.packhorse.loader.hbase.PatientScan;
import io.packhorse.loader.read.KeyRange;
import io.packhorse.loader.read.RowLookup;
import io.packhorse.loader.read.RowSelection;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Reads rows of the data table, both families. Any number of threads. */
public final class HBaseRows implements RowSource, RowLookup {
  private static final byte PACKED_FAMILY = Bytes.toBytes(StoreTables.PACKED_FAMILY)[0];
  private static final int RESULT_BYTES = 4 << 20;
  private static final int ROWS_A_SCAN = 256;

  private final Connection connection;
  private final TableName tableName;
  private final RowKeyLayout layout;

  /**
   * @param table name of the data table
   */
  public HBaseRows(Connection connection, String table, RowKeyLayout layout) {
    this.connection = connection;
    this.tableName = TableName.valueOf(table);
    this.layout = layout;
  }

  @Override
  public void scan(int bucket, long metric, long fromSeconds, long toSeconds, Visitor visitor)
      throws IOException {
    scan(
        new Scan()
            .withStartRow(layout.scanStart(bucket, metric, fromSeconds))
            .withStopRow(layout.scanStop(bucket, metric, toSeconds)),
        visitor);
  }

  /** Where the regions of the table lie, in row order. */
  public List<KeyRange> regions() throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(tableName)) {
      Pair<byte[][], byte[][]> keys = locator.getStartEndKeys();
      List<KeyRange> regions = new ArrayList<>();
      for (int i = 0; i < keys.getFirst().length; i++) {
        regions.add(new KeyRange(keys.getFirst()[i], keys.getSecond()[i]));
      }
      return regions;
    }
  }

  /**
   * The key of the first or the last row of a range.
   *
   * @return empty if the range has no row
   */
  public Optional<byte[]> edge(KeyRange range, boolean last) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(last ? range.stop() : range.start(), !last)
            .withStopRow(last ? range.start() : range.stop(), last)
            .setReversed(last)
            .setLimit(1)
            .setFilter(new FirstKeyOnlyFilter());
    try (Table table = connection.getTable(tableName);
        PatientScan results = new PatientScan(table, scan)) {
      return Optional.ofNullable(results.next()).map(Result::getRow);
    }
  }

  /** Visits rows in row order. HBase jumps over what is between the ranges. */
  public void scan(RowSelection rows, Visitor visitor) throws IOException {
    scan(rows, List.of(), visitor);
  }

  /** As {@link #scan(RowSelection, Visitor)}, but each row has only its key: there is no column. */
  public void scanKeys(RowSelection rows, Visitor visitor) throws IOException {
    scan(
        rows,
        List.of(new FirstKeyOnlyFilter(), new KeyOnlyFilter()),
        row -> visitor.row(new StoredRow(row.rowKey(), List.of())));
  }

  private void scan(RowSelection rows, List<Filter> more, Visitor visitor) throws IOException {
    List<KeyRange> ranges = rows.ranges();
    FilterList filters = new FilterList(FilterList.Operator.MUST_PASS_ALL);
    if (ranges.size() > 1) {
      List<RowRange> wanted = new ArrayList<>(ranges.size());
      ranges.forEach(range -> wanted.add(new RowRange(range.start(), true, range.stop(), false)));
      filters.addFilter(new MultiRowRangeFilter(wanted));
    }
    if (rows.keyPattern().isPresent()) {
      RegexStringComparator pattern = new RegexStringComparator(rows.keyPattern().get());
      pattern.setCharset(StandardCharsets.ISO_8859_1);
      filters.addFilter(new RowFilter(CompareOperator.EQUAL, pattern));
    }
    more.forEach(filters::addFilter);
    Scan scan =
        new Scan()
            .withStartRow(ranges.get(0).start())
            .withStopRow(ranges.get(ranges.size() - 1).stop());
    scan(filters.size() == 0 ? scan : scan.setFilter(filters), visitor);
  }

  private void scan(Scan scan, Visitor visitor) throws IOException {
    scan.setReadType(Scan.ReadType.STREAM).setCacheBlocks(false);
    try (Table table = connection.getTable(tableName)) {
      scan(table, scan, visitor);
    }
  }

  private static void scan(Table table, Scan scan, Visitor visitor) throws IOException {
    scan.setMaxResultSize(RESULT_BYTES).setCaching(Integer.MAX_VALUE);
    try (PatientScan rows = new PatientScan(table, scan)) {
      for (Result result = rows.next(); result != null; result = rows.next()) {
        visitor.row(row(result));
      }
    }
  }

  @Override
  public List<StoredRow> get(List<byte[]> rowKeys) throws IOException {
    TreeMap<byte[], StoredRow> rows = new TreeMap<>(Arrays::compareUnsigned);
    rowKeys.forEach(key -> rows.put(key, new StoredRow(key, List.of())));
    List<byte[]> sorted = List.copyOf(rows.keySet());
    try (Table table = connection.getTable(tableName)) {
      for (int from = 0; from < sorted.size(); from += ROWS_A_SCAN) {
        int to = Math.min(from + ROWS_A_SCAN, sorted.size());
        scan(table, scanOf(sorted.subList(from, to)), row -> rows.put(row.rowKey(), row));
      }
    }
    return rowKeys.stream().map(key -> Objects.requireNonNull(rows.get(key))).toList();
  }

  /**
   * One scan reads a block of HBase once; a get for each row decodes it from its beginning each
   * time, which costs ten times as much where rows are small.
   */
  private static Scan scanOf(List<byte[]> rowKeys) {
    List<RowRange> wanted = new ArrayList<>(rowKeys.size());
    rowKeys.forEach(key -> wanted.add(new RowRange(key, true, key, true)));
    return new Scan()
        .withStartRow(rowKeys.get(0))
        .withStopRow(rowKeys.get(rowKeys.size() - 1), true)
        .setFilter(new MultiRowRangeFilter(wanted))
        .setReadType(Scan.ReadType.PREAD);
  }

  static StoredRow row(Result result) {
    List<StoredColumn> columns = new ArrayList<>(result.size());
    for (Cell cell : result.rawCells()) {
      columns.add(
          new StoredColumn(
              isPacked(cell),
              CellUtil.cloneQualifier(cell),
              cell.getTimestamp(),
              CellUtil.cloneValue(cell)));
    }
    return new StoredRow(result.getRow(), columns);
  }

  /**
   * HBase's own comparison costs as much as the rest of a column; both families have one letter.
   */
  private static boolean isPacked(Cell cell) {
    return cell.getFamilyArray()[cell.getFamilyOffset()] == PACKED_FAMILY;
  }
}
