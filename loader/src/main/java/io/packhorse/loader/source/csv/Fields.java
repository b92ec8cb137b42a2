package io.packhorse.loader.source.csv;

import de.siegmar.fastcsv.reader.CsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.RecordType;
import io.packhorse.loader.source.text.Spellings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of one row, as the bytes they have in the input. One thread; holds the last row.
 *
 * <p>A row goes through the CSV library as ISO-8859-1, a character a byte: separators and quotes
 * are ASCII, which no other character of UTF-8 contains, and so the bytes come out as they were.
 */
final class Fields implements RowFields {
  private final CsvReader.CsvReaderBuilder parser;
  private final Handler handler = new Handler();
  private byte[] bytes = new byte[1024];
  private int[] ends = new int[32];
  private int count;

  Fields(CsvMapping mapping) {
    this(mapping.delimiter().charAt(0), mapping.quote().charAt(0));
  }

  Fields(char delimiter, char quote) {
    parser = CsvReader.builder().fieldSeparator(delimiter).quoteCharacter(quote);
  }

  /** Takes a row apart; false if its quotes are not right. */
  boolean read(byte[] buffer, int from, int to) {
    count = 0;
    try {
      Fields unused =
          parser.ofSingleCsvRecord(
              handler, new String(buffer, from, to - from, StandardCharsets.ISO_8859_1));
      return true;
    } catch (CsvParseException e) {
      return false;
    }
  }

  int count() {
    return count;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int from(int field) {
    return field == 0 ? 0 : ends[field - 1];
  }

  @Override
  public int to(int field) {
    return ends[field];
  }

  /** A field in UTF-8; bytes that are none are replaced. */
  String text(int field) {
    return new String(bytes, from(field), to(field) - from(field), StandardCharsets.UTF_8);
  }

  private void add(char[] characters, int offset, int length) {
    int start = count == 0 ? 0 : ends[count - 1];
    if (start + length + Spellings.PADDING > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (start + length + Spellings.PADDING));
    }
    for (int i = 0; i < length; i++) {
      bytes[start + i] = (byte) characters[offset + i];
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    ends[count++] = start + length;
  }

  /** Takes fields from the library without a string for each. */
  private final class Handler extends CsvCallbackHandler<Fields> {
    @Override
    protected RecordType getRecordType() {
      return RecordType.DATA;
    }

    @Override
    protected int getFieldCount() {
      return count;
    }

    @Override
    protected void beginRecord(long startingLineNumber) {
      count = 0;
    }

    @Override
    protected void addField(char[] characters, int offset, int length, boolean quoted) {
      add(characters, offset, length);
    }

    @Override
    protected void setComment(char[] characters, int offset, int length) {}

    @Override
    protected void setEmpty() {}

    @Override
    protected Fields buildRecord() {
      return Fields.this;
    }
  }
}
