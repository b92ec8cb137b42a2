package io.packhorse.loader.source.csv;

import de.siegmar.fastcsv.reader.CsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.RecordType;
import io.packhorse.loader.source.table.RowFields;
import io.packhorse.loader.source.table.TableMapping;
import java.nio.charset.StandardCharsets;

/**
 * Splits rows into fields, without the blanks around them. One thread.
 *
 * <p>A row goes through the CSV library as ISO-8859-1, a character a byte: separators and quotes
 * are ASCII, which no other character of UTF-8 contains, and so the bytes come out as they were.
 */
final class RowParser {
  private final CsvReader.CsvReaderBuilder parser;
  private final Handler handler = new Handler();
  private final RowFields row = new RowFields();

  RowParser(TableMapping mapping) {
    this(mapping.delimiter().charAt(0), mapping.quote().charAt(0));
  }

  RowParser(char delimiter, char quote) {
    parser = CsvReader.builder().fieldSeparator(delimiter).quoteCharacter(quote);
  }

  /** The fields of the last row, as the bytes they have in the input; always the same object. */
  RowFields row() {
    return row;
  }

  /** Splits a row; false if its quotes are wrong. */
  boolean read(byte[] buffer, int from, int to) {
    row.clear();
    try {
      parser.ofSingleCsvRecord(
          handler, new String(buffer, from, to - from, StandardCharsets.ISO_8859_1));
      return true;
    } catch (CsvParseException e) {
      return false;
    }
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** Receives fields from the library without a string for each. */
  private final class Handler extends CsvCallbackHandler<RowFields> {
    @Override
    protected RecordType getRecordType() {
      return RecordType.DATA;
    }

    @Override
    protected int getFieldCount() {
      return row.count();
    }

    @Override
    protected void beginRecord(long startingLineNumber) {
      row.clear();
    }

    @Override
    protected void addField(char[] characters, int offset, int length, boolean quoted) {
      int from = offset;
      int to = offset + length;
      while (from < to && isBlank(characters[from])) {
        from++;
      }
      while (to > from && isBlank(characters[to - 1])) {
        to--;
      }
      row.add(characters, from, to - from);
    }

    @Override
    protected void setComment(char[] characters, int offset, int length) {}

    @Override
    protected void setEmpty() {}

    @Override
    protected RowFields buildRecord() {
      return row;
    }
  }
}
