package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.table.LocalTimes;
import io.packhorse.loader.source.table.ReadColumn;
import io.packhorse.loader.source.table.RowFields;
import io.packhorse.loader.source.table.RowKey;
import io.packhorse.loader.source.table.RowSeries;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the rows of Parquet files by a mapping. A row of a wide table makes a point for each value
 * that is not null; a reject of one value does not affect the others. One thread.
 */
public final class ParquetTable {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final TableMapping mapping;
  private final String times;

  /** The columns that are read: all but the ignored ones. */
  private final List<Column> columns = new ArrayList<>();

  /** All columns of the first such file. */
  private final List<ReadColumn> all;

  private final String leftOut;

  private final int timeColumn;
  private final int[] valueColumns;
  private final boolean[] isWord;
  private final TimeReader time;
  private final LocalTimes local;
  private final RowFields words = new RowFields();
  private final RowSeries series;
  private final RowKey key = new RowKey();
  private final ValueReader value = new ValueReader();

  private ParquetTable(SeriesReader reader, TableGuess guess, ParquetFile file)
      throws InputException {
    this.mapping = guess.mapping();
    mapping.columns().stream().filter(column -> column.role() != Role.IGNORE).forEach(columns::add);
    int[] timeColumns = TableMapping.indexes(columns, Role.TIME);
    if (timeColumns.length > 1) {
      throw new InputException(
          file.name() + ": the time of Parquet rows is one column, not several together");
    }
    timeColumn = timeColumns[0];
    valueColumns = TableMapping.indexes(columns, Role.VALUE);
    isWord = new boolean[columns.size()];
    for (int i = 0; i < columns.size(); i++) {
      isWord[i] = check(file, columns.get(i), found(file, columns.get(i)));
    }
    all = guess.columns(bound(file));
    leftOut = guess.leftOutInWords(bound(file));
    ParquetColumn moments = found(file, columns.get(timeColumn));
    String zone = moments.isLocal() ? ", " + mapping.time().zone() : "";
    times = moments.isTimestamp() ? moments.timeFormat() + zone : mapping.time().toString();
    time = mapping.time().reader();
    local = mapping.time().local();
    series = new RowSeries(reader.forAnotherThread(), columns);
  }

  /**
   * How a file is read by a mapping.
   *
   * @throws InputException if the mapping names a column that the file has not got or whose type
   *     does not fit its role, or there would be no tags
   */
  public static ParquetTable of(
      SeriesReader reader, SeriesRules rules, TableGuess guess, ParquetFile file)
      throws InputException {
    TableMapping mapping = guess.mapping();
    mapping.requireTags(file.name(), rules);
    mapping.requireDistinctNames(file.name(), rules);
    return new ParquetTable(reader, guess, file);
  }

  private static ParquetColumn found(ParquetFile file, Column column) throws InputException {
    return file.column(column.name())
        .orElseThrow(
            () ->
                new InputException(
                    file.name()
                        + " has no column '"
                        + column.name()
                        + "'; its columns are "
                        + file.columns()));
  }

  /** Checks that a type fits its role; returns whether its values are read as text. */
  private static boolean check(ParquetFile file, Column column, ParquetColumn found)
      throws InputException {
    boolean moment = column.role() == Role.TIME && found.isTimestamp();
    if (!moment && !found.hasText()) {
      throw new InputException(
          file.name() + ": column " + found + " cannot have the role " + column.role());
    }
    return !moment && !(column.role() == Role.VALUE && found.isNumber());
  }

  /** The mapping, as it could be given for the file. */
  public TableMapping mapping() {
    return mapping;
  }

  /** The columns of a file in their order; those that the mapping does not name are left out. */
  private List<Column> bound(ParquetFile file) {
    return file.columns().stream()
        .map(
            found ->
                columns.stream()
                    .filter(column -> column.name().equals(found.name()))
                    .findFirst()
                    .orElse(new Column(found.name(), Role.IGNORE, null)))
        .toList();
  }

  /** What becomes of each column. */
  public List<ReadColumn> columns() {
    return all;
  }

  /** How the file is read, in a few words for people. */
  public String description() {
    return "Parquet; " + mapping.columnsInWords(times) + leftOut;
  }

  /** Equal for two that read all files alike. */
  public Object key() {
    List<Boolean> asWords = new ArrayList<>();
    for (boolean word : isWord) {
      asWords.add(word);
    }
    return List.of("parquet", mapping, times, asWords);
  }

  /** The columns of a file that are read, in the order that {@link #read} expects. */
  List<ParquetColumn> columnsOf(ParquetFile file) throws InputException {
    List<ParquetColumn> found = new ArrayList<>();
    for (Column column : columns) {
      found.add(found(file, column));
    }
    return found;
  }

  /** Values of a row at most. */
  int valuesMax() {
    return valueColumns.length;
  }

  private static ByteBuffer word(ColumnValues values, int row) {
    if (!values.isPresent(row)) {
      return NOTHING;
    }
    return values.column().isText()
        ? values.binary(row).toByteBuffer()
        : ByteBuffer.wrap(values.column().text(values, row).getBytes(StandardCharsets.UTF_8));
  }

  /** Reads a row. */
  void read(List<ColumnValues> row, int number, Points points) {
    Reason reason = readRow(row, number, points);
    if (reason != null) {
      points.reject(reason, row.get(timeColumn).show(number));
    }
  }

  private @Nullable Reason readRow(List<ColumnValues> row, int number, Points points) {
    ColumnValues when = row.get(timeColumn);
    if (!when.isPresent(number)) {
      return Reason.TIMESTAMP_MISSING;
    }
    words.clear();
    for (int i = 0; i < isWord.length; i++) {
      if (isWord[i]) {
        words.add(word(row.get(i), number));
      } else {
        words.add(NOTHING);
      }
    }
    long timestampMs = isWord[timeColumn] ? wordMillis() : when.millis(number, local);
    if (timestampMs < 0) {
      return TimeReader.reason(timestampMs);
    }
    int kind = series.find(words, key);
    if (kind == RowSeries.REJECTED) {
      points.reject(key.reason(), tags(row, number));
      return null;
    }
    for (int i = 0; i < valueColumns.length; i++) {
      ColumnValues values = row.get(valueColumns[i]);
      if (values.isPresent(number) && !isMissing(valueColumns[i])) {
        readValue(values, number, i, kind, timestampMs, row, points);
      }
    }
    return null;
  }

  private long wordMillis() {
    return words.isEmpty(timeColumn)
        ? TimeReader.MALFORMED
        : time.millis(words.bytes(), words.from(timeColumn), words.to(timeColumn));
  }

  private void readValue(
      ColumnValues values,
      int number,
      int which,
      int kind,
      long timestampMs,
      List<ColumnValues> row,
      Points points) {
    int column = valueColumns[which];
    Reason reason =
        isWord[column]
            ? value.read(words.bytes(), words.from(column), words.to(column))
            : values.value(number, value);
    if (reason != null) {
      points.reject(reason, values.show(number));
      return;
    }
    int found = series.number(kind, words, which, key);
    if (found == SeriesReader.REJECTED) {
      points.reject(key.reason(), tags(row, number));
      return;
    }
    points.add(found, timestampMs, value.bits(), value.isDouble());
  }

  /** Whether a word stands for a missing value. */
  private boolean isMissing(int column) {
    return isWord[column]
        && (words.isEmpty(column)
            || (!mapping.missing().isEmpty() && mapping.missing().contains(words.text(column))));
  }

  /** Tags and metric of the row, for messages. */
  private String tags(List<ColumnValues> row, int number) {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).role() == Role.TAG || columns.get(i).role() == Role.METRIC) {
        shown.add(row.get(i).show(number));
      }
    }
    return String.join(", ", shown);
  }
}
