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
import io.packhorse.loader.source.table.Truths;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
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

  /** Columns that together hold the time; their words are joined by a blank. */
  private final int[] timeColumns;

  /** Ignored columns that were empty where the mapping was guessed, and must stay so. */
  private final int[] emptyColumns;

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
    for (int i = 0; i < mapping.columns().size(); i++) {
      Column column = mapping.columns().get(i);
      if (column.role() != Role.IGNORE || guess.emptyColumns().contains(i)) {
        columns.add(column);
      }
    }
    requireOneOfEachName(file);
    emptyColumns = TableMapping.indexes(columns, Role.IGNORE);
    timeColumns = TableMapping.indexes(columns, Role.TIME);
    valueColumns = TableMapping.indexes(columns, Role.VALUE);
    isWord = new boolean[columns.size()];
    for (int i = 0; i < columns.size(); i++) {
      isWord[i] = check(file, columns.get(i), found(file, columns.get(i)), timeColumns.length > 1);
    }
    all = guess.columns(bound(file));
    leftOut = guess.leftOutInWords(bound(file));
    ParquetColumn moments = found(file, columns.get(timeColumns[0]));
    String zone = moments.isLocal() ? ", " + mapping.time().zone() : "";
    times =
        moments.isTimestamp() && timeColumns.length == 1
            ? moments.timeFormat() + zone
            : mapping.time().toString();
    time = guess.timeReader();
    local = mapping.time().local();
    series = new RowSeries(reader.forAnotherThread(), columns);
  }

  /**
   * How a file is read by a mapping.
   *
   * @throws InputException if the mapping names a column that the file has not got, or has twice,
   *     or whose type does not fit its role, or there would be no tags
   */
  public static ParquetTable of(
      SeriesReader reader, SeriesRules rules, TableGuess guess, ParquetFile file)
      throws InputException {
    TableMapping mapping = guess.mapping();
    mapping.requireTags(file.name(), rules);
    ParquetTable table = new ParquetTable(reader, guess, file);
    mapping.requireDistinctNames(file.name(), rules);
    return table;
  }

  /** Columns of a file are found by their names. */
  private void requireOneOfEachName(ParquetFile file) throws InputException {
    for (Column column : columns) {
      long same = file.columns().stream().filter(is -> is.name().equals(column.name())).count();
      if (same > 1) {
        throw new InputException(
            file.name()
                + ": "
                + same
                + " columns are named '"
                + column.name()
                + "', and in Parquet nothing else tells them apart; leave all of them out with"
                + " --ignore "
                + column.name()
                + ", or write the file anew with a name for each");
      }
    }
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

  /**
   * Checks that a type fits its role; returns whether its values are read as text.
   *
   * @param joined whether the time is several columns
   */
  private static boolean check(ParquetFile file, Column column, ParquetColumn found, boolean joined)
      throws InputException {
    boolean time = column.role() == Role.TIME && found.isTimestamp();
    boolean moment = time && !joined;
    if (!time && !found.hasText()) {
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
    return List.of("parquet", mapping, times, asWords, columns);
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
      points.reject(
          reason,
          Arrays.stream(reason == Reason.COLUMN_NOT_EMPTY ? emptyColumns : timeColumns)
              .mapToObj(column -> row.get(column).show(number))
              .collect(Collectors.joining(", ")));
    }
  }

  private @Nullable Reason readRow(List<ColumnValues> row, int number, Points points) {
    for (int column : timeColumns) {
      if (!row.get(column).isPresent(number)) {
        return Reason.TIMESTAMP_MISSING;
      }
    }
    for (int column : emptyColumns) {
      if (row.get(column).isPresent(number)) {
        return Reason.COLUMN_NOT_EMPTY;
      }
    }
    words.clear();
    for (int i = 0; i < isWord.length; i++) {
      if (isWord[i]) {
        words.add(word(row.get(i), number));
      } else {
        words.add(NOTHING);
      }
    }
    int first = timeColumns[0];
    long timestampMs = isWord[first] ? wordMillis() : row.get(first).millis(number, local);
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
    int first = timeColumns[0];
    if (timeColumns.length == 1) {
      return words.isEmpty(first)
          ? TimeReader.MALFORMED
          : time.millis(words.bytes(), words.from(first), words.to(first));
    }
    byte[] joined =
        Arrays.stream(timeColumns)
            .mapToObj(words::text)
            .collect(Collectors.joining(" "))
            .getBytes(StandardCharsets.UTF_8);
    return time.millis(joined, 0, joined.length);
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
    Reason reason = isWord[column] ? readWord(column) : values.value(number, value);
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

  private @Nullable Reason readWord(int column) {
    int truth =
        mapping.storesBooleans()
            ? Truths.of(words.bytes(), words.from(column), words.to(column))
            : Truths.NONE;
    if (truth != Truths.NONE) {
      value.integer(truth);
      return null;
    }
    return value.read(words.bytes(), words.from(column), words.to(column));
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
