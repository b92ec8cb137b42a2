package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.csv.CsvMapping.Column;
import io.packhorse.loader.source.csv.CsvMapping.Role;
import io.packhorse.loader.source.text.SeriesReader;
import io.packhorse.loader.source.text.Spellings;
import java.util.Arrays;
import java.util.List;

/**
 * The series of rows: one look-up by the bytes of their tags, and their metric in a long table,
 * finds those of all columns of values.
 *
 * <p>Any number of threads; what is new is added by one at a time, before others can find it.
 */
public final class RowSeries {
  /** Instead of a kind of row: its tags are none. */
  public static final int REJECTED = -1;

  private final SeriesReader reader;
  private final int[] tagColumns;
  private final String[] tagKeys;
  private final int[] metricColumn;
  private final String[] metrics;
  private final Spellings known = new Spellings();

  /** Of each kind of row the numbers of its series plus one, by column; 0 where not yet known. */
  private int[][] seriesOf = new int[64][];

  private int size;

  /** The kind of row whose tags the reader holds, or -1. */
  private int rowRead = -1;

  /**
   * @param reader of this object alone
   * @param columns those of a row's fields, in their order
   */
  public RowSeries(SeriesReader reader, List<Column> columns) {
    this.reader = reader;
    // Tags left out need not be text, and may be others in every row.
    this.tagColumns =
        Arrays.stream(Table.indexes(columns, Role.TAG))
            .filter(i -> !reader.drops(columns.get(i).stored()))
            .toArray();
    this.tagKeys = names(columns, tagColumns);
    this.metricColumn = Table.indexes(columns, Role.METRIC);
    this.metrics = names(columns, Table.indexes(columns, Role.VALUE));
  }

  private static String[] names(List<Column> columns, int[] indexes) {
    return Arrays.stream(indexes).mapToObj(i -> columns.get(i).stored()).toArray(String[]::new);
  }

  /**
   * The kind of a row, or {@link #REJECTED} if its tags are none.
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
    return row == Spellings.UNKNOWN ? add(fields, key) : row;
  }

  private synchronized int add(RowFields fields, RowKey key) {
    int row = known.find(key.bytes(), 0, key.length());
    if (row != Spellings.UNKNOWN) {
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

  private synchronized int addSeries(int row, RowFields fields, int value, RowKey key) {
    if (rowRead != row && !readTags(fields, key)) {
      return SeriesReader.REJECTED;
    }
    rowRead = row;
    String metric = metrics[value];
    for (int column : metricColumn) {
      String text = reader.text(fields.bytes(), fields.from(column), fields.to(column));
      if (text == null) {
        key.refuse(reader.reason());
        return SeriesReader.REJECTED;
      }
      metric = text;
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
