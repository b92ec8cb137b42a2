package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.ByteKeyIndex;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The fields of one row as text in UTF-8, by number. One thread. */
public final class RowFields {
  private byte[] bytes = new byte[1024];
  private int[] ends = new int[32];
  private int count;

  /** Forgets all fields. */
  public void clear() {
    count = 0;
  }

  /** Number of fields. */
  public int count() {
    return count;
  }

  /** Appends a field; an empty one for an empty buffer. */
  public void add(ByteBuffer field) {
    int start = startOf(field.remaining());
    int length = field.remaining();
    field.get(bytes, start, length);
    ends[count++] = start + length;
  }

  /** Appends a field whose characters are bytes. */
  public void add(char[] characters, int offset, int length) {
    int start = startOf(length);
    for (int i = 0; i < length; i++) {
      bytes[start + i] = (byte) characters[offset + i];
    }
    ends[count++] = start + length;
  }

  /** Appends a field that is a part of a row. */
  public void add(byte[] row, int from, int to) {
    int start = startOf(to - from);
    System.arraycopy(row, from, bytes, start, to - from);
    ends[count++] = start + to - from;
  }

  /** Where the next field begins; makes room for it. */
  private int startOf(int length) {
    int start = from(count);
    if (start + length + ByteKeyIndex.PADDING > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (start + length + ByteKeyIndex.PADDING));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    return start;
  }

  /**
   * The bytes of all fields, {@link ByteKeyIndex#PADDING} more behind them; the row's own array.
   */
  public byte[] bytes() {
    return bytes;
  }

  /** Index of a field's first byte. */
  public int from(int field) {
    return field == 0 ? 0 : ends[field - 1];
  }

  /** Index after a field's last byte. */
  public int to(int field) {
    return ends[field];
  }

  /** Whether a field holds nothing. */
  public boolean isEmpty(int field) {
    return from(field) == to(field);
  }

  /** A field; bytes that are not UTF-8 are replaced. */
  public String text(int field) {
    return new String(bytes, from(field), to(field) - from(field), StandardCharsets.UTF_8);
  }
}
