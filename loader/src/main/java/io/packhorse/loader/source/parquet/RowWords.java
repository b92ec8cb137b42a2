package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.csv.RowFields;
import io.packhorse.loader.source.text.Spellings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The values of a row as words, one after the other. One thread; holds the last row. */
final class RowWords implements RowFields {
  private final int[] ends;
  private byte[] bytes = new byte[256];
  private int count;

  RowWords(int columns) {
    ends = new int[columns];
  }

  /** Begins another row. */
  void begin() {
    count = 0;
  }

  /** Adds the word of a column's value; nothing for null. */
  void add(ColumnValues values, int row) {
    if (!values.isPresent(row)) {
      addNothing();
    } else if (values.column().isText()) {
      add(values.binary(row).toByteBuffer());
    } else {
      String text = values.column().text(values, row);
      add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Adds nothing, for a column whose word nobody wants. */
  void addNothing() {
    ends[count] = from(count);
    count++;
  }

  private void add(ByteBuffer word) {
    int start = from(count);
    int length = word.remaining();
    if (start + length + Spellings.PADDING > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (start + length + Spellings.PADDING));
    }
    word.get(bytes, start, length);
    ends[count++] = start + length;
  }

  /** A word; bytes that are not UTF-8 are replaced. */
  String text(int field) {
    return new String(bytes, from(field), to(field) - from(field), StandardCharsets.UTF_8);
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
}
