package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.csv.CsvMapping.Column;
import io.packhorse.loader.source.csv.CsvMapping.Role;
import io.packhorse.loader.source.text.Rejects.Reason;
import io.packhorse.loader.source.text.SeriesReader;
import io.packhorse.loader.source.text.Spellings;
import java.util.Arrays;
import java.util.List;

/**
 * The series of rows: one look-up by the bytes of their tags, and their metric in a long table,
 * finds those of all columns of values. One thread.
 */
public final class RowSeries {
  private final SeriesReader reader;
  private final int[] tagColumns;
  private final String[] tagKeys;
  private final int[] metricColumn;
  private final String[] metrics;
  private final Spellings known = new Spellings();
  private byte[] key = new byte[256];

  /** Of each kind of row the numbers of its series plus one, by column; 0 where not yet known. */
  private int[][] seriesOf = new int[64][];

  private int size;
  private int row;

  /** The kind of row whose tags the reader holds, or -1. */
  private int rowRead = -1;

  private Reason reason = Reason.NO_TAG;

  /**
   * @param columns those of a row's fields, in their order
   */
  public RowSeries(SeriesReader reader, List<Column> columns) {
    this.reader = reader;
    this.tagColumns = Table.indexes(columns, Role.TAG);
    this.tagKeys = names(columns, tagColumns);
    this.metricColumn = Table.indexes(columns, Role.METRIC);
    this.metrics = names(columns, Table.indexes(columns, Role.VALUE));
  }

  private static String[] names(List<Column> columns, int[] indexes) {
    return Arrays.stream(indexes).mapToObj(i -> columns.get(i).stored()).toArray(String[]::new);
  }

  /** Why the last call gave false or REJECTED. */
  public Reason reason() {
    return reason;
  }

  /** Goes to the series of a row; false if its tags are none. */
  public boolean find(RowFields fields) {
    int length = 0;
    for (int column : tagColumns) {
      length = append(fields, column, length);
    }
    for (int column : metricColumn) {
      length = append(fields, column, length);
    }
    row = known.find(key, 0, length);
    if (row != Spellings.UNKNOWN) {
      return true;
    }
    if (!readTags(fields)) {
      return false;
    }
    if (size == seriesOf.length) {
      seriesOf = Arrays.copyOf(seriesOf, 2 * size);
    }
    seriesOf[size] = new int[metrics.length];
    known.add(key, 0, length, size);
    row = size++;
    rowRead = row;
    return true;
  }

  /** Appends a field with its length, so that no other fields make the same bytes. */
  private int append(RowFields fields, int column, int at) {
    int length = fields.to(column) - fields.from(column);
    if (at + length + 4 + Spellings.PADDING > key.length) {
      key = Arrays.copyOf(key, 2 * (at + length + 4 + Spellings.PADDING));
    }
    key[at] = (byte) (length >>> 16);
    key[at + 1] = (byte) (length >>> 8);
    key[at + 2] = (byte) length;
    System.arraycopy(fields.bytes(), fields.from(column), key, at + 3, length);
    return at + 3 + length;
  }

  private boolean readTags(RowFields fields) {
    rowRead = -1;
    reader.begin();
    for (int i = 0; i < tagColumns.length; i++) {
      int column = tagColumns[i];
      if (!fields.isEmpty(column)) {
        String text = reader.text(fields.bytes(), fields.from(column), fields.to(column));
        if (text == null || !reader.tag(tagKeys[i], text)) {
          reason = reader.reason();
          return false;
        }
      }
    }
    boolean ended = reader.endTags();
    reason = reader.reason();
    return ended;
  }

  /**
   * The series of the row just found in a column of values.
   *
   * @param value which of these columns, from 0
   * @return its number, {@link SeriesReader#LEFT_OUT} or {@link SeriesReader#REJECTED}
   */
  public int number(RowFields fields, int value) {
    int number = seriesOf[row][value];
    if (number != 0) {
      return number - 1;
    }
    if (rowRead != row && !readTags(fields)) {
      return SeriesReader.REJECTED;
    }
    rowRead = row;
    String metric = metrics[value];
    for (int column : metricColumn) {
      String text = reader.text(fields.bytes(), fields.from(column), fields.to(column));
      if (text == null) {
        reason = reader.reason();
        return SeriesReader.REJECTED;
      }
      metric = text;
    }
    int found = reader.series(metric);
    if (found == SeriesReader.REJECTED) {
      reason = reader.reason();
    } else {
      seriesOf[row][value] = found + 1;
    }
    return found;
  }
}
