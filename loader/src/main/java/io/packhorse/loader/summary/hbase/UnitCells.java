package io.packhorse.loader.summary.hbase;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.hbase.PatientScan;
import io.packhorse.loader.summary.CellSummer;
import io.packhorse.loader.summary.SummaryLog;
import io.packhorse.loader.summary.SummaryWrite;
import io.packhorse.loader.summary.SummedCell;
import io.packhorse.loader.summary.hbase.SummaryUnits.Unit;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.summary.SummaryLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes the blocks of a unit from its cells, each of number 0. One thread. */
final class UnitCells {
  private static final byte[] FAMILY = Bytes.toBytes(PackedQualifier.FAMILY);
  private static final int RESULT_BYTES = 2 << 20;
  private static final int HEAP_SHARE = 4;

  private final Connection connection;
  private final TableName dataTable;
  private final RowKeyLayout layout;
  private final long bytesMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;

  /** Takes blocks: first those of the days and hours of a month, at last those of months. */
  interface Blocks {
    /**
     * Takes all blocks of one month, or of the months of the year.
     *
     * @param rowSeconds base time of their rows
     * @param ofMonths whether they are of family m
     */
    void take(long rowSeconds, boolean ofMonths, List<SummaryWrite> blocks) throws IOException;
  }

  /** Whose cells; the number of a series in the log. */
  private record Writer(Tsuid series, LoaderId loader) {}

  UnitCells(Connection connection, String dataTable, RowKeyLayout layout) {
    this.connection = connection;
    this.dataTable = TableName.valueOf(dataTable);
    this.layout = layout;
  }

  /**
   * Reads the cells of a unit.
   *
   * @param loaders whose cells are summed up
   * @return how many there were
   * @throws IOException naming the row if one cannot be read
   */
  long read(Unit unit, Loaders loaders, Blocks to) throws IOException {
    CellSummer summer = new CellSummer();
    SummaryLog log = new SummaryLog();
    Map<Writer, Integer> numbers = new HashMap<>();
    List<Writer> writers = new ArrayList<>();
    long cells = 0;
    long month = unit.yearSeconds();
    Scan scan =
        new Scan()
            .withStartRow(layout.scanStart(unit.bucket(), unit.metric(), unit.yearSeconds()))
            .withStopRow(layout.scanStop(unit.bucket(), unit.metric(), unit.endSeconds()))
            .addFamily(FAMILY)
            .setTimeRange(loaders.firstStampMs(), loaders.lastStampMs() + 1)
            .setReadType(Scan.ReadType.STREAM)
            .setCacheBlocks(false)
            .setMaxResultSize(RESULT_BYTES)
            .setCaching(Integer.MAX_VALUE);
    try (Table data = connection.getTable(dataTable);
        PatientScan rows = new PatientScan(data, scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        try {
          long hourSeconds = layout.baseTimeSeconds(row.getRow());
          if (SummaryLevel.DAY.row(hourSeconds) != month) {
            takeDays(log, writers, month, to);
            month = SummaryLevel.DAY.row(hourSeconds);
          }
          Tsuid series = layout.tsuid(row.getRow());
          for (Cell cell : row.rawCells()) {
            byte[] column = CellUtil.cloneQualifier(cell);
            if (!PackedQualifier.matches(column)) {
              continue;
            }
            LoaderId loader =
                new LoaderId(PackedQualifier.parse(column).loaderId(), cell.getTimestamp());
            if (loaders.test().test(loader)) {
              int number = number(new Writer(series, loader), numbers, writers);
              int hour = (int) (hourSeconds / BaseTime.HOUR_SECONDS);
              SummedCell summed = summer.sum(number, hour, CellUtil.cloneValue(cell));
              if (!log.add(summed)) {
                throw new IllegalStateException("rows must rise: " + summed);
              }
              cells++;
            }
          }
        } catch (MalformedCellException e) {
          throw SummaryUnits.damaged(row.getRow(), e);
        }
        if (log.bytes() > bytesMax) {
          throw new IOException(
              "the summaries of "
                  + writers.size()
                  + " series take more than a quarter of the heap, "
                  + (bytesMax >> 20)
                  + " MiB: give more with PACKHORSE_HEAP");
        }
      }
    }
    takeDays(log, writers, month, to);
    List<SummaryWrite> months = new ArrayList<>();
    log.takeMonths(
        (number, level, rowSeconds, value) ->
            months.add(block(writers.get(number), level, rowSeconds, value)));
    to.take(unit.yearSeconds(), true, months);
    return cells;
  }

  private static int number(Writer of, Map<Writer, Integer> numbers, List<Writer> writers) {
    Integer known = numbers.putIfAbsent(of, writers.size());
    if (known == null) {
      writers.add(of);
      return writers.size() - 1;
    }
    return known;
  }

  private void takeDays(SummaryLog log, List<Writer> writers, long month, Blocks to)
      throws IOException {
    List<SummaryWrite> blocks = new ArrayList<>();
    log.takeDays(
        (number, level, rowSeconds, value) ->
            blocks.add(block(writers.get(number), level, rowSeconds, value)));
    to.take(month, false, blocks);
  }

  private SummaryWrite block(Writer of, SummaryLevel level, long rowSeconds, byte[] value) {
    return new SummaryWrite(layout.rowKey(of.series(), rowSeconds), level, of.loader(), 0, value);
  }
}
