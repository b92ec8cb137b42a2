package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.table.ReadColumn;
import io.packhorse.loader.source.table.RowFields;
import io.packhorse.loader.source.table.RowKey;
import io.packhorse.loader.source.table.RowSeries;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import io.packhorse.loader.source.table.Truths;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses the rows of a table as a mapping says. A row of a wide table makes a point for each field
 * with a value; a field that is rejected does not affect the others. Empty rows are skipped, and so
 * is every row that repeats the header. One thread; the series are shared with {@link
 * #forAnotherThread}.
 */
public final class CsvFormat implements RecordFormat {
  private final TableGuess guess;
  private final TableMapping mapping;
  private final List<Column> bound;
  private final RowSyntax syntax;
  private final RowEnds rows;
  private final RowParser parser;
  private final RowFields fields;
  private final TimeReader time;
  private final RowSeries series;
  private final RowKey key = new RowKey();
  private final ValueReader value = new ValueReader();
  private final List<byte[]> missing = new ArrayList<>();

  /** Whether a word for a missing value may begin with this byte. */
  private final boolean[] beginsMissing = new boolean[256];

  private final byte decimal;

  /** Between thousands; 0 if numbers have nothing there. */
  private final byte thousands;

  /** Whether numbers stand as the loader reads them. */
  private final boolean plainNumbers;

  /** Whether true and false are 1 and 0. */
  private final boolean storesBooleans;

  /** Columns that together hold the time; their words are joined by a blank. */
  private final int[] timeColumns;

  private final int[] valueColumns;

  /** Ignored columns that were empty where the mapping was guessed, and must stay so. */
  private final int[] emptyColumns;

  private byte[] word = new byte[64];

  /** The name of each column in UTF-8, as a row that repeats the header has it. */
  private final List<byte[]> names;

  /**
   * @param bound the role of each column in order
   */
  CsvFormat(SeriesReader reader, TableGuess guess, List<Column> bound) {
    this(new RowSeries(reader.forAnotherThread(), bound, guess.textColumns()), guess, bound);
  }

  private CsvFormat(RowSeries series, TableGuess guess, List<Column> bound) {
    this.guess = guess;
    this.mapping = guess.mapping();
    this.bound = bound;
    this.names =
        bound.stream().map(column -> column.name().getBytes(StandardCharsets.UTF_8)).toList();
    this.syntax = RowSyntax.of(mapping);
    this.rows = new RowEnds(syntax);
    this.parser = new RowParser(syntax);
    this.fields = parser.row();
    this.time = guess.timeReader();
    this.emptyColumns = guess.emptyColumns().stream().mapToInt(column -> column).sorted().toArray();
    this.timeColumns = TableMapping.indexes(bound, Role.TIME);
    this.valueColumns = TableMapping.indexes(bound, Role.VALUE);
    this.series = series;
    for (String each : mapping.missing()) {
      byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
      if (bytes.length > 0) {
        missing.add(bytes);
        beginsMissing[bytes[0] & 0xff] = true;
      }
    }
    String between = mapping.thousands();
    this.decimal = (byte) mapping.decimal().charAt(0);
    this.thousands = between == null ? 0 : (byte) between.charAt(0);
    this.storesBooleans = mapping.storesBooleans();
    this.plainNumbers = decimal == '.' && thousands == 0;
  }

  /** The mapping, as it could be given for the input. */
  public TableMapping mapping() {
    return mapping;
  }

  /** What becomes of each column. */
  public List<ReadColumn> columns() {
    return guess.columns(bound);
  }

  @Override
  public String description() {
    return mapping + guess.leftOutInWords(bound);
  }

  @Override
  public Object key() {
    return List.of(guess, bound);
  }

  @Override
  public Optional<RecordFormat> forAnotherThread() {
    return Optional.of(new CsvFormat(series, guess, bound));
  }

  @Override
  public int start(InputHead head) {
    return CsvTable.start(mapping, head);
  }

  @Override
  public boolean countsLines() {
    return true;
  }

  @Override
  public int recordEnd(byte[] buffer, int from, int limit, boolean last) {
    return rows.end(buffer, from, limit, last);
  }

  @Override
  public int lastRecordEnd(byte[] buffer, int from, int limit) {
    return rows.lastEnd(buffer, from, limit);
  }

  @Override
  public void read(byte[] buffer, int from, int to, Points points) throws InputException {
    if (from == to || syntax.isComment(buffer, from, to)) {
      return;
    }
    Reason reason = readRow(buffer, from, to, points);
    if (reason != null) {
      points.reject(reason, from, to);
    }
  }

  private @Nullable Reason readRow(byte[] buffer, int from, int to, Points points)
      throws InputException {
    if (!rows.isWhole(buffer, from, to) || !parser.read(buffer, from, to)) {
      return Reason.ROW_MALFORMED;
    }
    if (isEmpty() || isHeader()) {
      return null;
    }
    if (fields.count() != bound.size()) {
      return Reason.ROW_LENGTH;
    }
    for (int column : emptyColumns) {
      if (!isMissing(column)) {
        return Reason.COLUMN_NOT_EMPTY;
      }
    }
    long timestampMs = readTime();
    if (timestampMs < 0) {
      return TimeReader.reason(timestampMs);
    }
    int row = series.find(fields, key);
    if (row == RowSeries.REJECTED) {
      return key.reason();
    }
    for (int i = 0; i < valueColumns.length; i++) {
      int column = valueColumns[i];
      if (fields.isEmpty(column)) {
        continue;
      }
      if (isMissing(column)) {
        points.leaveOut();
      } else {
        Reason reason = readValue(column);
        int number = reason == null ? series.number(row, fields, i, key) : SeriesReader.REJECTED;
        if (reason == null && number != SeriesReader.REJECTED) {
          points.add(number, timestampMs, value.bits(), value.isDouble());
        } else {
          points.reject(reason == null ? key.reason() : reason, from, to);
        }
      }
    }
    return null;
  }

  /** Whether the row has separators and nothing else, as spreadsheets write empty rows. */
  private boolean isEmpty() {
    return fields.count() == 0 || fields.to(fields.count() - 1) == 0;
  }

  /** Whether the row repeats the header. */
  private boolean isHeader() {
    if (fields.count() != names.size() || !isName(timeColumns[0])) {
      return false;
    }
    for (int column = 0; column < names.size(); column++) {
      if (!isName(column)) {
        return false;
      }
    }
    return true;
  }

  private boolean isName(int column) {
    byte[] name = names.get(column);
    return Arrays.equals(
        name, 0, name.length, fields.bytes(), fields.from(column), fields.to(column));
  }

  private long readTime() {
    int first = timeColumns[0];
    if (timeColumns.length == 1) {
      return fields.isEmpty(first)
          ? TimeReader.MALFORMED
          : time.millis(fields.bytes(), fields.from(first), fields.to(first));
    }
    int length = 0;
    for (int column : timeColumns) {
      length = append(column, length);
      word[length++] = ' ';
    }
    return time.millis(word, 0, length - 1);
  }

  private @Nullable Reason readValue(int column) {
    int truth =
        storesBooleans
            ? Truths.of(fields.bytes(), fields.from(column), fields.to(column))
            : Truths.NONE;
    if (truth != Truths.NONE) {
      value.integer(truth);
      return null;
    }
    if (plainNumbers) {
      return value.read(fields.bytes(), fields.from(column), fields.to(column));
    }
    int written = append(column, 0);
    int length = NumberStyle.plain(word, written, decimal, thousands);
    return length < 0 ? Reason.VALUE_MALFORMED : value.read(word, 0, length);
  }

  /** Appends a field to the word, with room for one byte after it. */
  private int append(int column, int at) {
    int length = fields.to(column) - fields.from(column);
    if (at + length >= word.length) {
      word = Arrays.copyOf(word, 2 * (at + length + 1));
    }
    System.arraycopy(fields.bytes(), fields.from(column), word, at, length);
    return at + length;
  }

  private boolean isMissing(int column) {
    if (fields.isEmpty(column)) {
      return true;
    }
    if (!beginsMissing[fields.bytes()[fields.from(column)] & 0xff]) {
      return false;
    }
    for (byte[] each : missing) {
      if (Arrays.equals(
          each, 0, each.length, fields.bytes(), fields.from(column), fields.to(column))) {
        return true;
      }
    }
    return false;
  }
}
