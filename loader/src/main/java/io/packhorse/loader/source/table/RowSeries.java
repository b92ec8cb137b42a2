package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The series of rows: one look-up by the bytes of a row's tags, and of its metric in a long table,
 * finds the series of all its value columns.
 *
 * <p>Any number of threads look up; one at a time adds, and publishes an entry when it is complete.
 */
public final class RowSeries {
  /** Instead of a kind of row: its tags are rejected. */
  public static final int REJECTED = -1;

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+[.,]?\\d*|[.,]\\d+)([eE][-+]?\\d+)?");

  private final SeriesReader reader;
  private final Set<Integer> textColumns;
  private final int[] tagColumns;
  private final String[] tagKeys;
  private final int[] metricColumn;

  /** Whether a metric is the words of these columns and the name of the value column, in order. */
  private final boolean joined;

  private final String[] metrics;
  private final ByteKeyIndex known = new ByteKeyIndex();

  /** By kind of row and column: the number of the series plus one; 0 if not yet known. */
  private int[][] seriesOf = new int[64][];

  private int size;

  /** The kind of row whose tags the reader holds, or -1. */
  private int rowRead = -1;

  /**
   * @param reader used by this object alone
   * @param columns those of a row's fields, in their order
   */
  public RowSeries(SeriesReader reader, List<Column> columns) {
    this(reader, columns, Set.of());
  }

  /**
   * As {@link #RowSeries(SeriesReader, List)}, with columns of tags that must not hold a number.
   *
   * @param textColumns their places, from 0
   */
  public RowSeries(SeriesReader reader, List<Column> columns, Set<Integer> textColumns) {
    this(reader, columns, textColumns, TableMapping.indexes(columns, Role.METRIC), false);
  }

  /**
   * Series whose metrics are the words of several columns and the name that a column of values is
   * stored under, with dots between them and empty ones left out.
   *
   * @param metricColumns their places, from 0
   */
  public static RowSeries ofJoinedMetrics(
      SeriesReader reader, List<Column> columns, int[] metricColumns) {
    return new RowSeries(reader, columns, Set.of(), metricColumns, true);
  }

  private RowSeries(
      SeriesReader reader,
      List<Column> columns,
      Set<Integer> textColumns,
      int[] metricColumn,
      boolean joined) {
    this.joined = joined;
    this.reader = reader;
    this.textColumns = textColumns;
    // A dropped tag need not be valid text, and may differ in every row.
    this.tagColumns =
        Arrays.stream(TableMapping.indexes(columns, Role.TAG))
            .filter(i -> !reader.drops(columns.get(i).stored()))
            .toArray();
    this.tagKeys = names(columns, tagColumns);
    this.metricColumn = metricColumn.clone();
    this.metrics = names(columns, TableMapping.indexes(columns, Role.VALUE));
  }

  private static String[] names(List<Column> columns, int[] indexes) {
    return Arrays.stream(indexes).mapToObj(i -> columns.get(i).stored()).toArray(String[]::new);
  }

  /**
   * The kind of a row: its combination of tags and metric. {@link #REJECTED} if its tags are.
   *
   * @param key of the calling thread; says why not
   */
  public int find(RowFields fields, RowKey key) {
    key.begin();
    for (int column : tagColumns) {
      key.append(fields, column);
    }
    for (int column : metricColumn) {
      key.append(fields, column);
    }
    int row = known.find(key.bytes(), 0, key.length());
    return row == ByteKeyIndex.UNKNOWN ? add(fields, key) : row;
  }

  private synchronized int add(RowFields fields, RowKey key) {
    int row = known.find(key.bytes(), 0, key.length());
    if (row != ByteKeyIndex.UNKNOWN) {
      return row;
    }
    if (!readTags(fields, key)) {
      return REJECTED;
    }
    if (size == seriesOf.length) {
      seriesOf = Arrays.copyOf(seriesOf, 2 * size);
    }
    seriesOf[size] = new int[metrics.length];
    known.add(key.bytes(), 0, key.length(), size);
    rowRead = size;
    return size++;
  }

  private boolean readTags(RowFields fields, RowKey key) {
    rowRead = -1;
    reader.begin();
    for (int i = 0; i < tagColumns.length; i++) {
      int column = tagColumns[i];
      if (!fields.isEmpty(column)) {
        String text = reader.text(fields.bytes(), fields.from(column), fields.to(column));
        if (text != null && textColumns.contains(column) && NUMBER.matcher(text).matches()) {
          key.refuse(Reason.TAG_NUMBER);
          return false;
        }
        if (text == null || !reader.tag(tagKeys[i], text)) {
          key.refuse(reader.reason());
          return false;
        }
      }
    }
    if (!reader.endTags()) {
      key.refuse(reader.reason());
      return false;
    }
    return true;
  }

  /**
   * The series of a row in a column of values.
   *
   * @param row as found for these fields
   * @param value which of these columns, from 0
   * @return its number, {@link SeriesReader#LEFT_OUT} or {@link SeriesReader#REJECTED}
   */
  public int number(int row, RowFields fields, int value, RowKey key) {
    int number = seriesOf[row][value];
    return number == 0 ? addSeries(row, fields, value, key) : number - 1;
  }

  private static String join(String metric, String word) {
    return metric.isEmpty() || word.isEmpty() ? metric + word : metric + "." + word;
  }

  private synchronized int addSeries(int row, RowFields fields, int value, RowKey key) {
    if (rowRead != row && !readTags(fields, key)) {
      return SeriesReader.REJECTED;
    }
    rowRead = row;
    String metric = joined ? "" : metrics[value];
    for (int column : metricColumn) {
      String text = reader.text(fields.bytes(), fields.from(column), fields.to(column));
      if (text == null) {
        key.refuse(reader.reason());
        return SeriesReader.REJECTED;
      }
      metric = joined ? join(metric, text) : text;
    }
    if (joined) {
      metric = join(metric, metrics[value]);
    }
    int found = reader.series(metric);
    if (found == SeriesReader.REJECTED) {
      key.refuse(reader.reason());
    } else {
      seriesOf[row][value] = found + 1;
    }
    return found;
  }
}
