package io.packhorse.loader.source.csv;

import de.siegmar.fastcsv.reader.CsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.RecordType;
import io.packhorse.loader.source.table.RowFields;
import java.nio.charset.StandardCharsets;

/**
 * Splits rows into fields, without the blanks around them. One thread.
 *
 * <p>A row whose fields a character separates goes through the CSV library as ISO-8859-1, a
 * character a byte: separators and quotes are ASCII, which no other character of UTF-8 contains,
 * and so the bytes come out as they were.
 */
final class RowParser {
  private final RowSyntax syntax;
  private final CsvReader.CsvReaderBuilder parser;
  private final Handler handler = new Handler();
  private final RowFields row = new RowFields();

  RowParser(RowSyntax syntax) {
    this.syntax = syntax;
    this.parser =
        CsvReader.builder().fieldSeparator(syntax.delimiter()).quoteCharacter(syntax.quote());
  }

  /** The fields of the last row, as the bytes they have in the input; always the same object. */
  RowFields row() {
    return row;
  }

  /** Splits a row; false if its quotes are wrong. */
  boolean read(byte[] buffer, int from, int to) {
    row.clear();
    if (!syntax.widths().isEmpty()) {
      readByWidth(buffer, from, to);
      return true;
    }
    if (syntax.delimiter() == ' ') {
      return readByBlanks(buffer, from, to);
    }
    try {
      parser.ofSingleCsvRecord(
          handler, new String(buffer, from, to - from, StandardCharsets.ISO_8859_1));
      return true;
    } catch (CsvParseException e) {
      return false;
    }
  }

  /** Fields of so many characters each, the last up to the row's end. */
  private void readByWidth(byte[] buffer, int from, int to) {
    int at = from;
    for (int field = 0; field < syntax.widths().size(); field++) {
      int end = to;
      if (field < syntax.widths().size() - 1) {
        end = at;
        for (int left = syntax.widths().get(field); left > 0 && end < to; left--) {
          end++;
          while (end < to && (buffer[end] & 0xc0) == 0x80) {
            end++;
          }
        }
      }
      addTrimmed(buffer, at, end);
      at = end;
    }
  }

  private void addTrimmed(byte[] buffer, int from, int to) {
    int first = from;
    int end = to;
    while (first < end && isBlank(buffer[first])) {
      first++;
    }
    while (end > first && isBlank(buffer[end - 1])) {
      end--;
    }
    row.add(buffer, first, end);
  }

  /** Words between runs of blanks; a word in quotes may have blanks in it. */
  private boolean readByBlanks(byte[] buffer, int from, int to) {
    int at = from;
    while (true) {
      while (at < to && isBlank(buffer[at])) {
        at++;
      }
      if (at == to) {
        return true;
      }
      int end = at;
      if (buffer[at] == syntax.quote()) {
        end = at + 1;
        while (end < to && buffer[end] != syntax.quote()) {
          end++;
        }
        if (end == to || (end + 1 < to && !isBlank(buffer[end + 1]))) {
          return false;
        }
        addTrimmed(buffer, at + 1, end);
        end++;
      } else {
        while (end < to && !isBlank(buffer[end])) {
          end++;
        }
        row.add(buffer, at, end);
      }
      at = end;
    }
  }

  private static boolean isBlank(int c) {
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
