package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.csv.CsvMapping.Column;
import io.packhorse.loader.source.csv.CsvMapping.Role;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.LineValue;
import io.packhorse.loader.source.text.Points;
import io.packhorse.loader.source.text.RecordFormat;
import io.packhorse.loader.source.text.Rejects.Reason;
import io.packhorse.loader.source.text.SeriesReader;
import io.packhorse.loader.source.text.TimeReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table, by a mapping. A row of a wide table makes a point for each field with a value;
 * what is wrong with one of them is no matter to the others. Empty rows are passed over, and so is
 * every row that repeats the header. One thread; the series are shared with {@link #another}.
 */
public final class CsvFormat implements RecordFormat {
  private final CsvMapping mapping;
  private final byte[] header;
  private final List<Column> bound;
  private final Rows rows;
  private final RowParser parser;
  private final RowFields fields;
  private final TimeReader time;
  private final RowSeries series;
  private final RowKey key = new RowKey();
  private final LineValue value = new LineValue();
  private final List<byte[]> missing = new ArrayList<>();

  /** Columns that together hold the time, with a blank between their words. */
  private final int[] timeColumns;

  private final int[] valueColumns;
  private byte[] word = new byte[64];

  /**
   * @param header the bytes of the row of names, without line end; empty without one
   * @param bound the role of each column in order
   */
  CsvFormat(SeriesReader reader, CsvMapping mapping, byte[] header, List<Column> bound) {
    this(new RowSeries(reader.another(), bound), mapping, header, bound);
  }

  private CsvFormat(RowSeries series, CsvMapping mapping, byte[] header, List<Column> bound) {
    this.mapping = mapping;
    this.header = header;
    this.bound = bound;
    this.rows = new Rows(mapping.delimiter().charAt(0), mapping.quote().charAt(0));
    this.parser = new RowParser(mapping);
    this.fields = parser.row();
    this.time = mapping.time().reader();
    this.timeColumns = Table.indexes(bound, Role.TIME);
    this.valueColumns = Table.indexes(bound, Role.VALUE);
    this.series = series;
    mapping.missing().forEach(each -> missing.add(each.getBytes(StandardCharsets.UTF_8)));
  }

  /** The mapping, as it could be given for the input. */
  public CsvMapping mapping() {
    return mapping;
  }

  @Override
  public String description() {
    return mapping.toString();
  }

  @Override
  public Object key() {
    return List.of(mapping, new String(header, StandardCharsets.ISO_8859_1));
  }

  @Override
  public Optional<RecordFormat> another() {
    return Optional.of(new CsvFormat(series, mapping, header, bound));
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
    if (from == to
        || (header.length > 0 && Arrays.equals(header, 0, header.length, buffer, from, to))) {
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
    if (fields.count() != bound.size()) {
      return Reason.ROW_LENGTH;
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
      if (!isMissing(column)) {
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
    if (mapping.decimal().equals(".")) {
      return value.read(fields.bytes(), fields.from(column), fields.to(column));
    }
    int length = append(column, 0);
    for (int i = 0; i < length; i++) {
      if (word[i] == ',') {
        word[i] = '.';
      } else if (word[i] == '.') {
        return Reason.VALUE_MALFORMED;
      }
    }
    return value.read(word, 0, length);
  }

  /** Appends a field to the word, with room for one byte behind it. */
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
    for (byte[] each : missing) {
      if (Arrays.equals(
          each, 0, each.length, fields.bytes(), fields.from(column), fields.to(column))) {
        return true;
      }
    }
    return false;
  }
}
